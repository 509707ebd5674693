import type { ResolveCaa } from "../core/certificates/authorities.js";
import type { Client, ClientOptions, LongRun, LongRunReport, RunPace } from "../client/index.js";
import { Session, type SessionOptions } from "./engine/session.js";
import { credentialSecrets } from "../client/http/auth.js";
import { systemClock } from "../client/http/clock.js";
import { ManagedNames } from "../core/managed/names.js";
import { missingCredentials, type Settings } from "./settings.js";
import { caaLookup, askDns, caaResolver } from "./kinds/certificates/resolve-caa.js";
import { late } from "../core/model/late.js";

/** Loads the client with the first request: most resources do not change in most runs, and then need none. */
const loadClient = late<typeof import("../client/index.js")>(() => require("../client/index.js"));

/** Options of the caller: the secrets of the program, the gate that stops requests, and callbacks for waits and messages. */
export type ConnectOptions = Pick<
  ClientOptions,
  "secrets" | "gate" | "clock" | "onWait" | "onMessage" | "onResponse" | "names"
> & {
  /**
   * Receives how many requests a long run will make and how long it will wait; no single wait is reported after that.
   * @default none
   */
  readonly longRun?: LongRunReport;
};

/**
 * Creates the client of a run, with its credentials, rate limit and retries: for the provider, the functions and the
 * commands alike. Throws CONFIG_CREDENTIALS_MISSING without credentials.
 */
export function connect(settings: Settings, { longRun, ...options }: ConnectOptions = {}): Client {
  const { credentials, source: credentialsSource, requestsPerSecond } = settings;
  if (credentials === undefined) throw missingCredentials();
  const { createClient, Limiter } = loadClient();
  const limiter = new Limiter({ requestsPerSecond, clock: options.clock ?? systemClock });
  const forecast = longRun === undefined ? undefined : new ClientForecast(longRun);
  return createClient({
    ...settings,
    ...options,
    ...(forecast === undefined
      ? {}
      : {
          onPace: (pace: RunPace) => {
            forecast.update(pace);
          },
        }),
    onWait: (ms, reason) => {
      if (forecast?.covers(ms, reason) !== true) options.onWait?.(ms, reason);
    },
    credentials,
    credentialsSource,
    limiter,
  });
}

/** Announces the run of a client that waits for a long time, from what is queued and what its caller expects. */
class ClientForecast {
  private readonly run: LongRun;
  private isDue = false;

  constructor(report: LongRunReport) {
    this.run = new (loadClient().LongRun)(report);
  }

  /** Requests that are made together are announced together: those of this turn are queued first. */
  update(pace: RunPace): void {
    if (this.isDue) return;
    this.isDue = true;
    setImmediate(() => {
      this.isDue = false;
      this.run.update(pace, { further: pace.expected });
    });
  }

  /** Whether a wait need not be reported by itself. */
  covers(ms: number, reason: string): boolean {
    const { LONG_MS, RATE_LIMIT_WAIT } = loadClient();
    return reason === RATE_LIMIT_WAIT && (this.run.isReported || ms > LONG_MS);
  }
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
  const session = new Session({
    ...settings,
    client: () => (client ??= connectOnce()),
    reporter,
    secrets,
    names,
    clock: gate === undefined ? base : { now: () => base.now(), sleep: (ms) => gate.sleep(ms) },
  });
  session.setPart(caaLookup, resolveCaa ?? caaResolver(askDns(settings.dnsServer)));
  return session;
}

function secretsOf({ credentials, baseUrl }: Settings): readonly string[] {
  return credentials === undefined ? [] : credentialSecrets(credentials, baseUrl);
}
