/*
 * Messages about something that the states of a preview do not show. Summaries of previews recognise them, so each text is next
 * to the function that does.
 */

const COULD_NOT_CHECK = "could not check ";

/** A check that could not be made, because the service could not be asked. */
export function uncheckedText(what: string, reason: string): string {
  return `${COULD_NOT_CHECK}${what}. ${reason}`;
}

/** What a message says could not be checked; undefined for any other message. */
export function uncheckedIn(message: string): string | undefined {
  return message.startsWith(COULD_NOT_CHECK) ? message.slice(COULD_NOT_CHECK.length).split(". ")[0] : undefined;
}

const OVERWRITES = 'onConflict is "overwrite", so this ';

/** That a change of somebody else is undone, as requested. */
export function undoingWords(operation: "change" | "delete"): string {
  return `${OVERWRITES}${operation} undoes it`;
}

/** Whether a message says that a change of somebody else is undone. */
export function undoesOthers(message: string): boolean {
  return message.includes(OVERWRITES);
}
