import type { Safety } from "../rules-files/check/fixes.js";
import type { Edit } from "./embedded/embedded.js";

const LONGEST = 60;

/** What an edit is called where it is offered. */
export function titleOf({ text }: Edit): string {
  if (text.trim() === "") return "Leave it out";
  return text.length > LONGEST || text.includes("\n") ? "Apply the fix of the finding" : `Change to \`${text}\``;
}

/** The edits of findings, in the order of the text, without those that overlap an earlier one. */
export function editsApart(findings: readonly { readonly edit?: Edit }[]): readonly Edit[] {
  const edits = findings.flatMap(({ edit }) => (edit === undefined ? [] : [edit]));
  const inOrder = edits.toSorted((a, b) => a.span.start - b.span.start);
  const apart: Edit[] = [];
  for (const edit of inOrder) if (edit.span.start >= (apart.at(-1)?.span.end ?? 0)) apart.push(edit);
  return apart;
}

/** That an edit can be made without asking, and where its expression begins. */
export interface SafeEdit {
  readonly made: Safety;
  readonly expression: number;
}

/** The edits that can be made at once without asking. Those that are left out are found again in the text that these make. */
export function safeEdits(findings: readonly { readonly edit?: Edit; readonly safe?: SafeEdit }[]): readonly Edit[] {
  const alone = new Set<number>();
  const together = findings.filter(({ safe }) => {
    if (safe === undefined || (safe.made === "alone" && alone.has(safe.expression))) return false;
    if (safe.made === "alone") alone.add(safe.expression);
    return true;
  });
  return editsApart(together);
}
