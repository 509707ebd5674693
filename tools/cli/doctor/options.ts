import type { Command } from "commander";
import type { CommandContext, ConnectOptions } from "../context.js";
import { addAddressOptions, collectValues, exitCodesHelp } from "../options.js";
import type { DoctorCommand } from "./command.js";

/** Adds `doctor`. */
export function addDoctor(program: Command, { own, print, columns, connect }: CommandContext): void {
  addAddressOptions(
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
      .option(
        "-a, --account <id>",
        "ID of an account in which to check the permissions; can be repeated",
        collectValues,
      )
      .option(
        "-s, --stack <name>",
        "stack whose credentials are checked too; default: the selected one, or the only one",
      )
      .option(
        "-p, --program <path>",
        "folder of a program: derive which permissions it needs; can be repeated",
        collectValues,
      )
      .option("--preview <file>", "the same from the output of pulumi preview --json; can be repeated", collectValues)
      .option(
        "-c, --config <key=value>",
        "setting for the program; overrides the stack's; can be repeated",
        collectValues,
      )
      .option("--mocks <file>", "module with mocks for other providers of the program: { newResource, call }")
      .option("--json", "write JSON")
      .option("-o, --output <file>", "write to a file"),
  )
    .addHelpText(
      "after",
      `
The credentials are those of a run: RULESETS_API_TOKEN if it is set, otherwise the stack's, otherwise CLOUDFLARE_API_TOKEN.
The output contains no secrets.
` + exitCodesHelp({ 0: "no failures", 2: "at least one failure" }),
    )
    .action(async (options: DoctorCommand & ConnectOptions) => {
      const { runDoctor } = await import("./command.js");
      process.exitCode = await runDoctor(options, {
        print,
        columns,
        // One retry covers a dropped connection; with more, the user waits long to hear that nothing answers.
        connect: (config, onResponse) => connect(options, { config, onResponse, maxRetries: 1 }),
        folder: process.cwd(),
        own,
        env: process.env,
        now: Date.now,
      });
    });
}
