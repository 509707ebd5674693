import { Option, type Command } from "commander";
import { SEVERITIES } from "../../../core/language/finding.js";
import type { CommandContext, ConnectOptions } from "../context.js";
import {
  addConnectionOptions,
  addExpiryOption,
  addForbiddenOption,
  addZoneSelection,
  CREDENTIALS_HELP,
  exitCodesHelp,
} from "../options.js";
import type { ReportCommand } from "./command.js";

const HELP = `
Examples:
  npx pulumi-rulesets report --zone shop.example.com
      a table for one zone
  npx pulumi-rulesets report --account <id> --html --output report.html
      a page for every zone of an account
  npx pulumi-rulesets report --all-zones --json --output today.json
      for other programs

A read-only token is enough.
${CREDENTIALS_HELP}${exitCodesHelp({
  0: "no findings at or above --fail-on",
  2: "findings at or above --fail-on",
  3: "a zone or a part of it could not be read",
})}`;

/** Adds `report`. */
export function addReport(program: Command, { print, columns, progress, connect }: CommandContext): void {
  addExpiryOption(
    addForbiddenOption(
      addConnectionOptions(
        addZoneSelection(
          program
            .command("report")
            .description(
              "report what protects zones, what weakens that protection, and which rules have no effect; changes nothing",
            ),
        )
          .option("--json", "write JSON")
          .option("--html", "write a self-contained HTML page")
          .option("-o, --output <file>", "write to a file")
          .addOption(
            new Option("--fail-on <severity>", "lowest severity that fails the command")
              .choices([...SEVERITIES, "never"])
              .default("warning"),
          ),
      ),
    ),
  )
    .addHelpText("after", HELP)
    .action(async (options: ReportCommand & ConnectOptions) => {
      const { runReport } = await import("./command.js");
      const io = { print, columns, progress: progress(), now: Date.now };
      process.exitCode = await runReport(options, () => connect(options), io);
    });
}
