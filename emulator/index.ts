import type { Limits } from "./limits.js";
import { buildServer } from "./server.js";
import type { Seed } from "./seed.js";

export interface EmulatorOptions {
  /** Port to listen on. @default 0, a free one */
  readonly port?: number;
  /** Address to bind to; only loopback addresses are accepted. @default "127.0.0.1" */
  readonly host?: string;
  /** What stands there from the start. @default one account with one zone of each plan */
  readonly seed?: Seed;
  /** File that keeps everything across restarts. When it exists, it wins over the seed. @default none */
  readonly stateFile?: string;
  /** The only token that is let in. @default every well-formed credential */
  readonly token?: string;
  /** How much is kept of versions of a ruleset and of the log of requests. */
  readonly keep?: Partial<Limits>;
}

export interface Emulator {
  /** Base URL of the API, with `/client/v4`. */
  readonly url: string;
  readonly port: number;
  /** What a person should know of the start, such as a state file of an earlier version that was taken over. */
  readonly notes: readonly string[];
  /** Stops it and closes every connection. */
  close(): Promise<void>;
}

/**
 * Starts the service on this machine: zones, rulesets, versions, quotas and error codes as the API has them. Control
 * routes under `/__emulator/` seed it, log its requests and let things go wrong.
 *
 * @example
 * ```ts
 * const emulator = await startEmulator();
 * // point rulesets:baseUrl at emulator.url, with any token
 * await emulator.close();
 * ```
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const host = options.host ?? "127.0.0.1";
  if (!isLoopback(host)) {
    throw new Error(`the emulator listens on loopback only, not on ${host}: its credentials protect nothing`);
  }
  const notes: string[] = [];
  const app = buildServer(options, (note) => notes.push(note));
  try {
    await app.listen({ port: options.port ?? 0, host });
  } catch (error) {
    await app.close();
    throw error;
  }
  const address = app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const shown = host.includes(":") ? `[${host}]` : host;
  return { url: `http://${shown}:${String(port)}/client/v4`, port, notes, close: () => app.close() };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

export type { Fault, OtherRequest } from "./http/faults.js";
export type { LoggedRequest } from "./http/request-log.js";
export type { AccountSeed, CertificatesSeed, PreviousWafSeed, RulesetSeed, Seed, ZoneSeed } from "./seed.js";
export type { Plan } from "./zones/model.js";
export type { Limits } from "./limits.js";
export type { Progression } from "./previous-waf/model.js";
export type { TokenSeed } from "./http/auth.js";
export type { RateSeed } from "./http/rate.js";
