#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Command, Option } from "commander";
import type { ReportOptions } from "./certificates/command.js";
import type { ConnectOptions } from "./connect.js";
import type { CommandContext } from "./context.js";
import type { DoctorCommand } from "./doctor/command.js";
import type { OwnPackage } from "./doctor/facts.js";
import type { EmulatorCommand } from "./emulator.js";
import type { FleetOptions } from "./fleet.js";
import { addDrift } from "./drift/options.js";
import { addGenerate } from "./generate/options.js";
import type { DeleteOverridesOptions } from "./migration/delete-overrides.js";
import type { Command as MigrationCommand } from "./migration/views.js";
import { addConnectionOptions, addFleetOptions, collectValues, CREDENTIALS_HELP, exitCodesHelp } from "./options.js";
import { progressBar } from "./progress.js";
import { addReport } from "./report/options.js";
import { addRulesCommands } from "./rules/commands.js";
import type { SummarizeCommand } from "./summarize/command.js";
import { addVersionsCommands } from "./versions/commands.js";

const load = createRequire(__filename);

/** The package this file lies in, at `dist/cli/`. */
function readPackage(): OwnPackage {
  return JSON.parse(readFileSync(join(__dirname, "..", "..", "package.json"), "utf8")) as OwnPackage;
}

const context: CommandContext = {
  own: readPackage(),
  print: (line) => {
    process.stdout.write(`${line}\n`);
  },
  printNote: (line) => {
    process.stderr.write(`${line}\n`);
  },
  progress: () => progressBar(process.stderr),
  connect: (options, connection) => {
    const { connect } = load("./connect.js") as typeof import("./connect.js");
    return connect(options, process.env, printNote, connection);
  },
  openSession: (options) => {
    const { openSession } = load("./connect.js") as typeof import("./connect.js");
    return openSession(options, process.env, { print, printNote });
  },
};
const { own, print, printNote, connect } = context;

// A reader such as `head` may close the output early. The command still ends with its exit code.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

const program = new Command("pulumi-rulesets")
  .description("Command-line tools for Cloudflare rulesets, alongside the Pulumi package")
  .version(own.version)
  .showHelpAfterError("To see the usage, run the command with --help.");

program
  .command("emulator")
  .description("run the rulesets service on this machine, for trying and testing stacks offline")
  .option("-p, --port <number>", "port to listen on; 0 picks a free one", "8787")
  .option("--host <address>", "loopback address to bind to", "127.0.0.1")
  .option("--state <file>", "keep everything in this file across restarts; default: in memory only")
  .option("--keep-versions <number>", "versions of each ruleset to keep", "100")
  .option("--keep-requests <number>", "requests to keep in the log", "50000")
  .option("--keep-events <number>", "security events to keep", "10000")
  .option("--edge-port <number>", "serve HTTP as the zones would, on this port; 0 picks a free one")
  .option("--origin <url>", "where the edge sends requests that no rule stops; without it they are echoed")
  .option("--dns-port <number>", "serve the CAA records of the seed over DNS, on this UDP port; 0 picks a free one")
  .option("--seed <file>", "start with what this JSON file describes")
  .option("--token <token>", "accept only this token")
  .action(async (options: EmulatorCommand) => {
    const { runEmulator } = load("./emulator.js") as typeof import("./emulator.js");
    await runEmulator(options, print);
  });

const migration = program
  .command("migration")
  .description("plan the migration of zones from the previous WAF to rulesets; only delete-overrides changes anything");

const FLEET: readonly (readonly [MigrationCommand, string])[] = [
  ["status", "show the migration status of each zone"],
  ["check", "check whether each zone can be migrated, and what blocks it"],
  ["plan", "show the rules that each zone would get, what is carried over and what is not"],
];
for (const [name, description] of FLEET) {
  addFleetOptions(migration.command(name).description(description)).action(
    async (options: FleetOptions & ConnectOptions) => {
      const { runMigration } = load("./migration/command.js") as typeof import("./migration/command.js");
      const io = { print, progress: context.progress() };
      process.exitCode = await runMigration(name, options, () => connect(options, { forecasts: true }), io);
    },
  );
}

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
    const { deleteOverrides } = load(
      "./migration/delete-overrides.js",
    ) as typeof import("./migration/delete-overrides.js");
    process.exitCode = await deleteOverrides(options, () => connect(options), print);
  });

