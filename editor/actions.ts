import type { Span } from "../language/index.js";
import type { Diagnostic } from "./diagnostics.js";
import type { EditedDocument } from "./edited-document.js";
import { embeddedAt, offsetInExpression, type Edit } from "./embedded/embedded.js";
import { mergeAt } from "./merge.js";

/** A change of a document that an editor offers. */
export interface Action {
  readonly title: string;
  readonly kind: "quickfix" | "refactor" | "fix-all";
  readonly edits: readonly Edit[];
  /** What it mends. */
  readonly mends?: Diagnostic;
}

const LONGEST = 60;

/** What can be changed in a part of a document: each finding that says what to write instead, and what is shorter. */
export function actionsFor(
  document: EditedDocument,
  diagnostics: readonly Diagnostic[],
  { start, end }: Span,
): readonly Action[] {
  const touched = diagnostics.filter(({ span }) => span.start <= end && start <= span.end);
  const fixes = touched.flatMap((mends): Action[] =>
    mends.edit === undefined ? [] : [{ title: titleOf(mends.edit), kind: "quickfix", edits: [mends.edit], mends }],
  );
  return [...fixes, ...mergesAt(document, start), ...fixAll(diagnostics)];
}

function titleOf({ text }: Edit): string {
  if (text.trim() === "") return "Leave it out";
  return text.length > LONGEST || text.includes("\n") ? "Change as the finding says" : `Change to \`${text}\``;
}

function mergesAt({ expressions }: EditedDocument, offset: number): readonly Action[] {
  const embedded = embeddedAt(expressions, offset);
  const at = embedded === undefined ? undefined : offsetInExpression(embedded, offset);
  if (embedded === undefined || at === undefined || embedded.inserted.length > 0) return [];
  const merge = mergeAt(embedded.text, at);
  if (merge === undefined) return [];
  const title = `Merge the comparisons of \`${merge.left}\` into one set`;
  return [{ title, kind: "refactor", edits: [embedded.change(merge.span, merge.text)] }];
}

/** All changes that findings name, without those that overlap an earlier one. */
function fixAll(diagnostics: readonly Diagnostic[]): readonly Action[] {
  const edits = diagnostics.flatMap(({ edit }) => (edit === undefined ? [] : [edit]));
  const inOrder = edits.toSorted((a, b) => a.span.start - b.span.start);
  const apart: Edit[] = [];
  for (const edit of inOrder) if (edit.span.start >= (apart.at(-1)?.span.end ?? 0)) apart.push(edit);
  return apart.length === 0 ? [] : [{ title: "Change everything that findings name", kind: "fix-all", edits: apart }];
}
