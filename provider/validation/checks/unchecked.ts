import type { JsonObject } from "../../../core/model/json.js";
import type { Path } from "../../../core/model/path.js";
import { uncheckedFields } from "../../../core/model/unchecked.js";
import { failure, warning, type Findings } from "../../../core/model/failure.js";

/** Names the fields of a rule that are sent as they are, although they have a typed name. */
export function checkUnchecked(rule: JsonObject, path: Path): Findings {
  return uncheckedFields(rule)
    .map(({ path: typed, inWire, isContradicted }) => {
      const name = String(typed.at(-1));
      return isContradicted
        ? failure([...path, ...inWire], `has another value than ${name}. To continue: leave out one of the two`)
        : warning([...path, ...inWire], `is sent as it is, and not checked; ${name} outside of wire is checked`);
    })
    .flat();
}
