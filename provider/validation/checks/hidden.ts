import { isObject } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import { HIDDEN } from "../../model/secret.js";
import { failure, join, NO_FINDINGS, warning, type Findings } from "../failure.js";

/** Whether a rule was pasted from a message with `[secret]` still in the place of a value, or of a part of one. */
export function checkHidden(value: unknown, path: Path): Findings {
  if (value === HIDDEN) {
    return failure(
      path,
      `is ${JSON.stringify(HIDDEN)}, which messages print in place of a secret; write the value itself, ` +
        "as a secret: pulumi.secret(…) or config.requireSecret(…)",
    );
  }
  if (typeof value === "string" && value.includes(HIDDEN)) {
    return warning(
      path,
      `holds ${JSON.stringify(HIDDEN)}, which messages print in place of a secret; if this was pasted from one, write ` +
        "the value itself, as a secret: pulumi.secret(…) or config.requireSecret(…)",
    );
  }
  if (Array.isArray(value)) return join(value.map((item, index) => checkHidden(item, [...path, index])));
  if (!isObject(value)) return NO_FINDINGS;
  return join(Object.entries(value).map(([key, item]) => checkHidden(item, [...path, key])));
}
