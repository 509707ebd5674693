import {
  CodeActionKind,
  TextDocuments,
  TextDocumentSyncKind,
  type CodeAction,
  type CodeActionParams,
  type CompletionItem,
  type Connection,
  type Hover,
  type InitializeParams,
  type InitializeResult,
  type TextDocumentIdentifier,
  type TextDocumentPositionParams,
  type TextEdit,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { actionsFor } from "../../editor/actions.js";
import { completionsAt } from "../../editor/completion.js";
import { diagnosticsOf } from "../../editor/diagnostics.js";
import type { PlacedFinding } from "../../editor/findings.js";
import { EditedDocument, kindOf } from "../../editor/edited-document.js";
import { formatEdits } from "../../editor/format.js";
import { hoverAt } from "../../editor/hover.js";
import { PLANS, type Plan } from "../../../core/language/index.js";
import { isObject } from "../../../core/model/json.js";
import { codeActionOf, completionItemOf, diagnosticOf, editOf, rangeOf, spanOf } from "./wire.js";

interface ServerOptions {
  readonly version: string;
  /** RFC 3339, UTC. */
  readonly now: () => string;
}

/** A version of a document, and what was found in it. */
interface Known {
  readonly version: number;
  /** Undefined for a document that is none of ours. */
  readonly edited: EditedDocument | undefined;
  diagnostics?: readonly PlacedFinding[];
}

/** How long a document must rest before it is checked, so that of a burst of edits only the last version is. */
const REST_MS = 100;

/** Answers an editor about the documents that it has open. Nothing else is read. */
export class LanguageServer {
  private readonly documents = new TextDocuments(TextDocument);
  private readonly known = new Map<string, Known>();
  /** By document, its next check. */
  private readonly checks = new Map<string, NodeJS.Timeout>();
  private plan: Plan | undefined;
  private takesSnippets = false;

  constructor(
    private readonly connection: Connection,
    private readonly options: ServerOptions,
  ) {
    connection.onInitialize((params) => this.initialize(params));
    connection.onDidChangeConfiguration(({ settings }) => {
      this.setPlan(settings);
    });
    connection.onHover((params) => this.hover(params));
    connection.onCompletion((params) => this.complete(params));
    connection.onDocumentFormatting((params) => this.format(params));
    connection.onCodeAction((params) => this.offerActions(params));
    this.documents.onDidChangeContent(({ document }) => {
      this.publishSoon(document);
    });
    this.documents.onDidClose(({ document }) => {
      this.known.delete(document.uri);
      clearTimeout(this.checks.get(document.uri));
      this.checks.delete(document.uri);
      void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] });
    });
  }

  listen(): void {
    this.documents.listen(this.connection);
    this.connection.listen();
  }

  private initialize({ initializationOptions, capabilities }: InitializeParams): InitializeResult {
    this.plan = planIn(initializationOptions);
    this.takesSnippets = capabilities.textDocument?.completion?.completionItem?.snippetSupport === true;
    return {
      serverInfo: { name: "pulumi-rulesets", version: this.options.version },
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        hoverProvider: true,
        completionProvider: { triggerCharacters: [".", "$", '"', " ", "(", "{"] },
        documentFormattingProvider: true,
        codeActionProvider: {
          codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite, CodeActionKind.SourceFixAll],
        },
      },
    };
  }

  /** Settings are those of this server alone, or of the editor, which has them under its name. */
  private setPlan(settings: unknown): void {
    const own = isObject(settings) && isObject(settings.pulumiRulesets) ? settings.pulumiRulesets : settings;
    this.plan = planIn(own);
    this.known.clear();
    for (const document of this.documents.all()) this.publishSoon(document);
  }

  private hover({ textDocument, position }: TextDocumentPositionParams): Hover | undefined {
    const { document, edited } = this.find(textDocument);
    const found = edited === undefined ? undefined : hoverAt(edited, document.offsetAt(position));
    if (found === undefined) return undefined;
    return { range: rangeOf(document, found.span), contents: { kind: "markdown", value: found.text } };
  }

  private complete({ textDocument, position }: TextDocumentPositionParams): CompletionItem[] {
    const { document, edited } = this.find(textDocument);
    if (edited === undefined) return [];
    const { span, items } = completionsAt(edited, document.offsetAt(position));
    return items.map((item) => completionItemOf(item, rangeOf(document, span), this.takesSnippets));
  }

  private format({ textDocument }: { readonly textDocument: TextDocumentIdentifier }): TextEdit[] {
    const { document, edited } = this.find(textDocument);
    return edited === undefined ? [] : formatEdits(edited).map((edit) => editOf(document, edit));
  }

  private offerActions({ textDocument, range, context }: CodeActionParams): CodeAction[] {
    const { document, edited } = this.find(textDocument);
    if (edited === undefined) return [];
    const actions = actionsFor(edited, this.diagnosticsOf(document), spanOf(document, range));
    const offered = actions.map((action) => codeActionOf(document, action, this.options.version));
    const { only } = context;
    return only === undefined ? offered : offered.filter(({ kind = "" }) => only.some((one) => isWithin(kind, one)));
  }

  /** A document that the editor has open, and what it is; a closed one is empty. */
  private find({ uri }: TextDocumentIdentifier): {
    readonly document: TextDocument;
    readonly edited: EditedDocument | undefined;
  } {
    const document = this.documents.get(uri);
    if (document === undefined) return { document: TextDocument.create(uri, "", 0, ""), edited: undefined };
    return { document, edited: this.knownOf(document).edited };
  }

  /** What is known about the present version of a document. */
  private knownOf(document: TextDocument): Known {
    const { uri, version } = document;
    const before = this.known.get(uri);
    if (before?.version === version) return before;
    const text = document.getText();
    const kind = kindOf(uri, text);
    const known = { version, edited: kind === undefined ? undefined : new EditedDocument(uri, text, kind) };
    this.known.set(uri, known);
    return known;
  }

  private diagnosticsOf(document: TextDocument): readonly PlacedFinding[] {
    const known = this.knownOf(document);
    if (known.edited === undefined) return [];
    return (known.diagnostics ??= diagnosticsOf(known.edited, { plan: this.plan, now: this.options.now() }));
  }

  private publishSoon(document: TextDocument): void {
    clearTimeout(this.checks.get(document.uri));
    const check = setTimeout(() => {
      this.checks.delete(document.uri);
      const { uri, version } = document;
      const diagnostics = this.diagnosticsOf(document).map((one) => diagnosticOf(document, one, this.options.version));
      void this.connection.sendDiagnostics({ uri, version, diagnostics });
    }, REST_MS);
    this.checks.set(document.uri, check);
  }
}

/** Whether a kind of action is one of another: `source.fixAll` contains `source.fixAll.pulumi-rulesets`. */
function isWithin(kind: string, wanted: string): boolean {
  return kind === wanted || kind.startsWith(`${wanted}.`);
}

function planIn(settings: unknown): Plan | undefined {
  const named = isObject(settings) ? settings.plan : undefined;
  return PLANS.find((plan) => plan === named);
}
