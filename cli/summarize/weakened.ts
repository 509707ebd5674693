import { isObject, sameJson, type Json, type JsonObject } from "../../provider/model/json.js";
import { withManagedName, type NameOf } from "../../provider/model/managed-rulesets.js";

/** How firmly an action stops a request; an action that is not listed stops none. */
const FIRMNESS: Readonly<Record<string, number>> = {
  log: 1,
  score: 2,
  js_challenge: 3,
  managed_challenge: 4,
  challenge: 5,
  execute: 6,
  block: 7,
};

const SENSITIVITY: Readonly<Record<string, number>> = { default: 4, medium: 3, low: 2, eoff: 1 };

/** Why a change of a rule weakens the protection; undefined if nothing shows that it does. */
export function explainWeakening(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  nameOf?: NameOf,
): string | undefined {
  const [oldRole, newRole] = [roleOf(before), roleOf(after)];
  if (newRole === "exempts" && oldRole !== "exempts") return "exempts requests from other rules";
  if (oldRole === "exempts" && newRole === "exempts" && !sameJson(before?.expression, after?.expression)) {
    return "exempts other requests than before";
  }
  if (oldRole !== "protects") return undefined;
  if (after === undefined) return "removed";
  if (newRole !== "protects")
    return after.enabled === false ? "disabled" : `no longer stops requests: ${text(after.action)}`;
  if (firmness(after) < firmness(before)) return `${text(before?.action)} → ${text(after.action)}`;
  return weakerOverrides(overridesIn(before?.actionParameters, nameOf), overridesIn(after.actionParameters, nameOf));
}

function roleOf(rule: JsonObject | undefined): "protects" | "exempts" | "neither" {
  if (rule === undefined || rule.enabled === false) return "neither";
  if (rule.action === "skip") return "exempts";
  return firmness(rule) > 0 ? "protects" : "neither";
}

function firmness(rule: JsonObject | undefined): number {
  return FIRMNESS[text(rule?.action)] ?? 0;
}

type Overrides = ReadonlyMap<string, JsonObject>;

function weakerOverrides(was: Overrides, is: Overrides): string | undefined {
  const found = [...is].find(([place, now]) => isWeakerOverride(was.get(place), now));
  if (found !== undefined) return `overrides of ${found[0]} are weaker`;
  const gone = [...was].find(([place, { enabled, action }]) => {
    return !is.has(place) && (enabled === true || FIRMNESS[text(action)] !== undefined);
  });
  return gone === undefined ? undefined : `overrides of ${gone[0]} are removed`;
}

/** Overrides by what they apply to: the whole ruleset, a category, or a rule. */
function overridesIn(parameters: Json | undefined, nameOf: NameOf | undefined): Overrides {
  const overrides = isObject(parameters) && isObject(parameters.overrides) ? parameters.overrides : {};
  const { rules, categories, ...whole } = overrides;
  const listed = (items: Json | undefined, name: string, key: string): [string, JsonObject][] =>
    Array.isArray(items)
      ? items.filter(isObject).map((item) => [`${name} ${withManagedName(text(item[key]), nameOf)}`, item])
      : [];
  return new Map([
    ...(Object.keys(whole).length === 0 ? [] : [["the whole ruleset", whole] as [string, JsonObject]]),
    ...listed(categories, "tag", "category"),
    ...listed(rules, "rule", "id"),
  ]);
}

function isWeakerOverride(was: JsonObject = {}, is: JsonObject): boolean {
  if (is.enabled === false && was.enabled !== false) return true;
  if (is.action !== was.action && (FIRMNESS[text(is.action)] ?? 7) < (FIRMNESS[text(was.action)] ?? 7)) return true;
  if (rank(is.sensitivityLevel) < rank(was.sensitivityLevel)) return true;
  return typeof is.scoreThreshold === "number" && is.scoreThreshold > number(was.scoreThreshold, 0);
}

function rank(sensitivity: Json | undefined): number {
  return SENSITIVITY[text(sensitivity)] ?? 4;
}

function number(value: Json | undefined, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
