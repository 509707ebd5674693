import type { Socket } from "node:dgram";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { addressOf, closeDns, serveDns } from "./certificates/dns-server.js";
import { advanceClock } from "./http/control.js";
import type { Fault } from "./http/faults.js";
import type { LoggedRequest } from "./http/request-log.js";
import type { Limits } from "./limits.js";
import { buildServer } from "./server.js";
import type { Seed } from "./seed.js";
import type { Zone } from "./zones/model.js";

export interface EmulatorOptions {
  /** Port to listen on. @default 0, a free one */
  readonly port?: number;
  /** Address to bind to; only loopback addresses are accepted. @default "127.0.0.1" */
  readonly host?: string;
  /** The initial content. @default one account with one zone of each plan */
  readonly seed?: Seed;
  /** File that keeps everything across restarts. If it exists, it takes precedence over the seed. @default none */
  readonly stateFile?: string;
  /** The only token to accept. @default every well-formed credential */
  readonly token?: string;
  /** How many versions per ruleset, logged requests and security events to keep. */
  readonly keep?: Partial<Limits>;
  /** Serve HTTP as the zones would, with the deployed rules. @default none */
  readonly edge?: EdgeOptions;
  /** Serve the CAA records of the seed over DNS. @default none */
  readonly dns?: DnsOptions;
}

export interface DnsOptions {
  /** UDP port to listen on. @default 0, a free one */
  readonly port?: number;
}

export interface EdgeOptions {
  /** Port to listen on. @default 0, a free one */
  readonly port?: number;
  /** Where to forward requests that no rule stops. @default none: they are echoed as the origin would see them */
  readonly origin?: string;
  /** How long to wait for the origin's response, in seconds; a `read_timeout` of a cache rule takes precedence. @default 100 */
  readonly timeoutSeconds?: number;
}

export interface Emulator {
  /** Base URL of the API, with `/client/v4`. */
  readonly url: string;
  readonly port: number;
  /** Base URL of the edge; the Host header selects the zone. Undefined without `edge`. */
  readonly edgeUrl?: string;
  /** Address of the DNS server, such as `127.0.0.1:5353`. Undefined without `dns`. */
  readonly dnsServer?: string;
  /** A token that was accepted at the start; undefined if every well-formed one was. */
  readonly token?: string;
  /** The zones, in the order of their creation; what `GET /zones` lists, without its pages. */
  zones(): readonly Zone[];
  /** The requests to the API so far, in the order of their responses; the same as `GET /__emulator/requests`. */
  requests(): readonly LoggedRequest[];
  /** Clears the list of requests. */
  forgetRequests(): void;
  /** Moves the clock of the service forward, as `POST /__emulator/clock` does. */
  advanceClock(seconds: number): void;
  /** The injected faults that still apply to a request; the same as `GET /__emulator/faults`. */
  faults(): readonly Fault[];
  /** Removes the injected faults. */
  clearFaults(): void;
  /** Stops the emulator and closes every connection. */
  close(): Promise<void>;
}

/**
 * Starts an emulator of the service on this machine: zones, rulesets, versions, quotas and error codes like the API's. Control
 * routes under `/__emulator/` seed it, log its requests and inject faults.
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
    throw new Error(`the emulator only listens on loopback addresses, not on ${host}, where anyone could use it`);
  }
  const origin = originOf(options.edge);
  const { api, serve, caaOf, controls, token } = buildServer(options);
  const edge = options.edge === undefined ? undefined : serve(origin, options.edge.timeoutSeconds);
  let dns: Socket | undefined;
  const close = async (): Promise<void> => {
    await api.close();
    if (dns !== undefined) await closeDns(dns);
    edge?.closeAllConnections();
    if (edge?.listening === true) await promisify(edge.close.bind(edge))();
  };
  try {
    await api.listen({ port: options.port ?? 0, host });
    if (edge !== undefined) await listen(edge, options.edge?.port ?? 0, host);
    if (options.dns !== undefined) dns = await serveDns(caaOf, { port: options.dns.port ?? 0, host });
  } catch (error) {
    await close();
    throw error;
  }
  const url = baseUrl(api.server, host);
  const edgeUrl = edge === undefined ? {} : { edgeUrl: baseUrl(edge, host) };
  return {
    url: `${url}/client/v4`,
    port: Number(new URL(url).port),
    ...edgeUrl,
    ...(dns === undefined ? {} : { dnsServer: addressOf(dns) }),
    ...(token === undefined ? {} : { token }),
    zones: () => controls.store.zones.in(""),
    requests: () => controls.log.list(),
    forgetRequests: () => {
      controls.log.clear();
    },
    advanceClock: (seconds) => {
      advanceClock(controls, seconds);
    },
    faults: () => controls.faults.list(),
    clearFaults: () => {
      controls.faults.clear();
    },
    close,
  };
}

function originOf({ origin }: EdgeOptions = {}): URL | undefined {
  if (origin === undefined) return undefined;
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new Error(`the origin must be a URL with http or https, not "${origin}"`);
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
}

function baseUrl(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${String(port)}`;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

export type { Fault, OtherRequest } from "./http/faults.js";
export type { LoggedRequest } from "./http/request-log.js";
export type { AccountSeed } from "./accounts/seed.js";
export type { CertificatesSeed } from "./certificates/seed.js";
export type { PreviousWafSeed } from "./previous-waf/seed.js";
export type { RulesetSeed } from "./rulesets/seed.js";
export type { Seed, ZoneSeed } from "./seed.js";
export type { Plan, Zone } from "./zones/model.js";
export type { Limits } from "./limits.js";
export type { Progression } from "./previous-waf/model.js";
export type { TokenSeed } from "./http/auth.js";
export type { RateSeed } from "./http/rate.js";
