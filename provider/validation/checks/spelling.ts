import { isObject } from "../../../core/model/json.js";
import type { Path } from "../../../core/model/path.js";
import { findServiceName } from "../../../core/model/spelling.js";
import { failure, type Findings } from "../../../core/model/failure.js";

/** Refuses a rule, in the names of this package, with a field that the program gives with both names. */
export function checkSpelling(rule: unknown, path: Path): Findings {
  const found = isObject(rule) ? findServiceName(rule) : undefined;
  if (found?.isTwice !== true) return [];
  const reason = `is given twice, also with the service's name ${found.wire}. To continue: leave out one of the two`;
  return failure([...path, ...found.at, found.name], reason);
}
