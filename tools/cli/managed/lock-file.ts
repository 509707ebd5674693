import { TextDocument } from "../../rules-files/text/text-document.js";
import type { ManagedLock } from "../../../core/managed/lock.js";
import { messageOf } from "../../../core/model/errors.js";
import { FileError } from "../../../core/model/file-error.js";
import type { FileValues } from "../../../core/model/file-values.js";
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

/**
 * A JSON file that a command has written. It may be large, so where its parts are is found out only for a mistake.
 * @throws FileError if it is not JSON
 */
function jsonFile(text: string, file: string): FileValues {
  let document: TextDocument | undefined;
  return {
    value: parsed(text, file),
    errorAt: (steps, reason, details) => (document ??= TextDocument.parse(text, file)).errorAt(steps, reason, details),
  };
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const document = TextDocument.parseLeniently(text, file);
    const [{ place, reason } = document.errorAt([], "it uses the notation of another format")] = document.faults;
    throw new FileError(place, [], `is not JSON: ${reason}`);
  }
}
