import type { LocatedFinding } from "../../../core/language/index.js";
import { expressionsOf, type PlacedExpression } from "../../../core/model/expressions.js";
import { isObject } from "../../../core/model/json.js";
import type { Path } from "../../../core/model/path.js";
import { isUnknown } from "../../../core/model/unknown.js";
import { failure, type ArgumentFinding, type Findings } from "../../../core/model/failure.js";
import { late } from "../../../core/model/late.js";

type Rule = Readonly<Record<string, unknown>>;

/** Not from the language's index, which loads the evaluator; and on demand, as refresh and destroy check nothing. */
const loadCheck = late<typeof import("../../../core/language/check/index.js")>(() =>
  require("../../../core/language/check/index.js"),
);
const loadListUses = late<typeof import("../list-uses.js")>(() => require("../list-uses.js"));

/** Checks that all expressions of a rule can be parsed, have the right type, and stay within the limits. */
export function checkExpressions(rule: Rule, phase: unknown, path: Path): Findings {
  const known = typeof phase === "string" && !isUnknown(phase) ? phase : undefined;
  const { analyse } = loadCheck();
  return [...expressionsOf(rule, path), ...characteristicsOf(rule, path)].flatMap(({ text, path: at, options }) => {
    const { findings } = analyse(text, known === undefined ? options : { ...options, phase: known });
    return findings.map((one) => withRemedy(placed(one, text, at), path, text));
  });
}

/** What a rate limit counts by, except for what only looks like a field. The values may have any type. */
function characteristicsOf({ ratelimit }: Rule, path: Path): PlacedExpression[] {
  const list = isObject(ratelimit) ? ratelimit.characteristics : undefined;
  if (!Array.isArray(list)) return [];
  return list.flatMap((text: unknown, index) =>
    typeof text !== "string" || isUnknown(text) || /^(cf\.(colo\.id|unique_visitor_id)|)$/.test(text)
      ? []
      : [{ text, path: [...path, "ratelimit", "characteristics", index], options: { slot: "value", type: "Any" } }],
  );
}

/** https://developers.cloudflare.com/rules/transform/response-header-modification/#important-remarks */
const WITHOUT_ADDRESSES = "http_response_headers_transform";

/** Checks that a rule uses no list of addresses where expressions cannot have one. */
export function checkListPlaces(rule: Rule, phase: unknown, path: Path): Findings {
  if (phase !== WITHOUT_ADDRESSES) return [];
  return loadListUses()
    .addressListsOf(rule, path)
    .flatMap(({ name, path: at }) => failure(at, `lists of IP addresses such as $${name} are not allowed in ${phase}`));
}

/** Says what can be done about a filter that is too long. */
function withRemedy(found: ArgumentFinding, rule: Path, text: string): ArgumentFinding {
  if (found.severity !== "error" || found.code !== "length" || found.path.length !== rule.length + 1) return found;
  const list = loadListUses().listForSet(text);
  const move =
    list === undefined
      ? ", or keep hosts, addresses or ASNs that it compares in a RulesList, and write `in $name`"
      : `, or keep the members of its set in a RulesList of the kind ${list.kind}, and write \`${list.what} in $name\``;
  const divide = "write several rules, as inParts(rule) does in TypeScript where it has an `or` or a set";
  return { ...found, message: `${found.message}. To continue: ${divide}${move}` };
}

/** A finding about the whole text, such as its length or that it is empty, has no position. */
function placed(finding: LocatedFinding, text: string, path: Path): ArgumentFinding {
  const { code, severity, offset, end, message, instead, mayApply, excerpt } = finding;
  const found = { code, severity, path, message };
  if (code === "length" || text.trim() === "") return found;
  return { ...found, character: offset + 1, length: end - offset, instead, mayApply, excerpt };
}
