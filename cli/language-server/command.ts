import { createConnection } from "vscode-languageserver/node";
import { LanguageServer } from "./server.js";

/** Serves an editor until it says goodbye. */
export function runLanguageServer(version: string, input: NodeJS.ReadableStream, output: NodeJS.WritableStream): void {
  new LanguageServer(createConnection(input, output), { version, now: () => new Date().toISOString() }).listen();
}
