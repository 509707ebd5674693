import { createConnection } from "vscode-languageserver/node";
import { LanguageServer } from "./server.js";

interface RunOptions {
  readonly version: string;
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Serves an editor until it says goodbye. */
export function runLanguageServer({ version, input, output }: RunOptions): void {
  new LanguageServer(createConnection(input, output), { version, now: () => new Date().toISOString() }).listen();
}
