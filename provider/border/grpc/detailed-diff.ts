import { isList, isObject, sameJson, type Json, type JsonObject } from "../../../core/model/json.js";
import { secretInWire } from "../../../core/model/secret.js";

/** How a property differs. */
export type PropertyChange = "add" | "delete" | "update";

/**
 * What differs between inputs, by path: `rules["block-admin"].expression`. Internal inputs are left out, because people do
 * not see them. The engine resolves these paths in the inputs, and shows the old and the new value of each.
 */
export function detailedDiff(before: JsonObject, after: JsonObject): Readonly<Record<string, PropertyChange>> {
  const found: Record<string, PropertyChange> = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
    if (!name.startsWith("__")) compare(name, before[name], after[name], found);
  return found;
}

/** The top-level names in paths, each once. */
export function topLevelNames(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => /^[^.[]+/.exec(path)?.[0] ?? path))];
}

function compare(
  path: string,
  before: Json | undefined,
  after: Json | undefined,
  found: Record<string, PropertyChange>,
): void {
  if (sameJson(before, after)) return;
  if (before === undefined || after === undefined) {
    found[path] = before === undefined ? "add" : "delete";
  } else if (isPlainObject(before) && isPlainObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      compare(`${path}${step(key)}`, before[key], after[key], found);
  } else if (isList(before) && isList(after) && before.length === after.length) {
    // In lists of different lengths, equal positions do not have to be the same thing.
    before.forEach((item, index) => {
      compare(`${path}[${String(index)}]`, item, after[index], found);
    });
  } else {
    found[path] = "update";
  }
}

/** Whether a value is an object in which the engine can name properties: a secret is a value of its own. */
function isPlainObject(value: Json): value is JsonObject {
  return isObject(value) && secretInWire(value) === undefined;
}

/** A key in a path. */
function step(key: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
