import { isObject, omit, type JsonObject } from "../../core/model/json.js";
import type { ArgumentFinding } from "../../core/model/failure.js";
import type { Path } from "../../core/model/path.js";
import { getShape, type Shape } from "../../core/model/shapes.js";
import { mayBeUnchecked } from "../../core/model/unchecked.js";
import { shapeToWire } from "../../core/model/wire.js";

const RULE = getShape("RulesetRule");
const PARAMETERS = getShape("RulesetRuleActionParameters");

/** Fields that every rule has to have outside of `wire` too. */
const NEEDED = ["action", "expression"];

/** What a check refuses of a rule that the service has, or what a program cannot express of it. */
export interface Obstacle {
  /** Of the rule. */
  readonly index: number;
  /** In the rule. */
  readonly path: Path;
}

/** Rules of the service with what is refused of them in `wire`, where a preview does not check it. */
interface Unchecked<T extends Obstacle> {
  readonly rules: readonly JsonObject[];
  readonly moved: readonly T[];
  /** What is refused there too. */
  readonly left?: T;
}

/**
 * Moves what is refused to `wire`, until nothing is.
 * @param obstaclesTo what is refused of rules, before and after a move
 */
export function withoutChecks<T extends Obstacle>(
  given: readonly JsonObject[],
  obstaclesTo: (rules: readonly JsonObject[]) => readonly T[],
): Unchecked<T> {
  const rules = [...given];
  const moved: T[] = [];
  for (;;) {
    // One of each rule at a time: the next ones may be gone with it.
    const obstacles = firstOfEachRule(obstaclesTo(rules));
    if (obstacles.length === 0) return { rules, moved };
    for (const obstacle of obstacles) {
      const rule = rules[obstacle.index];
      const changed = rule === undefined ? undefined : withoutCheck(rule, obstacle.path);
      if (changed === undefined) return { rules, moved, left: obstacle };
      rules[obstacle.index] = changed;
    }
    moved.push(...obstacles);
  }
}

function firstOfEachRule<T extends Obstacle>(obstacles: readonly T[]): readonly T[] {
  return [...Map.groupBy(obstacles, ({ index }) => index).values()].flatMap(([first]) => first ?? []);
}

/** The place of a failure of `checkRules`. */
export function obstacleOf({ path: [, index, ...path] }: ArgumentFinding): Obstacle {
  return { index: Number(index), path };
}

/**
 * The rule with the smallest checked part around a path in `wire`, where a preview does not check it: a parameter, a field, its
 * action, or all of it. Undefined if nothing more of it can be there.
 */
function withoutCheck(rule: JsonObject, [field, parameter]: Path): JsonObject | undefined {
  if (rule.action === undefined) return undefined;
  if (rule.expression === undefined) {
    const empty = { ...rule, expression: "" };
    return isMovable(empty, "expression", RULE) ? inWire(empty, ["expression"], RULE) : empty;
  }
  const { actionParameters } = rule;
  if (field === "actionParameters" && isObject(actionParameters) && isMovable(actionParameters, parameter, PARAMETERS))
    return { ...rule, actionParameters: inWire(actionParameters, [parameter], PARAMETERS) };
  if (isMovable(rule, field, RULE)) return inWire(rule, [field], RULE);
  // Without its action in sight, nothing that depends on it is checked.
  if (isMovable(rule, "action", RULE)) return inWire(rule, ["action"], RULE);
  const all = Object.keys(rule).filter((name) => isMovable(rule, name, RULE));
  return all.length === 0 ? undefined : inWire(rule, all, RULE);
}

/** Whether a field is checked, and need not be. */
function isMovable(value: JsonObject, name: string | number | undefined, shape: Shape): name is string {
  if (typeof name !== "string" || value[name] === undefined) return false;
  const field = shape.byName[name];
  if (field === undefined || !mayBeUnchecked(shape, field.wire)) return false;
  return !(isObject(value.wire) && value.wire[field.wire] !== undefined);
}

function inWire(value: JsonObject, names: readonly string[], shape: Shape): JsonObject {
  const moved = Object.fromEntries(names.map((name) => [name, value[name]] as const));
  const wire = { ...(isObject(value.wire) ? value.wire : {}), ...shapeToWire(moved, shape) };
  const kept = shape === RULE ? names.filter((name) => !NEEDED.includes(name)) : names;
  return { ...omit(value, [...kept, "wire"]), wire };
}
