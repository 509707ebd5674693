import { join } from "node:path";
import { createConnection } from "vscode-languageserver/node";
import { CheckThread } from "./check-thread.js";
import { LanguageServer } from "./server.js";

interface RunOptions {
  readonly version: string;
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** What the thread for checks runs. @default the file beside this one */
  readonly script?: string;
}

/** Serves an editor until it says goodbye. */
export function runLanguageServer(options: RunOptions): void {
  const { version, input, output, script = join(__dirname, "worker.js") } = options;
  const thread = new CheckThread(script);
  new LanguageServer(createConnection(input, output), {
    version,
    thread,
    now: () => new Date().toISOString(),
  }).listen();
}
