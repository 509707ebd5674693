import { ruleToWire } from "../../core/model/codec.js";
import type { Json, JsonObject } from "../../core/model/json.js";
import { withValueAt, type Path } from "../../core/model/path.js";
import { everyAction } from "./every-action.js";
import { fc } from "./properties.js";

const samples = everyAction
  .filter(({ level }) => level === "zones")
  .flatMap(({ phase, rules }) => rules.map((rule) => ({ phase, rule: ruleToWire(rule) })));
const values = fc.constantFrom<Json>(null, "", "x", 0, -1, 1.5, true, [], {}, [null], ["a", "a"], {
  newer: [{ a_b: null }],
});
const edits = fc.array(fc.record({ at: fc.nat(), value: values, isAdded: fc.boolean() }), {
  minLength: 1,
  maxLength: 3,
});

/** Rules of every action as the service may return them: with values that no schema allows, and fields that are newer. */
export const damagedRule = fc
  .tuple(fc.constantFrom(...samples), edits)
  .map(([{ phase, rule }, changes]): { readonly phase: string; readonly rule: JsonObject } => {
    const whole = JSON.parse(JSON.stringify(rule)) as JsonObject;
    const damaged = changes.reduce<Json>((current, { at, value, isAdded }) => {
      const paths = pathsIn(current).filter((path) => isAdded || path.length > 0);
      const path = paths[at % paths.length] ?? [];
      return withValueAt(current, isAdded ? [...path, "newer_key"] : path, value) ?? current;
    }, whole) as JsonObject;
    // An answer without these is none of the service.
    const [action, expression] = [textOr(damaged.action, whole.action), textOr(damaged.expression, whole.expression)];
    return { phase, rule: { ...damaged, action, expression } };
  });

function textOr(value: Json | undefined, other: Json | undefined): Json | undefined {
  return typeof value === "string" && value !== "" ? value : other;
}

/** The paths of every value in a rule. */
function pathsIn(value: Json | undefined, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value as JsonObject).flatMap(([key, item]) => pathsIn(item, [...at, key]))];
}
