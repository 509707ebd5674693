import { closest, distance } from "fastest-levenshtein";
import { allFields, allFunctions, findField } from "./index.js";

/** The known name nearest to a misspelled one; undefined if none is close. */
export function nearestName(name: string, kind: "field" | "function"): string | undefined {
  const lower = name.toLowerCase();
  const names = kind === "field" ? Array.from(allFields().keys()) : [...allFunctions().keys(), "any", "all"];
  const found = closest(lower, names);
  if (distance(lower, found) <= Math.max(1, Math.floor(name.length / 6))) return found;
  return shortest(names.filter((one) => hasSegments(one, lower))) ?? nearEnough(lower, found);
}

/** Why a name cannot be that of a field to give a value to; undefined if there is such a field. */
export function fieldFault(name: string): string | undefined {
  if (findField(name) !== undefined) return undefined;
  const near = nearestName(name, "field");
  return `there is no such field${near === undefined ? "" : `; did you mean ${near}?`}`;
}

/** Whether a name contains all segments of another in the same order: `http.request.uri.path` contains `http.request.path`. */
function hasSegments(whole: string, part: string): boolean {
  const wanted = part.split(".");
  if (wanted.length < 2) return false;
  const rest = wanted[Symbol.iterator]();
  let next = rest.next();
  for (const segment of whole.split(".")) if (!next.done && segment === next.value) next = rest.next();
  return next.done === true;
}

function shortest(names: readonly string[]): string | undefined {
  return names.toSorted((a, b) => a.length - b.length)[0];
}

function nearEnough(name: string, found: string): string | undefined {
  return distance(name, found) <= Math.max(1, Math.floor(name.length / 4)) ? found : undefined;
}
