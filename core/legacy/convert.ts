import type { Conversion, ConvertOptions, Left, NewList, NewRule, Note } from "./new-rules.js";
import { LOCKDOWN, PAGE_RULE, unknownStronger, type OldRule, type OldRules } from "./old-rules.js";
import { convertPageRules } from "./page-rules.js";
import { convertRateLimits } from "./rate-limits.js";
import { convertSecurity } from "./security.js";

/** https://developers.cloudflare.com/ruleset-engine/rules-language/expressions/ */
const MAX_EXPRESSION = 4096;

/** Converts old rules into those of the phases that replace them. */
export function convert(old: OldRules, options: ConvertOptions = {}): Conversion {
  const security = convertSecurity(old, options);
  const limits = convertRateLimits(old, options.plan);
  // A page rule that turns out to be left alone keeps its URLs, so that weaker ones are converted anew.
  let left: Left = new Map();
  for (;;) {
    const pages = convertPageRules(old.pageRules, left, options.plan);
    const rules = [...pages.rules, ...security.rules, ...limits.rules].filter(
      ({ from }) => !from.some((id) => left.has(id)),
    );
    const refused = rules.flatMap((rule) => {
      const reason = refusalOf(rule, options);
      return reason === undefined ? [] : rule.from.map((id) => [id, reason] as const);
    });
    if (refused.length === 0) {
      const notes = [...pages.notes, ...notesOf(old, left), ...security.notes, ...limits.notes, ...unknownUrls(old)];
      const isUsed = ({ name }: NewList): boolean =>
        rules.some(({ expression }) => expression.includes(` in $${name}`));
      return { rules, lists: security.lists.filter(isUsed), notes };
    }
    left = new Map([...left, ...refused]);
  }
}

function refusalOf(rule: NewRule, { listSuffix, refusalOf: more }: ConvertOptions): string | undefined {
  return listSuffix !== undefined && rule.expression.length > MAX_EXPRESSION ? TOO_LONG : more?.(rule);
}

/** Of page rules, the conversion itself tells why they are left alone. */
function notesOf(old: OldRules, left: Left): readonly Note[] {
  const isPage = new Set(old.pageRules.map(({ id }) => id));
  return [
    ...rulesOf(old).flatMap((rule): readonly Note[] => {
      const text = isPage.has(rule.id) ? undefined : left.get(rule.id);
      return text === undefined ? [] : [{ rule, text, kind: "left" }];
    }),
    ...old.notConverted.map((rule): Note => ({ rule, text: rule.reason, kind: "left" })),
  ];
}

/** A rule whose URLs are not known may be stronger than one that is converted. */
function unknownUrls(old: OldRules): readonly Note[] {
  const noteOf = (rule: OldRule, kind: string, priority: number): readonly Note[] =>
    unknownStronger(old, kind, priority).map(({ label }) => ({
      rule,
      text: `where ${label} also matches, which is at least as strong and left alone, the new rule applies now: leave its URLs out`,
      kind: "lacks",
    }));
  return [
    ...old.pageRules.flatMap((rule) => noteOf(rule, PAGE_RULE, rule.priority)),
    ...old.lockdowns.flatMap((rule) => noteOf(rule, LOCKDOWN, rule.priority ?? Infinity)),
  ];
}

const TOO_LONG = `the condition of its new rule would be longer than ${String(MAX_EXPRESSION)} characters: give it a narrower URL, or delete stronger rules that it meets and that are no longer needed`;

/** Every rule that is in force. */
export function rulesOf({ pageRules, userAgents, lockdowns, accessRules, rateLimits }: OldRules): readonly OldRule[] {
  return [...pageRules, ...accessRules, ...lockdowns, ...userAgents, ...rateLimits];
}
