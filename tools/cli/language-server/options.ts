import type { Command } from "commander";
import type { CommandContext } from "../context.js";

/** Adds `language-server`. */
export function addLanguageServer(program: Command, { own }: CommandContext): void {
  program
    .command("language-server")
    .description("show findings and explanations of rules, tests and invariants in an editor")
    .option("--stdio", "use standard input and output, the only transport")
    .addHelpText(
      "after",
      `
An editor starts it; see docs/editor.md. It speaks the Language Server Protocol, reads no files and needs no credentials.

Exit codes:
  0  the editor ended it
  1  the editor quit without ending it`,
    )
    .action(async () => {
      const { runLanguageServer } = await import("./command.js");
      runLanguageServer({ version: own.version, input: process.stdin, output: process.stdout });
    });
}
