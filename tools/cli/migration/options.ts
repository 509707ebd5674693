import type { Command } from "commander";
import type { CommandContext, ConnectOptions } from "../context.js";
import type { MigrationOptions } from "./command.js";
import {
  addConnectionOptions,
  addZonesOptions,
  collectValues,
  CREDENTIALS_HELP,
  exitCodesHelp,
  type ExitCodes,
} from "../options.js";
import type { DeleteOverridesOptions } from "./delete-overrides.js";
import type { VerifyOptions } from "./verify.js";
import type { Command as MigrationCommand } from "./views.js";

const COMMANDS: readonly (readonly [MigrationCommand, string, ExitCodes?])[] = [
  ["status", "show the migration status of each zone", { 0: "the status of every zone is shown" }],
  ["check", "check whether each zone can be migrated, and what blocks it"],
  [
    "plan",
    "show the rules that each zone would get, what is carried over and what is not",
    {
      0: "every zone is ready or migrated",
      2: "a zone is not ready",
      3: "a zone, or a part of its previous WAF, could not be read",
    },
  ],
];

/** Adds `migration status`, `check`, `plan`, `verify` and `delete-overrides`. */
export function addMigration(program: Command, { print, columns, progress, connect }: CommandContext): void {
  const migration = program
    .command("migration")
    .description(
      "plan the migration of zones from the previous WAF to rulesets, and compare the result; only delete-overrides changes anything",
    );

  for (const [name, description, codes] of COMMANDS) {
    addZonesOptions(migration.command(name).description(description), codes)
      .option("--markdown", "write Markdown")
      .action(async (options: MigrationOptions & ConnectOptions) => {
        const { runMigration } = await import("./command.js");
        const io = { print, columns, progress: progress() };
        process.exitCode = await runMigration(name, options, () => connect(options), io);
      });
  }

  addConnectionOptions(
    migration
      .command("verify")
      .description("compare page rules and other previous features with the rules that are deployed in their place")
      .requiredOption("-z, --zone <zone>", "ID or name of a zone; can be repeated", collectValues)
      .option("--parallel <zones>", "how many zones to read in parallel", "4"),
  )
    .addHelpText(
      "after",
      CREDENTIALS_HELP +
        exitCodesHelp({
          0: "the deployed rules do what the previous features do",
          2: "they do not, or it is not proved",
          3: "a zone could not be read",
        }),
    )
    .action(async (options: VerifyOptions & ConnectOptions) => {
      const { verifyMigration } = await import("./verify.js");
      const io = { print, progress: progress() };
      process.exitCode = await verifyMigration(options, () => connect(options), io);
    });

  addConnectionOptions(
    migration
      .command("delete-overrides")
      .description("list the URI-based overrides, which block a migration; with --yes, delete them")
      .requiredOption("-z, --zone <zone>", "ID or name of a zone; can be repeated", collectValues)
      .option("--yes", "delete them, one at a time; if the run stops early, run it again to continue")
      .option("--backup <file>", "first save them to a new file, as JSON"),
  )
    .addHelpText(
      "after",
      CREDENTIALS_HELP +
        exitCodesHelp({
          0: "no overrides are left",
          2: "overrides were found; run again with --yes to delete them",
          3: "a zone could not be read, or an override could not be deleted",
        }),
    )
    .action(async (options: DeleteOverridesOptions & ConnectOptions) => {
      const { deleteOverrides } = await import("./delete-overrides.js");
      process.exitCode = await deleteOverrides(options, () => connect(options), print);
    });
}
