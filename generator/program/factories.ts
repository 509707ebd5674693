import { isObject, sameJson, type Json, type JsonObject } from "../../provider/model/json.js";
import { managedRulesets, SCORING_RULE } from "../../provider/model/managed-rulesets.js";
import type { Path } from "../../provider/model/path.js";
import { owasp, type OwaspOptions } from "../../provider/writing/owasp.js";
import { contentOf } from "../../provider/rules/content.js";
import { literal, name, type Code } from "../code/code.js";

/** Names that a file of the program may import from the package, and that no variable of it takes. */
export const FACTORY_NAMES: readonly string[] = ["managedRulesets", "owasp"];

type ValueCode = (value: Json, path: Path) => Code;

/** The call of a factory that makes exactly this rule; undefined where none does. */
export function factoryCall(rule: JsonObject, valueCode: ValueCode): Code | undefined {
  return owaspCall(rule, valueCode);
}

const THRESHOLDS: Readonly<Record<number, OwaspOptions["scoreThreshold"]>> = { 60: "low", 40: "medium", 25: "high" };
/** Fields of a rule that `owasp` passes on. */
const PASSED_ON = ["ref", "description", "expression", "enabled"];

function owaspCall(rule: JsonObject, valueCode: ValueCode): Code | undefined {
  const options = owaspOptions(rule);
  if (options === undefined) return undefined;
  const made = { ...owasp(options) };
  if (!sameJson(withRef(made), withRef(rule))) return undefined;
  const members = Object.entries(options).flatMap(([key, value]) => {
    if (key === "expression" && value === "true") return [];
    return [{ key, value: PASSED_ON.includes(key) ? valueCode(value as Json, [key]) : literal(value as string) }];
  });
  return { kind: "call", callee: name("owasp", "pulumi-rulesets"), args: [{ kind: "object", members }] };
}

function withRef(rule: object & { readonly ref?: unknown }): JsonObject {
  return { ref: typeof rule.ref === "string" ? rule.ref : "", ...contentOf(rule) };
}

/** What the options would be, if the rule came of them; whether it did is for the comparison to say. */
function owaspOptions(rule: JsonObject): OwaspOptions | undefined {
  const { actionParameters: parameters } = rule;
  if (rule.action !== "execute" || !isObject(parameters) || parameters.id !== managedRulesets.owaspCore)
    return undefined;
  const overrides = isObject(parameters.overrides) ? parameters.overrides : {};
  const rules: readonly Json[] = Array.isArray(overrides.rules) ? (overrides.rules as Json[]) : [];
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
