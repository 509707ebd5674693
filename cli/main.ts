#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Command, Option } from "commander";
import { connect, type ConnectOptions } from "./connect.js";
import { progressBar, type FleetOptions } from "./fleet.js";
import { runCertificateReport, type ReportOptions } from "./certificates/command.js";
import { runMigration } from "./migration/command.js";
import { deleteOverrides, type DeleteOverridesOptions } from "./migration/delete-overrides.js";
import type { Command as MigrationCommand } from "./migration/views.js";
import { runEmulator, type EmulatorCommand } from "./emulator.js";
import { runDoctor, type DoctorCommand } from "./doctor/command.js";
import type { OwnPackage } from "./doctor/facts.js";
import { addGenerate } from "./generate/options.js";
import { addReport } from "./report/options.js";
import { addRulesCommands } from "./rules/commands.js";
import { runSummarize, type SummarizeCommand } from "./summarize/command.js";
import { addVersionsCommands } from "./versions/commands.js";

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** The package this file lies in, at `dist/cli/`. */
function readPackage(): OwnPackage {
  return JSON.parse(readFileSync(join(__dirname, "..", "..", "package.json"), "utf8")) as OwnPackage;
}

const own = readPackage();
const { version, peerDependencies } = own;

const program = new Command("pulumi-rulesets")
  .description("Rulesets of the Cloudflare API v4: companion tools of the Pulumi package")
  .version(version)
  .showHelpAfterError();

program
  .command("emulator")
  .description("run the rulesets service on this machine, for trying and testing stacks offline")
  .option("-p, --port <number>", "port to listen on; 0 picks a free one", "8787")
  .option("--host <address>", "loopback address to bind to", "127.0.0.1")
  .option("--state <file>", "keep everything in this file across restarts")
  .option("--keep-versions <number>", "versions of each ruleset to keep", "100")
  .option("--keep-requests <number>", "requests to keep in the log", "50000")
  .option("--keep-events <number>", "security events to keep", "10000")
  .option("--edge-port <number>", "serve HTTP as the zones would, on this port; 0 picks a free one")
  .option("--origin <url>", "where the edge sends requests that no rule stops; without it they are echoed")
  .option("--seed <file>", "start with what this JSON file describes")
  .option("--token <token>", "accept only this token")
  .action((options: EmulatorCommand) => runEmulator(options, print));

const migration = program
  .command("migration")
  .description(
    "the migration of zones from the previous WAF to rulesets; everything except delete-overrides only reads",
  );

const printNote = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const FLEET: readonly (readonly [MigrationCommand, string])[] = [
  ["status", "the migration status of each zone"],
  ["check", "whether each zone can be migrated, and what blocks it"],
  ["plan", "the report of each zone: the rules it gets, what is carried over and what is not"],
];
for (const [name, description] of FLEET) {
  fleetOptions(migration.command(name).description(description)).action(
    async (options: FleetOptions & ConnectOptions) => {
      const io = { print, progress: progressBar(process.stderr) };
      process.exitCode = await runMigration(name, options, connect(options, process.env, printNote), io);
    },
  );
}

connected(
  migration
    .command("delete-overrides")
    .description("URI-based overrides, which block a migration: lists them, and deletes them with --yes")
    .requiredOption("-z, --zone <zone>", "ID or name of a zone; can be repeated", collect)
    .option("--yes", "delete them, one at a time; a second run continues with the rest")
    .option("--backup <file>", "back them up to a new file first, as JSON"),
)
  .addHelpText(
    "after",
    exitCodes(
      "0 none is left, 2 some are listed and not deleted",
      "3 a zone could not be read or an override could not be deleted",
    ),
  )
  .action(async (options: DeleteOverridesOptions & ConnectOptions) => {
    process.exitCode = await deleteOverrides(options, connect(options, process.env, printNote), print);
  });

const certificates = program
  .command("certificates")
  .description("certificates of zones and the change of their chain; reads only, and changes nothing");

fleetOptions(certificates.command("report"), "0 no action needed or all of it acknowledged, 2 action needed")
  .description("check every certificate against the rules and the timeline of the chain change")
  .option("--html", "write a self-contained HTML page")
  .option("--date <day>", "day to assess, such as 2024-09-30; today unless given")
  .option("--acknowledged <file>", "JSON file of acknowledged findings, which do not affect the exit code")
  .action(async (options: ReportOptions & ConnectOptions) => {
    const io = { print, progress: progressBar(process.stderr) };
    process.exitCode = await runCertificateReport(options, connect(options, process.env, printNote), io);
  });

