import type { Command } from "commander";
import type { CommandContext } from "../context.js";
import { addAddressOptions, collectValues, exitCodesHelp } from "../options.js";
import type { DriftCommand } from "./command.js";

const HELP = `
Examples:
  npx pulumi-rulesets drift
      the selected stack of the project in this folder
  npx pulumi-rulesets drift --all-stacks --markdown --output drift.md
      every stack of the project
  pulumi stack export --show-secrets | npx pulumi-rulesets drift --state -
      a state, without the project

Credentials are those of a refresh: RULESETS_API_TOKEN if it is set, otherwise the configuration of the last \`pulumi up\`, otherwise
CLOUDFLARE_API_TOKEN. A read-only token is enough.
${exitCodesHelp({
  0: "no drift",
  2: "drift, whether or not everything could be compared",
  3: "no drift was found, but something could not be compared, or a state contains no resources of this package",
})}`;

/** Adds `drift`. */
export function addDrift(program: Command, { print, printNote }: CommandContext): void {
  addAddressOptions(
    program
      .command("drift")
      .description("show changes made outside the stacks; changes nothing")
      .option("-s, --stack <stack>", "a stack of the project in this folder; can be repeated", collectValues)
      .option("--all-stacks", "every stack of the project in this folder")
      .option(
        "--state <file>",
        "output of `pulumi stack export`, or - for standard input; can be repeated",
        collectValues,
      )
      .option("--json", "write JSON")
      .option("--markdown", "write Markdown")
      .option("-o, --output <file>", "write to a file"),
  )
    .addHelpText("after", HELP)
    .action(async (options: DriftCommand) => {
      const { runDrift } = await import("./command.js");
      const context = { print, printNote, folder: process.cwd(), env: process.env };
      process.exitCode = await runDrift(options, context);
    });
}
