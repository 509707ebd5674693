import type { Command } from "commander";
import { DAYS, EXPIRY_WARNING_DAYS, isWithin, rangeText } from "../../core/model/numbers.js";

/** What every command over many zones takes. */
export function addZonesOptions(
  command: Command,
  codes: ExitCodes = { 0: "every zone is ready or migrated", 2: "a zone is not ready" },
): Command {
  return addConnectionOptions(
    addZoneSelection(command).option("--json", "write JSON").option("-o, --output <file>", "write to a file"),
  ).addHelpText("after", CREDENTIALS_HELP + exitCodesHelp({ 3: "a zone could not be read", ...codes }));
}

/** How zones are selected, by every command that reads several. */
export function addZoneSelection(
  command: Command,
  {
    zone = "ID or name of a zone; can be repeated",
    account = "every zone of an account; can be repeated",
    allZones = "every zone that the credentials can access",
  } = {},
): Command {
  return command
    .option("-z, --zone <zone>", zone, collectValues)
    .option("-a, --account <id>", account, collectValues)
    .option("--all-zones", allZones)
    .option("--parallel <number>", "zones read in parallel", "4");
}

/** What every command that calls the service takes. */
export function addConnectionOptions(command: Command): Command {
  return addAddressOptions(command).option(
    "-s, --stack <stack>",
    "stack that provides the settings: address, token, program; default: the selected one",
  );
}

/** What commands take that call the service, and do not use the settings of one stack. */
export function addAddressOptions(command: Command): Command {
  return command
    .option("--base-url <url>", "address of the API, with /client/v4")
    .option(
      "--requests-per-second <number>",
      "maximum average of requests per second; default: the limit that the service reports",
    );
}

/** What every command that runs a program without the engine takes. */
export function addProgramOptions(command: Command): Command {
  return command
    .option(
      "-c, --config <key=value>",
      "setting for the program; overrides the stack's; can be repeated",
      collectValues,
    )
    .option("--mocks <file>", "module with mocks for other providers of the program: { newResource, call }");
}

/** For commands that fail when a part of what they look at could not be read. */
export function addForbiddenOption(command: Command): Command {
  return command.option("--allow-forbidden", "pass despite missing read permissions, which are still reported");
}

/** For commands that report rules whose time will soon be over, like `rulesets:expiryWarningDays` in previews. */
export function addExpiryOption(command: Command): Command {
  const text = "warn this many days before a rule expires";
  return command.option("--expiry-warning-days <days>", text, parseDays, EXPIRY_WARNING_DAYS);
}

function parseDays(text: string): number {
  const days = Number(text);
  if (text.trim() !== "" && isWithin(days, DAYS)) return days;
  throw new Error(`--expiry-warning-days ${rangeText(DAYS)}, not ${text}`);
}

/** How much to do in parallel. Throws on anything but a number. */
export function readParallel(text: string): number {
  const parallel = Number(text);
  if (Number.isInteger(parallel) && parallel >= 1) return parallel;
  throw new Error(`--parallel must be a whole number of at least 1, not ${text}`);
}

/** For options that can be repeated. */
export function collectValues(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** What the exit codes of a command mean, other than 1, which is any other error. */
export type ExitCodes = Readonly<Partial<Record<0 | 2 | 3, string>>>;

/** The end of a command's help. */
export function exitCodesHelp(codes: ExitCodes): string {
  const lines = [...Object.entries(codes), ["1", "any other error"] as const].map(
    ([code, meaning]) => `  ${code}  ${meaning}`,
  );
  return `\nExit codes:\n${lines.join("\n")}`;
}

const CREDENTIALS =
  "credentials and address are those of a run of the stack: RULESETS_API_TOKEN if it is set, otherwise the settings of the stack, " +
  "otherwise CLOUDFLARE_API_TOKEN. Outside a project, only the environment counts.";

/** For commands that call the service. */
export const CREDENTIALS_HELP = `\nThe ${CREDENTIALS}\n`;

/** For commands that call the service only with some options. */
export const OPTIONAL_CREDENTIALS_HELP = `\nOnly what is read from the service needs credentials; the ${CREDENTIALS}`;
