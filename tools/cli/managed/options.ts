import { Option, type Command } from "commander";
import type { CommandContext, ConnectOptions } from "../context.js";
import {
  addConnectionOptions,
  addProgramOptions,
  addZoneSelection,
  collectValues,
  CREDENTIALS_HELP,
  exitCodesHelp,
} from "../options.js";
import { projectFolder } from "../project/folder.js";
import type { Client } from "../../../client/index.js";
import type { DiffCommand, LockCommand } from "./command.js";

/** Adds `managed lock` and `managed diff`. */
export function addManaged(program: Command, context: CommandContext): void {
  const managed = program
    .command("managed")
    .description("show Cloudflare's changes to its managed rulesets, and their effect under a program's overrides");
  addLock(managed, context);
  addDiff(managed, context);
}

function addLock(managed: Command, { print, progress, connect }: CommandContext): void {
  addSources(
    managed
      .command("lock")
      .description("write every rule of the executed managed rulesets to a file, to commit and review")
      .option("-o, --output <file>", "the file; default: managed.lock.json in the folder of the program"),
  )
    .addHelpText(
      "after",
      CREDENTIALS_HELP +
        exitCodesHelp({ 0: "the file is written", 3: "something could not be read; the file is left as it was" }),
    )
    .action(async (options: LockCommand & ConnectOptions) => {
      const { runLock } = await import("./command.js");
      const io = { print, progress: progress() };
      process.exitCode = await runLock(options, connectionOf(options, connect), io);
    });
}

function addDiff(managed: Command, { print, progress, connect }: CommandContext): void {
  addSources(
    managed
      .command("diff")
      .description(
        "compare managed rulesets with the lock file: rules whose effect changed, and overrides that name nothing",
      )
      .option("--lock <file>", "the file; default: managed.lock.json in the folder of the program")
      .option("--json", "write JSON")
      .option("--markdown", "write Markdown")
      .option("-o, --output <file>", "write to a file")
      .addOption(
        new Option(
          "--fail-on <what>",
          "what fails the command: a rule with another effect or an override that names nothing, any difference, or nothing",
        )
          .choices(["effect", "any", "never"])
          .default("effect"),
      ),
  )
    .addHelpText(
      "after",
      CREDENTIALS_HELP +
        exitCodesHelp({
          0: "nothing that --fail-on names",
          2: "a rule behaves differently from the lock, an override names nothing, or a ruleset is not in the lock",
          3: "something could not be read",
        }),
    )
    .action(async (options: DiffCommand & ConnectOptions) => {
      const { runDiff } = await import("./command.js");
      const io = { print, progress: progress() };
      process.exitCode = await runDiff(options, connectionOf(options, connect), io);
    });
}

function connectionOf(options: LockCommand & ConnectOptions, connect: CommandContext["connect"]): () => Client {
  return () => connect(options, { folder: projectFolder(options.program ?? []) });
}

function addSources(command: Command): Command {
  return addProgramOptions(
    addConnectionOptions(
      addZoneSelection(
        command.option(
          "-p, --program <path>",
          "folder of a Pulumi program, or a file of rulesets; can be repeated; default: the program in this folder",
          collectValues,
        ),
        { zone: "ID or name of a zone whose deployed rules are used; can be repeated" },
      ),
    ),
  );
}
