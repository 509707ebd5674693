import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { join } from "node:path";
import {
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  PublishDiagnosticsNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type ClientCapabilities,
  type InitializeResult,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type TextDocumentContentChangeEvent,
} from "vscode-languageserver/node";
import { root } from "./support.js";

/** An editor: it starts the built server as a process of its own, and speaks the protocol over its standard streams. */
export class EditorClient {
  readonly connection: ProtocolConnection;
  /** The exit code of the server. */
  readonly ended: Promise<number | null>;
  /** What the server printed besides messages. */
  errors = "";
  private readonly published = new Map<string, PublishDiagnosticsParams>();
  private readonly listeners = new Set<() => void>();

  private constructor(readonly server: ChildProcessWithoutNullStreams) {
    this.ended = new Promise((done) => server.on("close", done));
    server.stderr.on("data", (text: Buffer) => (this.errors += text.toString()));
    this.connection = createProtocolConnection(
      new StreamMessageReader(server.stdout),
      new StreamMessageWriter(server.stdin),
    );
    this.connection.onNotification(PublishDiagnosticsNotification.type, (params) => {
      this.published.set(params.uri, params);
      for (const listener of this.listeners) listener();
    });
    this.connection.listen();
  }

  static async start(
    initializationOptions: unknown = {},
    capabilities: ClientCapabilities = {},
  ): Promise<{ readonly client: EditorClient; readonly result: InitializeResult }> {
    const main = join(root, "dist", "tools", "cli", "main.js");
    const client = new EditorClient(spawn(process.execPath, [main, "language-server", "--stdio"]));
    const result = await client.connection.sendRequest(InitializeRequest.type, {
      processId: process.pid,
      // oxlint-disable-next-line typescript/no-deprecated -- the protocol still requires it
      rootUri: null,
      capabilities,
      initializationOptions,
    });
    await client.connection.sendNotification(InitializedNotification.type, {});
    return { client, result };
  }

  open(uri: string, text: string, languageId = "yaml"): Promise<void> {
    const textDocument = { uri, languageId, version: 1, text };
    return this.connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument });
  }

  change(uri: string, version: number, ...contentChanges: TextDocumentContentChangeEvent[]): Promise<void> {
    return this.connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version },
      contentChanges,
    });
  }

  close(uri: string): Promise<void> {
    return this.connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } });
  }

  /** Waits for findings that are published from now on. */
  forget(uri: string): void {
    this.published.delete(uri);
  }

  /** The version for which something was published last. */
  seen(uri: string): number | undefined {
    return this.published.get(uri)?.version;
  }

  /** What was published for a document in a version. */
  async diagnostics(uri: string, version: number | undefined): Promise<PublishDiagnosticsParams["diagnostics"]> {
    for (;;) {
      const found = this.published.get(uri);
      if (found !== undefined && found.version === version) return found.diagnostics;
      await new Promise<void>((done) => {
        const listener = (): void => {
          this.listeners.delete(listener);
          done();
        };
        this.listeners.add(listener);
      });
    }
  }

  /** Ends the server as the protocol says, and returns its exit code. */
  async stop(): Promise<number | null> {
    await this.connection.sendRequest(ShutdownRequest.type);
    await this.connection.sendNotification(ExitNotification.type);
    const code = await this.ended;
    this.connection.dispose();
    return code;
  }
}

/** The texts of findings with their places, such as `3:17-3:28 warning unknown-field …`. */
export function shown(diagnostics: PublishDiagnosticsParams["diagnostics"]): string[] {
  const levels = ["", "error", "warning", "info", "hint"];
  return diagnostics.map(({ range: { start, end }, severity = 0, code, message }) => {
    const place = `${String(start.line + 1)}:${String(start.character + 1)}-${String(end.line + 1)}:${String(end.character + 1)}`;
    const text = typeof message === "string" ? message : message.value;
    return [place, levels[severity], ...(code === undefined ? [] : [String(code)]), text].join(" ");
  });
}
