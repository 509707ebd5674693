import { FileError } from "../../../core/model/file-error.js";
import type { FileValues } from "../../../core/model/file-values.js";
import { TextDocument } from "./text-document.js";

/**
 * A JSON file that a command has written. It may be large, so where its parts are is found out only for a mistake.
 * @throws FileError if it is not JSON
 */
export function jsonFile(text: string, file: string): FileValues {
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
