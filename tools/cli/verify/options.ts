import type { Command } from "commander";
import type { CommandContext, ConnectOptions } from "../context.js";
import { addConnectionOptions, CREDENTIALS_HELP, exitCodesHelp } from "../options.js";
import type { VerifyOptions } from "./command.js";

interface Options extends VerifyOptions, ConnectOptions {
  readonly yesZone?: string;
}

const HELP = `
Example:
  npx pulumi-rulesets verify --zone test.example.com --save recording.json
      compares a zone without rules with the emulator and previews, and keeps the answers

It first proves that the service honours dry_run, with one disabled rule in a phase without rules. Only phases without rules are tried,
with disabled rules, so a zone for tests shows most. The recording has no names, IDs or secrets of the zone.
${CREDENTIALS_HELP}${exitCodesHelp({
  0: "every answer that was tried agrees",
  2: "an answer differs",
  3: "dry_run is not honoured, nothing was tried, something has no answer, or a ruleset changed meanwhile",
})}`;

/** Adds `verify`. */
export function addVerify(program: Command, { print, printNote, connect }: CommandContext): void {
  addConnectionOptions(
    program
      .command("verify")
      .description("compare the answers of the service with the emulator's, by dry runs that change nothing")
      .requiredOption("-z, --zone <zone>", "ID or name of the zone")
      .option("--yes-zone <name>", "name of the zone, to run without a terminal")
      .option("--save <file>", "write what the service answered"),
  )
    .addHelpText("after", HELP)
    .action(async (options: Options) => {
      let isStopped = false;
      const stop = (): void => {
        isStopped = true;
        printNote("Stopping after the request under way.");
      };
      process.once("SIGINT", stop).once("SIGTERM", stop);
      const { runVerify } = await import("./command.js");
      const { yesZone } = options;
      process.exitCode = await runVerify(options, {
        connect: (onResponse) => connect(options, { onResponse }),
        consent: {
          ...(yesZone === undefined ? {} : { yesZone }),
          env: process.env,
          stdin: process.stdin,
          stdout: process.stdout,
        },
        print,
        now: () => new Date(),
        isStopped: () => isStopped,
      });
    });
}
