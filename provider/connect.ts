import { createClient, Limiter, type Client, type ClientOptions } from "./client/index.js";
import { systemClock } from "./http/clock.js";
import { missingCredentials, type Settings } from "./runtime/config.js";

/** What the caller adds: what nothing may show, what ends all requests, and who is told of a wait. */
export type ConnectOptions = Pick<ClientOptions, "hide" | "gate" | "onWait">;

/**
 * The client of a run, with its credentials, its pace and its retries: the one place that makes it, for the provider, the
 * functions and the commands. Throws CONFIG_CREDENTIALS_MISSING without credentials.
 */
export function connect(settings: Settings, options: ConnectOptions = {}): Client {
  const { credentials, source, baseUrl, timeoutSeconds, maxRetries, requestsPerSecond } = settings;
  if (credentials === undefined) throw missingCredentials();
  const limiter = new Limiter({ requestsPerSecond, clock: systemClock });
  return createClient({
    ...options,
    credentials,
    credentialsSource: source,
    baseUrl,
    timeoutSeconds,
    maxRetries,
    limiter,
  });
}
