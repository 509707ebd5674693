import { isObject } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import { HIDDEN } from "../../model/secret.js";
import { failure, join, NO_FINDINGS, type Findings } from "../failure.js";

/** Whether a rule was pasted from a message with `[secret]` still in the place of a value. */
export function checkHidden(value: unknown, path: Path): Findings {
  if (value === HIDDEN) {
    return failure(
      path,
      `is ${JSON.stringify(HIDDEN)}, which messages print in place of a secret; write the value itself, ` +
        "as a secret: pulumi.secret(…) or config.requireSecret(…)",
    );
  }
  if (Array.isArray(value)) return join(value.map((item, index) => checkHidden(item, [...path, index])));
  if (!isObject(value)) return NO_FINDINGS;
  return join(Object.entries(value).map(([key, item]) => checkHidden(item, [...path, key])));
}
