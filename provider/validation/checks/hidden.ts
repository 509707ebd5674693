import { isObject } from "../../../core/model/json.js";
import type { Path } from "../../../core/model/path.js";
import { HIDDEN } from "../../../core/model/secret.js";
import { failure, warning, type Findings } from "../../../core/model/failure.js";

/** Finds values of pasted rules that still contain the `[secret]` of a message. */
export function checkHidden(value: unknown, path: Path): Findings {
  if (value === HIDDEN) {
    return failure(
      path,
      `is ${JSON.stringify(HIDDEN)}, which messages print instead of a secret; write the value itself, ` +
        "as a secret: pulumi.secret(…) or config.requireSecret(…)",
    );
  }
  if (typeof value === "string" && value.includes(HIDDEN)) {
    return warning(
      path,
      `contains ${JSON.stringify(HIDDEN)}, which messages print instead of a secret; if this was pasted from one, write ` +
        "the value itself, as a secret: pulumi.secret(…) or config.requireSecret(…)",
    );
  }
  if (Array.isArray(value)) return value.map((item, index) => checkHidden(item, [...path, index])).flat();
  if (!isObject(value)) return [];
  return Object.entries(value)
    .map(([key, item]) => checkHidden(item, [...path, key]))
    .flat();
}
