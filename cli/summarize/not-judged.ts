import { ruleTakeoverChanges } from "../../provider/ownership/rule-messages.js";
import { takeoverChangesRules } from "../../provider/ownership/takeover-messages.js";
import { uncheckedIn, undoesOthers } from "../../provider/ownership/unseen-messages.js";
import type { NotJudged } from "./summary.js";

const TAKEN_OVER: NotJudged = {
  what: "rules that exist already",
  why: "the state of the stack does not contain the rules that are taken over",
  decidedBy: "the list of what changes in them, in the preview's note",
};

const UNDONE: NotJudged = {
  what: "changes by others",
  why: "the state of the stack does not contain what somebody else changed, and this run undoes it",
  decidedBy: "the list of these changes in the preview's note, or a preview after `pulumi refresh`",
};

/**
 * What could not be judged, as far as the notes of a preview on a resource say: messages about something that its states do not
 * show, so that comparing them does not judge it.
 */
export function notJudgedIn(notes: readonly string[]): readonly NotJudged[] {
  return notes.flatMap((note): readonly NotJudged[] => {
    const unchecked = uncheckedIn(note);
    if (unchecked !== undefined) {
      const decidedBy = "a preview with credentials, when the service responds";
      return [{ what: unchecked, why: "the preview could not ask the service", decidedBy }];
    }
    if (takeoverChangesRules(note) || ruleTakeoverChanges(note)) return [TAKEN_OVER];
    return undoesOthers(note) ? [UNDONE] : [];
  });
}
