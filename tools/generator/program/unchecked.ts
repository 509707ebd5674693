import { isObject, omit, type JsonObject } from "../../../core/model/json.js";
import type { Path } from "../../../core/model/path.js";
import { getShape, type Shape } from "../../../core/model/shapes.js";
import { shapeToWire } from "../../../core/model/wire.js";

const RULE = getShape("RulesetRule");
const PARAMETERS = getShape("RulesetRuleActionParameters");

/** Fields that every rule has to have outside of `wire` too. */
const NEEDED = ["action", "expression"];
/** What says which rule it is stays where it is. */
const IDENTITY = ["id", "ref", "wire"];

/**
 * The rule with the smallest checked part around a path in `wire`, where a preview does not check it: a parameter, a field, its
 * action, or all of it. Undefined if nothing of it is checked any more.
 */
export function withoutCheck(rule: JsonObject, [field, parameter]: Path): JsonObject | undefined {
  const { actionParameters } = rule;
  if (field === "actionParameters" && isObject(actionParameters) && isTyped(actionParameters, parameter, PARAMETERS))
    return { ...rule, actionParameters: inWire(actionParameters, [parameter], PARAMETERS) };
  if (isTyped(rule, field, RULE)) return inWire(rule, [field], RULE);
  // Without its action in sight, nothing that depends on it is checked.
  if (isTyped(rule, "action", RULE)) return inWire(rule, ["action"], RULE);
  const all = Object.keys(rule).filter((name) => !IDENTITY.includes(name) && isTyped(rule, name, RULE));
  return all.length === 0 ? undefined : inWire(rule, all, RULE);
}

function isTyped(value: JsonObject, name: string | number | undefined, { byName }: Shape): name is string {
  if (typeof name !== "string" || value[name] === undefined) return false;
  const field = byName[name];
  return field !== undefined && !(isObject(value.wire) && value.wire[field.wire] !== undefined);
}

function inWire(value: JsonObject, names: readonly string[], shape: Shape): JsonObject {
  const moved = Object.fromEntries(names.map((name) => [name, value[name]] as const));
  const wire = { ...(isObject(value.wire) ? value.wire : {}), ...shapeToWire(moved, shape) };
  const kept = shape === RULE ? names.filter((name) => !NEEDED.includes(name)) : names;
  return { ...omit(value, [...kept, "wire"]), wire };
}
