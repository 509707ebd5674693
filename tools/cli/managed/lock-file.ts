import { jsonFile } from "../../rules-files/text/json-file.js";
import type { ManagedLock } from "../../../core/managed/lock.js";
import { messageOf } from "../../../core/model/errors.js";
import { readBySchema } from "../../../core/files/file-schema.js";
import { schema } from "../../../core/files/generated/validate-managed-lock.js";

/**
 * Reads the content of a lock file of managed rulesets.
 * @throws Error that says what is wrong with it; `file` is for the message
 */
export function parseLock(text: string, file: string): ManagedLock {
  try {
    if (/^(<{7}|={7}|>{7})/m.test(text)) throw new Error(`${file} contains the markers of a merge conflict`);
    return readBySchema(jsonFile(text, file), schema);
  } catch (error) {
    throw new Error(`${messageOf(error)}. To continue: write it again with \`npx pulumi-rulesets managed lock\`.`, {
      cause: error,
    });
  }
}
