import { diagnosticsOf } from "../../../tools/editor/diagnostics.js";
import { EditedDocument, kindOf } from "../../../tools/editor/edited-document.js";
import type { Edit } from "../../../tools/editor/embedded/embedded.js";

const NOW = "2026-10-01T00:00:00Z";

/** A document with a cursor, which is written `|`. */
export interface WithCursor {
  readonly document: EditedDocument;
  readonly offset: number;
}

export function documentOf(name: string, text: string): EditedDocument {
  const kind = kindOf(name, text);
  if (kind === undefined) throw new Error(`${name} is none of the documents that are checked`);
  return new EditedDocument(name, text, kind);
}

/** An expression in a document, with a cursor at `|`. */
export function withCursor(expression: string, name = "a.invariants.yaml"): WithCursor {
  const text = name.endsWith(".ts")
    ? `import { expression } from "pulumi-rulesets";\nconst a = expression\`${expression}\`;\n`
    : `invariants:\n  - name: a\n    must: block\n    requests: ${JSON.stringify(expression)}\n`;
  const offset = text.indexOf("|");
  return { document: documentOf(name, text.replace("|", "")), offset };
}

/** The findings as text: what they are about in the document, their name, and what to write instead. */
export function findings(document: EditedDocument, plan?: "free"): string[] {
  return diagnosticsOf(document, { now: NOW, plan }).map(({ span, code = "", message, edit }) => {
    const about = document.text.slice(span.start, span.end);
    const shown = code === "" ? message : code;
    return `${about}: ${shown}${edit === undefined ? "" : ` → ${edit.text}`}`;
  });
}

export function applied(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((a, b) => b.span.start - a.span.start)
    .reduce((all, { span, text: instead }) => all.slice(0, span.start) + instead + all.slice(span.end), text);
}
