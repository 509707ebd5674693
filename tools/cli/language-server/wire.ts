import {
  CodeActionKind,
  CompletionItemKind,
  DiagnosticSeverity,
  InsertTextFormat,
  type CodeAction,
  type CompletionItem,
  type Diagnostic,
  type Range,
  type TextEdit,
} from "vscode-languageserver/node";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { pageOf } from "../../rules-files/check/finding.js";
import type { Action } from "../../editor/actions.js";
import type { Completion } from "../../editor/completion.js";
import type { PlacedFinding } from "../../editor/findings.js";
import type { Edit } from "../../editor/embedded/embedded.js";
import type { Span } from "../../../core/language/index.js";

/* What the protocol calls things: lines instead of offsets, and numbers for kinds. */

const SEVERITIES = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
} as const;

export function rangeOf(document: TextDocument, { start, end }: Span): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}

export function spanOf(document: TextDocument, { start, end }: Range): Span {
  return { start: document.offsetAt(start), end: document.offsetAt(end) };
}

export function editOf(document: TextDocument, { span, text }: Edit): TextEdit {
  return { range: rangeOf(document, span), newText: text };
}

/** @param version of this package, whose page explains the finding */
export function diagnosticOf(document: TextDocument, finding: PlacedFinding, version: string): Diagnostic {
  const { span, severity, code, message } = finding;
  return {
    range: rangeOf(document, span),
    severity: SEVERITIES[severity],
    source: "pulumi-rulesets",
    ...(code === undefined ? {} : { code, codeDescription: { href: pageOf(code, version) } }),
    message,
  };
}

const COMPLETION_KINDS: Readonly<Record<Completion["kind"], CompletionItemKind>> = {
  field: CompletionItemKind.Field,
  function: CompletionItemKind.Function,
  operator: CompletionItemKind.Operator,
  keyword: CompletionItemKind.Keyword,
  list: CompletionItemKind.Reference,
  value: CompletionItemKind.Value,
};

/** @param takesSnippets whether the editor can go on at a place in what it inserts */
export function completionItemOf(item: Completion, range: Range, takesSnippets: boolean): CompletionItem {
  const { label, kind, detail, about, isLast = false, snippet } = item;
  const isSnippet = takesSnippets && snippet !== undefined;
  const plain = snippet?.replace(/\$0.*$/, "").replaceAll("\\$", "$") ?? label;
  return {
    label,
    kind: COMPLETION_KINDS[kind],
    ...(detail === undefined ? {} : { detail }),
    ...(about === undefined ? {} : { documentation: { kind: "markdown", value: about } }),
    sortText: `${isLast ? "1" : "0"}${label}`,
    insertTextFormat: isSnippet ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    textEdit: { range, newText: isSnippet ? snippet : plain },
  };
}

const ACTION_KINDS: Readonly<Record<Action["kind"], CodeActionKind>> = {
  quickfix: CodeActionKind.QuickFix,
  refactor: CodeActionKind.RefactorRewrite,
  "fix-all": `${CodeActionKind.SourceFixAll}.pulumi-rulesets`,
};

export function codeActionOf(document: TextDocument, action: Action, version: string): CodeAction {
  const { title, kind, edits, mends } = action;
  const textDocument = { uri: document.uri, version: document.version };
  return {
    title,
    kind: ACTION_KINDS[kind],
    ...(mends === undefined ? {} : { diagnostics: [diagnosticOf(document, mends, version)] }),
    edit: { documentChanges: [{ textDocument, edits: edits.map((edit) => editOf(document, edit)) }] },
  };
}
