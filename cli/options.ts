import type { Command } from "commander";

/** What every command over many zones takes. */
export function addFleetOptions(
  command: Command,
  codes = "0 every zone is ready or migrated, 2 one is not ready",
): Command {
  return addConnectionOptions(
    command
      .option("-z, --zone <zone>", "ID or name of a zone; can be repeated", collectValues)
      .option("-a, --account <id>", "every zone of an account; can be repeated", collectValues)
      .option("--json", "write JSON")
      .option("--markdown", "write Markdown")
      .option("-o, --output <file>", "write to a file")
      .option("--parallel <number>", "zones read in parallel", "4"),
  ).addHelpText("after", exitCodesHelp(codes));
}

/** What every command that talks to the service takes. */
export function addConnectionOptions(command: Command): Command {
  return command
    .option("--base-url <url>", "address of the API, with /client/v4")
    .option("--requests-per-second <number>", "sustained request rate; by default just under the service's limit");
}

/** For options that can be repeated. */
export function collectValues(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** The end of the help of a command that calls the service. */
export function exitCodesHelp(codes: string, failed = "3 a zone could not be read"): string {
  return `\nCredentials come from CLOUDFLARE_API_TOKEN or RULESETS_API_TOKEN.\nExit code: ${codes}, ${failed}, 1 anything else.`;
}
