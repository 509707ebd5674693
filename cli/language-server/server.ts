import {
  DiagnosticSeverity,
  TextDocuments,
  TextDocumentSyncKind,
  type Connection,
  type InitializeParams,
  type InitializeResult,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { diagnosticsOf, type Diagnostic } from "../../editor/diagnostics.js";
import { EditedDocument, kindOf } from "../../editor/edited-document.js";
import type { Surroundings } from "../../editor/findings.js";
import { PLANS, type Plan, type Span } from "../../language/index.js";
import { isObject } from "../../provider/model/json.js";
import type { Diagnostic as WireDiagnostic, Range } from "vscode-languageserver/node";

export interface ServerOptions {
  readonly version: string;
  /** RFC 3339, UTC. */
  readonly now: () => string;
}

const SEVERITIES = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
} as const;

/** A document of a version, and what was found in it. */
interface Known {
  readonly version: number;
  readonly edited: EditedDocument | undefined;
  diagnostics?: readonly Diagnostic[];
}

/** Answers an editor: what it has open is read here and nowhere else. */
export class LanguageServer {
  private readonly documents = new TextDocuments(TextDocument);
  private readonly known = new Map<string, Known>();
  /** Documents whose findings the editor waits for. */
  private readonly waiting = new Set<string>();
  private plan: Plan | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly options: ServerOptions,
  ) {
    connection.onInitialize((params) => this.initialize(params));
    this.documents.onDidChangeContent(({ document }) => {
      this.publishLater(document.uri);
    });
    this.documents.onDidClose(({ document }) => {
      this.known.delete(document.uri);
      this.waiting.delete(document.uri);
      void connection.sendDiagnostics({ uri: document.uri, diagnostics: [] });
    });
  }

  listen(): void {
    this.documents.listen(this.connection);
    this.connection.listen();
  }

  private initialize({ initializationOptions }: InitializeParams): InitializeResult {
    this.plan = planIn(initializationOptions);
    return {
      serverInfo: { name: "pulumi-rulesets", version: this.options.version },
      capabilities: { textDocumentSync: TextDocumentSyncKind.Incremental },
    };
  }

  private get surroundings(): Surroundings {
    return { plan: this.plan, now: this.options.now() };
  }

  /** What is known about a document in its present version. */
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

  /** Publishes the findings when every message that has arrived is read, so that fast typing costs one check. */
  private publishLater(uri: string): void {
    const isFirst = !this.waiting.has(uri);
    this.waiting.add(uri);
    if (isFirst)
      setImmediate(() => {
        this.publishWhenIdle(uri, -1);
      });
  }

  private publishWhenIdle(uri: string, seen: number): void {
    const document = this.documents.get(uri);
    if (document === undefined || !this.waiting.has(uri)) return;
    if (document.version !== seen) {
      setImmediate(() => {
        this.publishWhenIdle(uri, document.version);
      });
      return;
    }
    this.waiting.delete(uri);
    const diagnostics = this.diagnosticsOf(document).map((one) => toWire(document, one));
    void this.connection.sendDiagnostics({ uri, version: document.version, diagnostics });
  }

  private diagnosticsOf(document: TextDocument): readonly Diagnostic[] {
    const known = this.knownOf(document);
    if (known.edited === undefined) return [];
    known.diagnostics ??= diagnosticsOf(known.edited, this.surroundings);
    return known.diagnostics;
  }
}

function toWire(document: TextDocument, { span, level, name, message }: Diagnostic): WireDiagnostic {
  return {
    range: rangeOf(document, span),
    severity: SEVERITIES[level],
    source: "pulumi-rulesets",
    ...(name === undefined ? {} : { code: name }),
    message,
  };
}

function rangeOf(document: TextDocument, { start, end }: Span): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}

function planIn(settings: unknown): Plan | undefined {
  const named = isObject(settings) ? settings.plan : undefined;
  return PLANS.find((plan) => plan === named);
}
