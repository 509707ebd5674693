import type { AnswerSeen, Client } from "../provider/client/index.js";
import { connect as connectWith } from "../provider/connect.js";
import { readSettings, type Environment } from "../provider/settings.js";
import { ServiceMessages } from "../provider/client/service-messages.js";
import { isWithin, rangeText, REQUESTS_PER_SECOND } from "../provider/model/numbers.js";
import { RulesetsError } from "../provider/model/errors.js";

/** Options of every command that calls the service. */
export interface ConnectOptions {
  readonly baseUrl?: string;
  readonly requestsPerSecond?: string;
}

/** What a command needs of its client, besides the user's options. */
export interface Connection {
  readonly onAnswer?: (answer: AnswerSeen) => void;
  /** @default the provider's number of retries */
  readonly maxRetries?: number;
}

/**
 * A client with the credentials of the environment: `RULESETS_…` before `CLOUDFLARE_…`. Never from arguments, which other users
 * of the machine can read.
 */
export function connect(
  options: ConnectOptions,
  env: Environment,
  printNote: (line: string) => void,
  { onAnswer, maxRetries }: Connection = {},
): Client {
  const settings = readSettings(() => undefined, env);
  if (settings.credentials === undefined) {
    throw new RulesetsError("no credentials: set CLOUDFLARE_API_TOKEN, or RULESETS_API_TOKEN.", {
      code: "CONFIG_CREDENTIALS_MISSING",
    });
  }
  const requestsPerSecond = options.requestsPerSecond === undefined ? undefined : Number(options.requestsPerSecond);
  if (requestsPerSecond !== undefined && !isWithin(requestsPerSecond, REQUESTS_PER_SECOND))
    throw new Error(
      `--requests-per-second ${rangeText(REQUESTS_PER_SECOND)}, not ${options.requestsPerSecond ?? "nothing"}`,
    );
  const baseUrl = options.baseUrl ?? settings.baseUrl;
  const messages = new ServiceMessages((_, text) => {
    printNote(text);
  });
  return connectWith(
    { ...settings, baseUrl, requestsPerSecond, ...(maxRetries === undefined ? {} : { maxRetries }) },
    {
      ...(onAnswer === undefined ? {} : { onAnswer }),
      onWait: (ms, reason) => {
        if (ms >= 10_000) printNote(`waiting ${String(Math.ceil(ms / 1000))} s ${reason}`);
      },
      onMessage: (message) => {
        messages.report(undefined, message);
      },
    },
  );
}
