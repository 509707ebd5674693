import { isList, isObject, sameJson, type Json, type JsonObject, textOf } from "../../../core/model/json.js";
import { managedRulesets, SCORING_RULE } from "../../../core/managed/rulesets.js";
import type { Path } from "../../../core/model/path.js";
import { Rule } from "../../../core/rules/rule.js";
import { owasp, type OwaspOptions } from "../../../provider/sdk/writing/owasp.js";
import { literal, name, type Code, type Member } from "../code/code.js";

type ValueCode = (value: Json, path: Path) => Code;

/** Functions and values that generated files may import from the package, and that variables must not shadow. */
export const IMPORTED_NAMES: readonly string[] = ["managedRulesets", "expression", "owasp"];

const THRESHOLDS: Readonly<Record<number, OwaspOptions["scoreThreshold"]>> = { 60: "low", 40: "medium", 25: "high" };
/** Fields of a rule that `owasp` passes through. */
const PASSED_ON = ["ref", "description", "expression", "enabled"];

/** A call of `owasp` that creates exactly this rule; undefined if there is none. */
export function owaspCall(rule: JsonObject, valueCode: ValueCode): Code | undefined {
  const options = owaspOptions(rule);
  if (options === undefined || !isSame(owasp(options), rule)) return undefined;
  const members = Object.entries(options).flatMap(([key, value]): Member[] => {
    if (key === "expression" && value === "true") return [];
    return [{ key, value: PASSED_ON.includes(key) ? valueCode(value as Json, [key]) : literal(value as string) }];
  });
  return { kind: "call", callee: name("owasp", "pulumi-rulesets"), args: [{ kind: "object", members }] };
}

function isSame(made: object & { readonly ref?: unknown }, rule: JsonObject): boolean {
  return sameJson(withRef(made), withRef(rule));
}

function withRef(rule: object & { readonly ref?: unknown }): JsonObject {
  return { ref: textOf(rule.ref), ...Rule.of(rule).content };
}

/** Options that might produce the rule; the caller compares the result with the rule. */
function owaspOptions(rule: JsonObject): OwaspOptions | undefined {
  const { actionParameters } = rule;
  if (rule.action !== "execute" || !isObject(actionParameters) || actionParameters.id !== managedRulesets.owaspCore)
    return undefined;
  const overrides = isObject(actionParameters.overrides) ? actionParameters.overrides : {};
  const rules: readonly Json[] = isList(overrides.rules) ? overrides.rules : [];
  const scoring = rules.filter(isObject).find(({ id }) => id === SCORING_RULE);
  if (typeof scoring?.scoreThreshold !== "number") return undefined;
  const above = Array.isArray(overrides.categories) ? overrides.categories.length : 0;
  const passed = Object.fromEntries(PASSED_ON.flatMap((key) => (rule[key] === undefined ? [] : [[key, rule[key]]])));
  return {
    ...passed,
    paranoiaLevel: (4 - above) as OwaspOptions["paranoiaLevel"],
    scoreThreshold: THRESHOLDS[scoring.scoreThreshold] ?? scoring.scoreThreshold,
    action: scoring.action as OwaspOptions["action"],
  };
}
