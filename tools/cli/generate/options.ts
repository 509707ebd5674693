import { join } from "node:path";
import type { Command } from "commander";
import type { CommandContext, ConnectOptions } from "../context.js";
import { addConnectionOptions, addZoneSelection, collectValues, CREDENTIALS_HELP, exitCodesHelp } from "../options.js";
import type { GenerateOptions } from "./command.js";

const HELP = `
Examples:
  npx pulumi-rulesets generate --zone shop.example.com
      prints the program for one zone
  npx pulumi-rulesets generate --account <id> --all-zones --out infra
      writes a project with a file for the account and one for each of its zones
  npx pulumi-rulesets generate --all-zones --phase http_ratelimit --out limits
      only the rate limits, of every zone that the credentials can access
  npx pulumi-rulesets generate --account <id> --all-zones --import-file all.json
      lists everything of an account for \`pulumi import --file all.json\`, which writes the program in any language
  terraform show -json | npx pulumi-rulesets generate --from - --out infra
      a program for what a Terraform or OpenTofu state manages, and how to remove it from that state
  pulumi stack export | npx pulumi-rulesets generate --from -
      the same for resources of @pulumi/cloudflare
  npx pulumi-rulesets generate --zone shop.example.com --from-legacy --out infra
      also rules that replace page rules and other previous features, and MIGRATION.md, which says how to switch

The first \`pulumi up\` of the program takes everything over and writes nothing.
A read-only token is enough.
${CREDENTIALS_HELP}${exitCodesHelp({
  0: "everything is in the program",
  2: "something was left out, or a secret has to be set",
  3: "a zone could not be read",
})}`;

/** Adds \`generate\`. */
export function addGenerate(program: Command, { own, print, printNote, progress, connect }: CommandContext): void {
  addConnectionOptions(
    addZoneSelection(
      program
        .command("generate")
        .description("write the Pulumi program for existing rulesets; changes nothing at the service"),
      {
        account: "the entry points, custom rulesets and lists of an account; can be repeated",
        allZones: "every zone of the given accounts, or every zone that the credentials can access",
      },
    )
      .option(
        "--from <file>",
        "read another tool's state instead of the service; - for standard input; can be repeated",
        collectValues,
      )
      .option(
        "--from-legacy",
        "also write the rules that replace page rules, user agent rules, lockdowns, access rules and previous rate limits, and compare them",
      )
      .option("--disabled", "with --from-legacy: declare these rules disabled")
      .option("--phase <phase>", "only the rulesets of this phase; can be repeated", collectValues)
      .option("--no-certificates", "leave out custom hostnames and Total TLS")
      .option("--no-lists", "leave out the lists of accounts")
      .option("-o, --out <folder>", "write a whole project into this folder; without it the program is printed")
      .option(
        "--import-file <file>",
        "write a file for `pulumi import --file` instead of a program, for resources of the provider plugin",
      )
      .option("--json", "write JSON: the files, what was left out, and why"),
  )
    .addHelpText("after", HELP)
    .action(async (options: GenerateOptions & ConnectOptions) => {
      const { generate } = await import("./command.js");
      process.exitCode = await generate(options, () => connect(options), {
        print,
        printNote,
        progress: progress(),
        version: own.version,
        own: join(__dirname, "..", "..", "..", ".."),
        sdk: own.peerDependencies["@pulumi/pulumi"],
      });
    });
}
