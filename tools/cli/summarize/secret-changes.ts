import { unquoted } from "../../../core/model/path.js";
import { isList, isObject, type Json, type JsonObject } from "../../../core/model/json.js";
import { HIDDEN } from "../../../core/model/secret.js";
import { REFRESH } from "./drift-steps.js";
import type { Step } from "./preview.js";
import type { SecretChanges } from "./rule-rows.js";

/** `rules["admin"].actionParameters.headers["x-a"].value`: the ref, then the fields. */
const RULE_PATH = /^rules(?:\.([\w-]+)|\["((?:[^"\\]|\\.)*)"\])(.*)$/;
const STEP = /\.([^.[\]]+)|\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]/g;

/**
 * Secrets that change or may change, by the paths in the engine's diff. A path above a secret does not tell whether the secret
 * itself changes, and neither does a diff without paths.
 */
export function secretChanges({ op, paths, before, after }: Step): SecretChanges {
  const found = new Map<string, string[]>();
  const changed = paths.flatMap((path) => {
    const parts = RULE_PATH.exec(path);
    if (parts === null) return [];
    const steps = Array.from((parts[3] ?? "").matchAll(STEP), ([, plain, quoted, index]) => {
      return plain ?? index ?? unquoted(quoted ?? "");
    });
    return [[parts[1] ?? unquoted(parts[2] ?? ""), ...steps]];
  });
  const isChanged = (place: readonly string[]): boolean =>
    (paths.length === 0 && op !== REFRESH) ||
    changed.some((path) => path.every((step, index) => step === place[index]));
  const [old, now] = [rulesIn(before?.inputs), rulesIn(after?.inputs)];
  for (const [ref, rule] of Object.entries(now)) {
    const then = new Set(hiddenPlaces(old[ref]).map((place) => place.join("\n")));
    const places = hiddenPlaces(rule).filter((place) => then.has(place.join("\n")) && isChanged([ref, ...place]));
    if (places.length > 0)
      found.set(
        ref,
        places.map((place) => place.join(".")),
      );
  }
  return found;
}

function rulesIn(inputs: JsonObject | undefined): JsonObject {
  return isObject(inputs?.rules) ? inputs.rules : {};
}

/** The paths of secrets in a value. */
export function hiddenPlaces(value: Json | undefined, inside: readonly string[] = []): (readonly string[])[] {
  if (value === HIDDEN) return [inside];
  if (isList(value)) return value.flatMap((item, index) => hiddenPlaces(item, [...inside, String(index)]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => hiddenPlaces(item, [...inside, name]));
}
