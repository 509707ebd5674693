import type { Command } from "commander";
import type { CommandContext } from "../context.js";

/** Adds `language-server`. */
export function addLanguageServer(program: Command, { own }: CommandContext): void {
  program
    .command("language-server")
    .description("tell an editor what is wrong with rules, tests and invariants, and what their names mean")
    .option("--stdio", "speak over standard input and output, which is the only way")
    .addHelpText(
      "after",
      `
An editor starts it; see docs/editor.md. It speaks the Language Server Protocol, reads no files and needs no credentials.

Exit codes:
  0  the editor has ended it
  1  the editor has gone away without ending it`,
    )
    .action(async () => {
      const { runLanguageServer } = await import("./command.js");
      runLanguageServer({ version: own.version, input: process.stdin, output: process.stdout });
    });
}
