import type { ObservedResponse, Client, ClientOptions } from "../../client/index.js";
import { connect as connectWith, openSession as openSessionWith } from "../../provider/connect.js";
import { longWaits } from "../../provider/long-waits.js";
import type { Session } from "../../provider/engine/session.js";
import { Secrets } from "../../client/redaction/secrets.js";
import {
  credentialsNote,
  readSettings,
  type ConfigReader,
  type Environment,
  type Settings,
} from "../../provider/settings.js";
import { ServiceMessages } from "../../client/service-messages.js";
import { isWithin, rangeText, REQUESTS_PER_SECOND } from "../../core/model/numbers.js";
import { RulesetsError } from "../../core/model/errors.js";

/** Options of every command that calls the service. */
export interface ConnectOptions {
  readonly baseUrl?: string;
  readonly requestsPerSecond?: string;
}

/** What a command needs of its client, besides the user's options. */
export interface Connection {
  readonly onResponse?: (answer: ObservedResponse) => void;
  /** Settings of a stack, in addition to the environment. @default none */
  readonly config?: ConfigReader;
  /** @default the provider's number of retries */
  readonly maxRetries?: number;
}

/**
 * A client with the settings of a run of the stack: `RULESETS_…` variables before the stack's, those before `CLOUDFLARE_…`. Never
 * from arguments, which other users of the machine can read.
 */
export function connect(
  options: ConnectOptions,
  env: Environment,
  printNote: (line: string) => void,
  { config, onResponse, maxRetries }: Connection = {},
): Client {
  const settings = settingsFrom(options, env, printNote, config);
  return connectWith(
    { ...settings, ...(maxRetries === undefined ? {} : { maxRetries }) },
    {
      ...notesOn(printNote),
      ...(onResponse === undefined ? {} : { onResponse }),
    },
  );
}

/** Where a session prints. */
interface SessionOutput extends Pick<Connection, "config"> {
  readonly print: (line: string) => void;
  readonly printNote: (line: string) => void;
}

/** A session with the same client and settings, for a command that writes as a run does; its messages are printed. */
export function openSession(
  options: ConnectOptions,
  env: Environment,
  { print, printNote, config }: SessionOutput,
): Session {
  const report = (_: string | undefined, text: string): void => {
    print(text);
  };
  return openSessionWith(settingsFrom(options, env, printNote, config), {
    ...notesOn(printNote),
    reporter: { info: report, warn: report, status: () => undefined },
    secrets: new Secrets(),
  });
}

/** Prints waits and the service's messages. */
function notesOn(printNote: (line: string) => void): Pick<ClientOptions, "onWait" | "onMessage"> {
  const messages = new ServiceMessages((_, text) => {
    printNote(text);
  });
  return {
    onWait: longWaits((text) => {
      printNote(`waiting ${text}`);
    }),
    onMessage: (message) => {
      messages.report(undefined, message);
    },
  };
}

function settingsFrom(
  options: ConnectOptions,
  env: Environment,
  printNote: (line: string) => void,
  config: ConfigReader = () => undefined,
): Settings {
  const requestsPerSecond = options.requestsPerSecond === undefined ? undefined : Number(options.requestsPerSecond);
  if (requestsPerSecond !== undefined && !isWithin(requestsPerSecond, REQUESTS_PER_SECOND))
    throw new Error(
      `--requests-per-second ${rangeText(REQUESTS_PER_SECOND)}, not ${options.requestsPerSecond ?? "nothing"}`,
    );
  if (options.baseUrl !== undefined && !/^https?:\/\/\S+$/.test(options.baseUrl))
    throw new Error("--base-url must be an address such as https://api.cloudflare.com/client/v4");
  const settings = readSettings(config, env);
  if (settings.credentials === undefined) {
    throw new RulesetsError("no credentials: set CLOUDFLARE_API_TOKEN, or RULESETS_API_TOKEN.", {
      code: "CONFIG_CREDENTIALS_MISSING",
    });
  }
  const note = credentialsNote(settings);
  if (note !== undefined) printNote(note.text);
  return {
    ...settings,
    baseUrl: options.baseUrl ?? settings.baseUrl,
    requestsPerSecond: requestsPerSecond ?? settings.requestsPerSecond,
  };
}
