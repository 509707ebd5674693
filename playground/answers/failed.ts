import { messageOf } from "../../provider/model/errors.js";

/** A text that could not be read. */
export interface Failed {
  readonly failure: string;
  /** Where the mistake is, from 1, as far as that is known. */
  readonly line?: number;
  readonly column?: number;
}

/** What is wrong with a text, without the name of a file, which a text of the page does not have. */
export function failedBy(error: unknown, name: string): Failed {
  const message = messageOf(error);
  const [, line, column, reason] = new RegExp(`^${name}:(\\d+):(\\d+): ([^]*)$`).exec(message) ?? [];
  return reason === undefined ? { failure: message } : { failure: reason, line: Number(line), column: Number(column) };
}
