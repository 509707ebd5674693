import type { NotJudged } from "./summary.js";

/** Messages of a preview about something that its states do not show, so that comparing them does not judge it. */
const UNSEEN: readonly (readonly [RegExp, (found: RegExpExecArray) => NotJudged])[] = [
  [
    /^could not check (.*?)\. /,
    ([, what = ""]) => ({
      what,
      why: "the preview could not ask the service",
      decidedBy: "a preview with credentials, when the service responds",
    }),
  ],
  [
    /^takes over .*: \d+ kept, (?!0 changed, 0 dropped(?:, \d+ added)?$)/m,
    () => ({
      what: "rules that exist already",
      why: "the state of the stack does not contain the rules that are taken over",
      decidedBy: "the list of what changes in them, in the preview's note",
    }),
  ],
  [
    /onConflict is "overwrite", so this (?:change|delete) undoes it:/,
    () => ({
      what: "changes by others",
      why: "the state of the stack does not contain what somebody else changed, and this run undoes it",
      decidedBy: "the list of these changes in the preview's note, or a preview after `pulumi refresh`",
    }),
  ],
];

/** What could not be judged, as far as the notes of a preview on a resource say. */
export function notJudgedIn(notes: readonly string[]): readonly NotJudged[] {
  return notes.flatMap((note) =>
    UNSEEN.flatMap(([pattern, about]) => {
      const found = pattern.exec(note);
      return found === null ? [] : [about(found)];
    }),
  );
}
