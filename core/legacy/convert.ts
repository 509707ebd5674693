import type { Conversion, ConvertOptions, Note } from "./new-rules.js";
import type { OldRule, OldRules } from "./old-rules.js";
import { convertPageRules } from "./page-rules.js";
import { convertRateLimits } from "./rate-limits.js";
import { convertSecurity } from "./security.js";

/** https://developers.cloudflare.com/ruleset-engine/rules-language/expressions/ */
const MAX_EXPRESSION = 4096;

/** Converts old rules into those of the phases that replace them. */
export function convert(old: OldRules, options: ConvertOptions = {}): Conversion {
  const pages = convertPageRules(old.pageRules);
  const security = convertSecurity(old, options.listSuffix);
  const limits = convertRateLimits(old, options.plan);
  const rules = [...pages.rules, ...security.rules, ...limits.rules];
  const long = new Set(
    rules
      .filter(({ expression }) => options.listSuffix !== undefined && expression.length > MAX_EXPRESSION)
      .flatMap(({ from }) => from),
  );
  const tooLong = rulesOf(old).filter(({ id }) => long.has(id));
  const notes = [
    ...pages.notes,
    ...security.notes,
    ...limits.notes,
    ...tooLong.map((rule): Note => ({ rule, text: TOO_LONG, kind: "left" })),
    ...old.notConverted.map((rule): Note => ({ rule, text: rule.reason, kind: "left" })),
  ];
  return { rules: rules.filter(({ from }) => !from.some((id) => long.has(id))), lists: security.lists, notes };
}

const TOO_LONG = `the condition of its new rule would be longer than ${String(MAX_EXPRESSION)} characters`;

/** Every rule that is in force. */
export function rulesOf({ pageRules, userAgents, lockdowns, accessRules, rateLimits }: OldRules): readonly OldRule[] {
  return [...pageRules, ...accessRules, ...lockdowns, ...userAgents, ...rateLimits];
}
