import { Option, type Command } from "commander";
import type { CommandContext, ConnectOptions } from "../context.js";
import { addConnectionOptions, collectValues, exitCodesHelp, OPTIONAL_CREDENTIALS_HELP } from "../options.js";
import type { SummarizeCommand } from "./command.js";

/** Adds `summarize`. */
export function addSummarize(program: Command, { print, printNote, columns, connect }: CommandContext): void {
  addConnectionOptions(
    program
      .command("summarize")
      .description("summarize a preview for reviewers: pulumi preview --json | pulumi-rulesets summarize")
      .argument("[file...]", "output of `pulumi preview --json`, one file per stack; default: standard input")
      .option("--markdown", "write Markdown, for a comment on a pull request")
      .option("--json", "write JSON")
      .option("-o, --output <file>", "write to a file")
      .option("--zone-names", "ask the service for the names of the zones, one request per zone")
      .addOption(
        new Option("--fail-on <change>", "changes that fail the command")
          .choices(["never", "removed", "weakened", "drift"])
          .default("never"),
      )
      .option(
        "--invariants <path>",
        "file of invariants, or a folder with *.invariants.yaml, that must be proved; can be repeated",
        collectValues,
      )
      .option(
        "--allow-unknown",
        "with --fail-on weakened or removed, or --invariants: pass even if something could not be judged",
      ),
  )
    .addHelpText(
      "after",
      `${OPTIONAL_CREDENTIALS_HELP}\n` +
        exitCodesHelp({
          0: "the summary was written",
          2:
            "there is a change that --fail-on names, or for weakened and removed, one that could not be judged; with --invariants: " +
            "one is violated, or is not proved",
          3: "a preview failed, and the summary shows its errors; for drift also if it was made without --refresh",
        }),
    )
    .action(async (paths: readonly string[], options: SummarizeCommand & ConnectOptions) => {
      const { runSummarize } = await import("./command.js");
      process.exitCode = await runSummarize(paths, options, {
        print,
        printNote,
        columns,
        connect: () => connect(options),
        now: new Date(),
      });
    });
}