const certificates = program
  .command("certificates")
  .description("report how the chain change affects certificates; changes nothing");

addFleetOptions(certificates.command("report"), {
  0: "no action needed, or every finding acknowledged",
  2: "action needed",
})
  .description("check every certificate against the rules and the timeline of the chain change")
  .option("--html", "write a self-contained HTML page")
  .option("--date <day>", "day to assess, such as 2024-09-30; default: today")
  .option(
    "--dns-server <address>",
    "IP address of the DNS server that looks up CAA records; default: the machine's own",
  )
  .option("--acknowledged <file>", "JSON file of acknowledged findings, which do not affect the exit code")
  .action(async (options: ReportOptions & ConnectOptions) => {
    const { runCertificateReport } = load("./certificates/command.js") as typeof import("./certificates/command.js");
    const { caaLookups } = load("./certificates/caa-lookups.js") as typeof import("./certificates/caa-lookups.js");
    const io = { print, progress: context.progress(), resolveCaa: caaLookups(options, process.env) };
    process.exitCode = await runCertificateReport(options, () => connect(options, { forecasts: true }), io);
  });

addRulesCommands(program, context);
addGenerate(program, context);
addReport(program, context);

addConnectionOptions(
  program
    .command("summarize")
    .description("summarize a preview for reviewers: pulumi preview --json | pulumi-rulesets summarize")
    .argument("[file...]", "output of `pulumi preview --json`, one file per stack; default: standard input")
    .option("--markdown", "write Markdown, for a comment on a pull request")
    .option("--json", "write JSON")
    .option("-o, --output <file>", "write to a file")
    .option("--budget <characters>", "maximum length of the Markdown; rules that do not fit are only counted", "60000")
    .option("--marker <text>", "identifies the comment, in its invisible first line; default: the names of the stacks")
    .option("--zone-names", "ask the service for the names of the zones, one request per zone")
    .addOption(
      new Option("--fail-on <change>", "changes that fail the command")
        .choices(["never", "removed", "weakened", "drift"])
        .default("never"),
    )
    .option("--allow-unknown", "with --fail-on weakened: pass although something could not be judged"),
)
  .addHelpText(
    "after",
    "\nOnly --zone-names needs credentials, from CLOUDFLARE_API_TOKEN or RULESETS_API_TOKEN.\n" +
      exitCodesHelp({
        0: "the summary was written",
        2: "there is a change that --fail-on names, or for weakened, one that could not be judged",
        3: "a preview failed; the summary shows its errors",
      }),
  )
  .action(async (paths: readonly string[], options: SummarizeCommand & ConnectOptions) => {
    const { runSummarize } = load("./summarize/command.js") as typeof import("./summarize/command.js");
    process.exitCode = await runSummarize(paths, options, { print, printNote, connect: () => connect(options) });
  });

addDrift(program, context);
addVersionsCommands(program, context);

addConnectionOptions(
  program
    .command("doctor")
    .description(
      "check what a run needs: versions, credentials, connection to the service, permissions; changes nothing",
    )
    .option(
      "-z, --zone <zone>",
      "ID or name of a zone in which to check the permissions; can be repeated",
      collectValues,
    )
    .option("-a, --account <id>", "ID of an account in which to check the permissions; can be repeated", collectValues)
    .option(
      "-s, --stack <name>",
      "the stack whose credentials to check, too; default: the selected one, or the only one",
    )
    .option("--dry-run", "check write permissions with dry runs, if the service supports them")
    .option("--json", "write JSON")
    .option("-o, --output <file>", "write to a file"),
)
  .addHelpText(
    "after",
    "\nThe output contains no secrets.\n" + exitCodesHelp({ 0: "no failures", 2: "at least one failure" }),
  )
  .action(async (options: DoctorCommand & ConnectOptions) => {
    const { runDoctor } = load("./doctor/command.js") as typeof import("./doctor/command.js");
    process.exitCode = await runDoctor(options, {
      print,
      // One retry covers a dropped connection; with more, the user waits long to hear that nothing answers.
      connect: (config, onResponse) => connect(options, { config, onResponse, maxRetries: 1 }),
      folder: process.cwd(),
      own,
      env: process.env,
      now: Date.now,
    });
  });

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`pulumi-rulesets: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
