import type { Span } from "../language/index.js";
import type { Diagnostic } from "./diagnostics.js";
import type { EditedDocument } from "./edited-document.js";
import { editsApart, titleOf } from "./edits.js";
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

function mergesAt({ expressions }: EditedDocument, offset: number): readonly Action[] {
  const embedded = embeddedAt(expressions, offset);
  const at = embedded === undefined ? undefined : offsetInExpression(embedded, offset);
  if (embedded === undefined || at === undefined || embedded.inserted.length > 0) return [];
  const merge = mergeAt(embedded.text, at);
  if (merge === undefined) return [];
  const title = `Merge the comparisons of \`${merge.left}\` into one set`;
  return [{ title, kind: "refactor", edits: [embedded.change(merge.span, merge.text)] }];
}

/** All changes that findings name. */
function fixAll(diagnostics: readonly Diagnostic[]): readonly Action[] {
  const edits = editsApart(diagnostics);
  return edits.length === 0 ? [] : [{ title: "Change everything that findings name", kind: "fix-all", edits }];
}
