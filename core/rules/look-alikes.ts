import { isList, isObject, stableText, type Json, type JsonObject } from "../model/json.js";
import { hasUnknown, isUnknown, UNKNOWN } from "../model/unknown.js";
import { Pool } from "./pool.js";

/** Which parts of a value are unknown: all of it, or some members. */
type Shape = true | { readonly [key: string]: Shape };

/** When there are more shapes than this, a member that is partly unknown counts as unknown entirely. */
const MOST_SHAPES = 32;

/**
 * Finds the first free rule that a rule with unknown values could match. Rules with unknowns in the same places share an
 * index, so a lookup takes only as long as reading the rule.
 */
export class LookAlikes {
  private readonly indexes = new Map<string, Pool>();

  constructor(
    private readonly rules: readonly JsonObject[],
    private readonly free: ReadonlySet<number>,
  ) {}

  first(wanted: JsonObject): number | undefined {
    const shape = this.shapeFor(wanted);
    return this.indexOf(shape).first(masked(wanted, shape));
  }

  private shapeFor(wanted: JsonObject): Shape {
    const shape = shapeOf(wanted) ?? {};
    return this.indexes.size < MOST_SHAPES || this.indexes.has(stableText(shape)) ? shape : coarse(shape);
  }

  private indexOf(shape: Shape): Pool {
    const name = stableText(shape);
    const kept = this.indexes.get(name);
    if (kept !== undefined) return kept;
    const pool = new Pool(this.free);
    for (const index of this.free) pool.add(masked(this.rules[index] ?? {}, shape), index);
    this.indexes.set(name, pool);
    return pool;
  }
}

function shapeOf(value: Json | undefined): Shape | undefined {
  if (isUnknown(value)) return true;
  if (value === undefined || !hasUnknown(value)) return undefined;
  const members = Object.entries(value as JsonObject).flatMap(([key, item]) => {
    const shape = shapeOf(item);
    return shape === undefined ? [] : [[key, shape] as const];
  });
  return Object.fromEntries(members);
}

function coarse(shape: Shape): Shape {
  return shape === true ? true : Object.fromEntries(Object.keys(shape).map((key) => [key, true as const]));
}

/** The text of a value after replacing the parts in the shape by the unknown marker. */
function masked(value: Json | undefined, shape: Shape): string {
  return stableText(mask(value, shape));
}

function mask(value: Json | undefined, shape: Shape): Json | undefined {
  if (shape === true) return UNKNOWN;
  if (isList(value)) {
    return value.map((item, index) => {
      const inner = shape[String(index)];
      return inner === undefined ? item : (mask(item, inner) ?? null);
    });
  }
  if (!isObject(value)) return value;
  const changed = Object.entries(shape).map(([key, inner]) => [key, mask(value[key], inner)] as const);
  return { ...value, ...Object.fromEntries(changed) };
}