addRulesCommands(program, {
  print,
  version,
  connect: (options) => connect(options, process.env, printNote),
  connected,
  collect,
});

addGenerate(program, {
  io: () => ({
    print,
    printNote,
    progress: progressBar(process.stderr),
    version,
    sdk: peerDependencies["@pulumi/pulumi"],
  }),
  connect: (options) => connect(options, process.env, printNote),
  connected,
  collect,
});

addReport(program, {
  io: () => ({ print, progress: progressBar(process.stderr), now: Date.now }),
  connect: (options) => connect(options, process.env, printNote),
  connected,
  collect,
});

connected(
  program
    .command("summarize")
    .description(
      "what a preview would change, for people who review it: pulumi preview --json | pulumi-rulesets summarize",
    )
    .argument("[file...]", "output of `pulumi preview --json`, one file per stack; standard input unless given")
    .option("--markdown", "write Markdown, for a comment on a pull request")
    .option("--json", "write JSON")
    .option("-o, --output <file>", "write to a file")
    .option("--budget <characters>", "longest Markdown; rules that do not fit are left out and counted", "60000")
    .option("--marker <text>", "name of the comment in its first, invisible line; the stacks' names unless given")
    .option("--zone-names", "ask the service for the names of the zones, one request per zone")
    .addOption(
      new Option("--fail-on <change>", "what fails the command")
        .choices(["never", "removed", "weakened"])
        .default("never"),
    ),
)
  .addHelpText(
    "after",
    "\nOnly --zone-names needs credentials, from CLOUDFLARE_API_TOKEN or RULESETS_API_TOKEN." +
      "\nExit code: 0 summarized, 2 what --fail-on names was found, 3 a preview failed, 1 anything else.",
  )
  .action(async (paths: readonly string[], options: SummarizeCommand & ConnectOptions) => {
    process.exitCode = await runSummarize(paths, options, {
      print,
      printNote,
      connect: () => connect(options, process.env, printNote),
    });
  });
addVersionsCommands(program, { print, connect: (options) => connect(options, process.env, printNote), connected });

connected(
  program
    .command("doctor")
    .description(
      "check what a run needs: versions, credentials, connection to the service, permissions; changes nothing",
    )
    .option("-z, --zone <zone>", "ID or name of a zone in which to check the permissions; can be repeated", collect)
    .option("-a, --account <id>", "the same for an account; can be repeated", collect)
    .option("--dry-run", "check write permissions with dry runs, if the service supports them")
    .option("--json", "write JSON")
    .option("-o, --output <file>", "write to a file"),
)
  .addHelpText(
    "after",
    "\nThe output contains no secrets.\nExit code: 0 nothing fails, 2 something does, 1 anything else.",
  )
  .action(async (options: DoctorCommand & ConnectOptions) => {
    process.exitCode = await runDoctor(options, {
      print,
      connect: (onAnswer) => connect(options, process.env, printNote, onAnswer),
      folder: process.cwd(),
      own,
      env: process.env,
      now: Date.now,
    });
  });

/** What every command over many zones takes. */
function fleetOptions(command: Command, codes = "0 every zone is ready or migrated, 2 one is not ready"): Command {
  return connected(
    command
      .option("-z, --zone <zone>", "ID or name of a zone; can be repeated", collect)
      .option("-a, --account <id>", "every zone of an account; can be repeated", collect)
      .option("--json", "write JSON")
      .option("--markdown", "write Markdown")
      .option("-o, --output <file>", "write to a file")
      .option("--parallel <number>", "zones read in parallel", "4"),
  ).addHelpText("after", exitCodes(codes));
}

/** What every command that talks to the service takes. */
function connected(command: Command): Command {
  return command
    .option("--base-url <url>", "address of the API, with /client/v4")
    .option("--requests-per-second <number>", "sustained request rate; by default just under the service's limit");
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

function exitCodes(codes: string, failed = "3 a zone could not be read"): string {
  return `\nCredentials come from CLOUDFLARE_API_TOKEN or RULESETS_API_TOKEN.\nExit code: ${codes}, ${failed}, 1 anything else.`;
}

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`pulumi-rulesets: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
