import { isObject } from "../../../core/model/json.js";
import type { Path } from "../../../core/model/path.js";
import { failure, type Findings } from "../../../core/model/failure.js";

/** Finds numbers at any depth of a value that JSON cannot represent, or not exactly. */
export function checkNumbers(value: unknown, path: Path): Findings {
  if (typeof value === "number") return checkNumber(value, path);
  if (Array.isArray(value))
    return (value as unknown[]).map((item, index) => checkNumbers(item, [...path, index])).flat();
  if (!isObject(value)) return [];
  return Object.entries(value)
    .map(([key, item]) => checkNumbers(item, [...path, key]))
    .flat();
}

function checkNumber(value: number, path: Path): Findings {
  if (!Number.isFinite(value)) return failure(path, `is ${String(value)}, which cannot be sent; write a number`);
  return Math.abs(value) > Number.MAX_SAFE_INTEGER
    ? failure(
        path,
        `is ${String(value)}, beyond what can be sent exactly; the limit is ${String(Number.MAX_SAFE_INTEGER)}`,
      )
    : [];
}

/** The service refuses bodies that are nested deeper than 64 levels; a rule is two or three levels deep in one. */
const MOST_LEVELS = 60;

/** Refuses objects and lists that are nested too deeply, as only raw fields can be. */
export function checkDepth(value: unknown, path: Path, level = 0): Findings {
  if (typeof value !== "object" || value === null) return [];
  if (level > MOST_LEVELS) return failure(path.slice(0, 4), `is nested more than ${String(MOST_LEVELS)} levels deep`);
  const parts = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [step, item] of parts) {
    const found = checkDepth(item, [...path, step], level + 1);
    if (found.length > 0) return found;
  }
  return [];
}
