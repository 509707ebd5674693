import { isList, isObject, type Json } from "../../../core/model/json.js";

/**
 * The shape of a value: its types, and for objects the shapes of their keys in order, for lists the one of all items. It has
 * nothing of the content.
 */
export interface Shape {
  /** Such as `string` or `null`, sorted. */
  readonly types: readonly string[];
  readonly keys?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  /** Of a key: whether some objects do not have it. @default false */
  readonly optional?: true;
}

/**
 * Objects whose keys are content: parameters of actions, what users write as they like, and by IDs what an override of the previous WAF
 * does to rules and groups.
 */
const OPAQUE: ReadonlySet<string> = new Set([
  ...["action_parameters", "custom_metadata", "groups", "meta", "rules", "tags", "value"],
]);

/** A key if it is a word of the API; anything else may be content. */
function knownKey(name: string): string {
  return /^[a-z][a-z0-9_]{0,30}$/i.test(name) && !/\d{3}/.test(name) ? name : "{}";
}

const NOTHING: Shape = { types: [] };

export function shapeOf(value: Json): Shape {
  if (isList(value)) return { types: ["list"], items: value.map(shapeOf).reduce(mergeShapes, NOTHING) };
  if (!isObject(value)) return { types: [value === null ? "null" : typeof value] };
  const keys = Object.entries(value).map(([key, one]): [string, Shape] => [
    knownKey(key),
    OPAQUE.has(key) && isObject(one) ? { types: ["object"] } : shapeOf(one ?? null),
  ]);
  return { types: ["object"], keys: Object.fromEntries(keys) };
}

/** What has one of two shapes. A key of only one of two objects is optional. */
export function mergeShapes(one: Shape, other: Shape): Shape {
  const [few, many] = [one.keys, other.keys];
  const isOptional = one.optional === true || other.optional === true;
  const keys = few === undefined || many === undefined ? (few ?? many) : mergeKeys(few, many);
  const items =
    one.items === undefined || other.items === undefined
      ? (one.items ?? other.items)
      : mergeShapes(one.items, other.items);
  return {
    types: [...new Set([...one.types, ...other.types])].sort(),
    ...(keys === undefined ? {} : { keys }),
    ...(items === undefined ? {} : { items }),
    ...(isOptional ? { optional: true } : {}),
  };
}

function mergeKeys(one: NonNullable<Shape["keys"]>, other: NonNullable<Shape["keys"]>): NonNullable<Shape["keys"]> {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return Object.fromEntries(
    names.map((name) => {
      const [a, b] = [one[name], other[name]];
      if (a !== undefined && b !== undefined) return [name, mergeShapes(a, b)];
      return [name, { ...(a ?? b ?? NOTHING), optional: true as const }];
    }),
  );
}

/** How a shape differs from the one that is expected: a line for each place. Lists that are empty on one side say nothing. */
export function compareShapes(found: Shape, expected: Shape, path = ""): string[] {
  if (found.types.length === 0 || expected.types.length === 0) return [];
  const here = path === "" ? "the answer" : path;
  const types = found.types.filter((type) => !expected.types.includes(type));
  const lines = types.map((type) => `${here} is ${type}, expected ${expected.types.join(" or ")}`);
  const [has, wants] = [found.keys ?? {}, expected.keys ?? {}];
  const below = (name: string): string => (path === "" ? name : `${path}.${name}`);
  if (found.keys !== undefined && expected.keys !== undefined) {
    for (const name of Object.keys(has)) if (!(name in wants)) lines.push(`${below(name)} is not known`);
    for (const [name, { optional }] of Object.entries(wants)) {
      if (optional === true) continue;
      if (!(name in has)) lines.push(`${below(name)} is missing`);
      else if (has[name]?.optional === true) lines.push(`${below(name)} is missing in some`);
    }
    const order = (one: object, others: object): string =>
      Object.keys(one)
        .filter((name) => name in others)
        .join(" ");
    if (order(has, wants) !== order(wants, has)) lines.push(`${here} has its keys in another order`);
  }
  for (const [name, shape] of Object.entries(has)) {
    const other = wants[name];
    if (other !== undefined) lines.push(...compareShapes(shape, other, below(name)));
  }
  if (found.items !== undefined && expected.items !== undefined)
    lines.push(...compareShapes(found.items, expected.items, `${path}[]`));
  return lines;
}
