import type { Lifecycle, Props } from "../kinds/index.js";
import type { JsonObject } from "../../core/model/json.js";
import { valueAt } from "../../core/model/path.js";
import type { Secrets } from "../../client/redaction/secrets.js";
import { sanitize } from "./sanitize.js";

/** Registers the secrets in inputs or in a state, so that no message shows them. */
export function learnSecrets(kind: Lifecycle, secrets: Secrets, props: Props): void {
  secrets.publish(kind.publicTexts?.(props as JsonObject) ?? []);
  if (!hasSecrets(props)) return;
  const plain = sanitize(props) as JsonObject;
  for (const path of kind.secretPaths(plain)) secrets.add(valueAt(plain, path), path);
}

/** Inputs that say where a resource has secrets begin like this. */
function hasSecrets(props: Props): boolean {
  return Object.keys(props).some((name) => name.startsWith("__secret") && props[name] !== undefined);
}
