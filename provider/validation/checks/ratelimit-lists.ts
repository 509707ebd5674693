import { levelOfKind } from "../../../core/model/ids.js";
import { isObject } from "../../../core/model/json.js";
import { late } from "../../../core/model/late.js";
import { failure, type Findings } from "../../../core/model/failure.js";
import type { Path } from "../../../core/model/path.js";
import { isUnknown } from "../../../core/model/unknown.js";
import type { RulesetPlace } from "./meaning.js";

/** Only for rate limits. */
const loadListUses = late<typeof import("../list-uses.js")>(() => require("../list-uses.js"));
/** Only for rate limits with lists. */
const loadSyntax = late<typeof import("../../../core/language/syntax/index.js")>(() =>
  require("../../../core/language/syntax/index.js"),
);
const loadUses = late<typeof import("../../../core/language/uses.js")>(() => require("../../../core/language/uses.js"));
const loadCatalogue = late<typeof import("../../../core/language/catalogue/index.js")>(() =>
  require("../../../core/language/catalogue/index.js"),
);

/**
 * Checks where a rate limit can use a list of the account. See
 * https://developers.cloudflare.com/waf/rate-limiting-rules/parameters/#configuration-restrictions.
 */
export function checkRatelimitLists(
  rule: Readonly<Record<string, unknown>>,
  { phase, kind, level }: RulesetPlace,
  path: Path,
): Findings {
  const { ratelimit } = rule;
  if (phase !== "http_ratelimit" || !isObject(ratelimit)) return [];
  const [use] = loadListUses().listUsesOf(rule, path);
  if (use === undefined) return [];
  const counting = loadListUses().listUsesOf({ ratelimit }, path)[0];
  const list = `$${use.name}`;
  return [
    ratelimit.requestsToOrigin === true
      ? failure([...path, "ratelimit", "requestsToOrigin"], `cannot be true in a rule with a list, which ${list} is`)
      : [],
    counting !== undefined && readsResponse(ratelimit.countingExpression)
      ? failure(counting.path, `a list such as $${counting.name} is not allowed together with fields of the response`)
      : [],
    (level ?? levelOfKind(kind)) === "accounts" && use.path.at(-1) === "expression"
      ? failure(use.path, `lists such as ${list} are not allowed in rate limits of an account`)
      : [],
  ].flat();
}

function readsResponse(expression: unknown): boolean {
  if (typeof expression !== "string" || isUnknown(expression)) return false;
  const parsed = loadSyntax().parseExpression(expression);
  if ("fault" in parsed) return false;
  const { findField } = loadCatalogue();
  return [...loadUses().usesOf(parsed.expression).fields].some((name) => findField(name)?.when === "response");
}
