import type { ResolveCaa } from "../core/certificates/authorities.js";
import type { Client, ClientOptions } from "../client/index.js";
import { Session, type SessionOptions } from "./engine/session.js";
import { credentialSecrets } from "../client/http/auth.js";
import { systemClock } from "../client/http/clock.js";
import { ManagedNames } from "../core/managed/names.js";
import { missingCredentials, type Settings } from "./settings.js";
import { askDns, caaResolver } from "./kinds/certificates/resolve-caa.js";
import { late } from "../core/model/late.js";

/** Loads the client with the first request: most resources do not change in most runs, and then need none. */
const loadClient = late<typeof import("../client/index.js")>(() => require("../client/index.js"));

/** Options of the caller: the secrets of the program, the gate that stops requests, and callbacks for waits and messages. */
export type ConnectOptions = Pick<
  ClientOptions,
  "secrets" | "gate" | "clock" | "onWait" | "onMessage" | "onResponse" | "names"
>;

/**
 * Creates the client of a run, with its credentials, rate limit and retries: for the provider, the functions and the
 * commands alike. Throws CONFIG_CREDENTIALS_MISSING without credentials.
 */
export function connect(settings: Settings, options: ConnectOptions = {}): Client {
  const { credentials, source: credentialsSource, requestsPerSecond } = settings;
  if (credentials === undefined) throw missingCredentials();
  const { createClient, Limiter } = loadClient();
  const limiter = new Limiter({ requestsPerSecond, clock: options.clock ?? systemClock });
  return createClient({
    ...settings,
    ...options,
    credentials,
    credentialsSource,
    limiter,
  });
}

/** What a session needs in addition to the settings. */
export type OpenSessionOptions = Pick<ConnectOptions, "gate" | "onWait" | "onMessage"> &
  Required<Pick<SessionOptions, "reporter" | "secrets">> &
  Pick<SessionOptions, "clock"> & {
    /** Looks up CAA records. @default by the DNS server of the settings, or else the machine's own */
    readonly resolveCaa?: ResolveCaa;
  };

/**
 * Opens the session of a run. Its client is created with the first request, so that operations that make none work without
 * credentials. Also adds the credentials to `secrets`.
 */
export function openSession(
  settings: Settings,
  { reporter, secrets, clock, resolveCaa, ...connection }: OpenSessionOptions,
): Session {
  const names = new ManagedNames();
  let client: Client | undefined;
  const connectOnce = (): Client => {
    for (const secret of secretsOf(settings)) secrets.addCredential(secret);
    return connect(settings, {
      ...connection,
      ...(clock === undefined ? {} : { clock }),
      names,
      secrets,
    });
  };
  const { gate } = connection;
  const base = clock ?? systemClock;
  return new Session({
    ...settings,
    resolveCaa: resolveCaa ?? caaResolver(askDns(settings.dnsServer)),
    client: () => (client ??= connectOnce()),
    reporter,
    secrets,
    names,
    clock: gate === undefined ? base : { now: () => base.now(), sleep: (ms) => gate.sleep(ms) },
  });
}

function secretsOf({ credentials, baseUrl }: Settings): readonly string[] {
  return credentials === undefined ? [] : credentialSecrets(credentials, baseUrl);
}
