import type { Command } from "commander";
import type { CommandContext, ConnectOptions } from "../context.js";
import { addConnectionOptions, CREDENTIALS_HELP, exitCodesHelp } from "../options.js";
import type { DeleteOptions } from "./delete/command.js";
import type { ReadOptions } from "./read/command.js";
import type { RestoreOptions } from "./restore/command.js";

/** Adds `versions list`, `show`, `diff`, `delete` and `restore`. */
export function addVersions(program: Command, context: CommandContext): void {
  const versions = program
    .command("versions")
    .description("view and restore versions of a ruleset; only delete and restore write, and only with --yes");
  addReads(versions, context);
  addDelete(versions, context);
  addRestore(versions, context);
}

/** The options that select a ruleset. */
function addRulesetOptions(command: Command): Command {
  return addConnectionOptions(
    command
      .option("-z, --zone <zone>", "ID or name of the zone")
      .option("-a, --account <id>", "ID of the account")
      .option("-r, --ruleset <id>", "ID of the ruleset")
      .option("-p, --phase <phase>", "the entry point of this phase"),
  ).addHelpText("after", CREDENTIALS_HELP.trimEnd());
}

function addReads(versions: Command, { print, columns, connect }: CommandContext): void {
  const readCommand = (command: Command): Command =>
    addRulesetOptions(command)
      .option("--json", "write JSON")
      .option("-o, --output <file>", "write to a file")
      .addHelpText("after", exitCodesHelp({ 0: "success" }));
  readCommand(versions.command("list").description("list all versions, newest first")).action(
    async (options: ReadOptions & ConnectOptions) => {
      const { runList } = await import("./read/command.js");
      process.exitCode = await runList(options, () => connect(options), { print, columns });
    },
  );
  readCommand(
    versions
      .command("show")
      .description("show one version with its rules")
      .argument("<version>", "number of the version"),
  )
    .option("--typescript", "write the rules for a program's list of rules")
    .action(async (version: string, options: ReadOptions & ConnectOptions) => {
      const { runShow } = await import("./read/command.js");
      process.exitCode = await runShow(version, options, () => connect(options), print);
    });
  readCommand(
    versions.command("diff").description("show how two versions differ, rule by rule, and what that does to requests"),
  )
    .argument("<from>", "number of the first version")
    .argument("<to>", "number of the second version")
    .action(async (from: string, to: string, options: ReadOptions & ConnectOptions) => {
      const { runDiff } = await import("./read/command.js");
      process.exitCode = await runDiff([from, to], options, () => connect(options), print);
    });
}

function addDelete(versions: Command, { print, connect }: CommandContext): void {
  addRulesetOptions(versions.command("delete").description("delete versions permanently, never the current one"))
    .argument("<version...>", "numbers of the versions")
    .option("--yes", "delete them, one at a time; otherwise, they are only listed")
    .addHelpText(
      "after",
      exitCodesHelp({
        0: "no versions are left to delete",
        2: "the versions were listed; run again with --yes to delete them",
        3: "a version could not be deleted",
      }),
    )
    .action(async (named: readonly string[], options: DeleteOptions & ConnectOptions) => {
      const { deleteVersions } = await import("./delete/command.js");
      process.exitCode = await deleteVersions(named, options, () => connect(options), print);
    });
}

function addRestore(versions: Command, { print, openSession }: CommandContext): void {
  addRulesetOptions(
    versions.command("restore").description("restore the content of an earlier version, as a new version"),
  )
    .argument("<version>", "number of the version")
    .option("--if-current <version>", "stop if the current version is not this one")
    .option("--yes", "write it; default: only show the difference")
    .addHelpText(
      "after",
      exitCodesHelp({
        0: "the ruleset has the content of that version",
        2: "the difference was shown; run again with --yes to write it",
        3: "the ruleset has changed since it was shown, the write failed, or it overwrote another change",
      }),
    )
    .action(async (version: string, options: RestoreOptions & ConnectOptions) => {
      const { restoreVersion } = await import("./restore/command.js");
      process.exitCode = await restoreVersion(version, options, () => openSession(options), print);
    });
}
