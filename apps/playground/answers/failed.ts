import { FileError } from "../../../tools/rules-files/text/text-document.js";
import { messageOf } from "../../../core/model/errors.js";

/** A text that could not be read. */
export interface Failed {
  readonly failure: string;
}

/** What is wrong with a text, without the name and the place in a file, which a text of the page does not have. */
export function failedBy(error: unknown): Failed {
  return { failure: error instanceof FileError ? error.text : messageOf(error) };
}
