import type { Edit } from "./embedded/embedded.js";

const LONGEST = 60;

/** What an edit is called where it is offered. */
export function titleOf({ text }: Edit): string {
  if (text.trim() === "") return "Leave it out";
  return text.length > LONGEST || text.includes("\n") ? "Change as the finding says" : `Change to \`${text}\``;
}

/** The edits of findings, in the order of the text, without those that overlap an earlier one. */
export function editsApart(findings: readonly { readonly edit?: Edit }[]): readonly Edit[] {
  const edits = findings.flatMap(({ edit }) => (edit === undefined ? [] : [edit]));
  const inOrder = edits.toSorted((a, b) => a.span.start - b.span.start);
  const apart: Edit[] = [];
  for (const edit of inOrder) if (edit.span.start >= (apart.at(-1)?.span.end ?? 0)) apart.push(edit);
  return apart;
}
