import type { Condition } from "../../../core/language/ast.js";
import { failure, type Findings } from "../../../core/model/failure.js";
import { late } from "../../../core/model/late.js";
import type { Path } from "../../../core/model/path.js";
import { isUnknown } from "../../../core/model/unknown.js";
import type { RulesetPlace } from "./meaning.js";

/** Not from the language's index, which loads the evaluator; and only for entry points of accounts. */
const loadSyntax = late<typeof import("../../../core/language/syntax/index.js")>(() =>
  require("../../../core/language/syntax/index.js"),
);
const loadUses = late<typeof import("../../../core/language/uses.js")>(() => require("../../../core/language/uses.js"));

const CUSTOM = "http_request_firewall_custom";
const RATE = "http_ratelimit";
/** Phases whose expressions are the plan alone, or one group in brackets and the plan. */
const STRICT: readonly string[] = [CUSTOM, "http_request_firewall_managed", RATE];
const RESPONSES = "http_response_firewall_managed";

/**
 * Checks what the service refuses in the entry point of an account, whose rules must be limited to Enterprise zones. See
 * https://developers.cloudflare.com/waf/account/managed-rulesets/; how strictly was seen on the service.
 */
export function checkAccountExpression(
  { expression }: Readonly<Record<string, unknown>>,
  { phase, kind }: RulesetPlace,
  path: Path,
): Findings {
  const isConcerned = kind === "root" && typeof phase === "string" && [...STRICT, RESPONSES].includes(phase);
  if (!isConcerned || typeof expression !== "string" || isUnknown(expression)) return [];
  const parsed = loadSyntax().parseExpression(expression);
  if ("fault" in parsed || parsed.expression.kind !== "filter") return [];
  const at = [...path, "expression"];
  const { lists, fields } = loadUses().usesOf(parsed.expression);
  const [list] = lists;
  const score = [...fields].find((name) => name === "cf.waf.score" || name.startsWith("cf.waf.score."));
  const where = `in the entry point of an account in ${phase}`;
  return [
    ...(isLimited(parsed.expression.condition, phase)
      ? []
      : failure(
          at,
          `rules ${where} must be limited to Enterprise zones: write ${phase === RESPONSES ? "…" : "(…)"} and cf.zone.plan eq "ENT"`,
        )),
    ...(phase === CUSTOM && list !== undefined ? failure(at, `lists such as $${list} are not allowed ${where}`) : []),
    ...(score !== undefined && (phase === CUSTOM || phase === RATE)
      ? failure(at, `${score} is not allowed ${where}`)
      : []),
  ];
}

function isLimited(condition: Condition, phase: string): boolean {
  if (isPlan(condition)) return true;
  if (condition.kind !== "combination" || condition.op !== "and") return false;
  const last = condition.items.at(-1);
  if (last === undefined || !isPlan(last)) return false;
  return phase === RESPONSES || (condition.items.length === 2 && condition.items[0]?.kind === "group");
}

/** `cf.zone.plan eq "ENT"`, in brackets or not. */
function isPlan(condition: Condition): boolean {
  if (condition.kind === "group") return isPlan(condition.of);
  if (condition.kind !== "comparison") return false;
  const { left, test } = condition;
  return (
    left.kind === "field" &&
    left.name === "cf.zone.plan" &&
    test.kind === "order" &&
    test.op === "eq" &&
    test.right.kind === "string" &&
    test.right.value === "ENT"
  );
}
