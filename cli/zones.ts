import pLimit from "p-limit";
import type { Client, Pace, Zone } from "../provider/client/index.js";
import { LongRun } from "../provider/client/long-run.js";
import { findNearest } from "../provider/validation/failure.js";
import type { Progress } from "./progress.js";
import { messageOf } from "../provider/model/errors.js";

/** Options of every command over many zones. */
export interface ZonesOptions {
  readonly zone?: readonly string[];
  readonly account?: readonly string[];
  /** Every zone that the credentials can access. */
  readonly allZones?: boolean;
  readonly json?: boolean;
  readonly markdown?: boolean;
  /** File for the output. @default standard output */
  readonly output?: string;
  readonly parallel: string;
}

/** How many zones to read in parallel. Throws when the options are invalid. */
export function checkZonesOptions<T extends ZonesOptions>(options: T, formats: readonly (keyof T & string)[]): number {
  const parallel = Number(options.parallel);
  if (!Number.isInteger(parallel) || parallel < 1)
    throw new Error(`--parallel must be a whole number of at least 1, not ${options.parallel}`);
  const chosen = formats.filter((format) => options[format] === true).map((format) => `--${format}`);
  if (chosen.length > 1) throw new Error(`${chosen.join(" and ")} are mutually exclusive`);
  return parallel;
}

/** The result for one zone: a value, or why there is none. */
export type ZoneResult<T> = { readonly zone: Zone } & ({ readonly value: T } | { readonly failure: string });

/** What to read from each zone, and how. */
export interface ReadEachOptions<T> {
  readonly client: Client;
  /** Zones read in parallel. */
  readonly parallel: number;
  readonly progress: Progress;
  readonly read: (zone: Zone) => Promise<T>;
  /** The minimum number of requests per zone. @default 1 */
  readonly leastRequests?: number;
}

/** Reads many zones, a few in parallel; the client's limiter controls the rate. A failing zone does not affect the others. */
export async function readEach<T>(
  zones: readonly Zone[],
  { client, parallel, progress, read, leastRequests = 1 }: ReadEachOptions<T>,
): Promise<ZoneResult<T>[]> {
  const limit = pLimit(parallel);
  const forecast = new ZonesForecast(client.pace, { zones: zones.length, leastRequests, progress });
  progress.start(zones.length);
  try {
    return await Promise.all(
      zones.map((zone) =>
        limit(async (): Promise<ZoneResult<T>> => {
          forecast.begin();
          try {
            return { zone, value: await read(zone) };
          } catch (error) {
            return { zone, failure: messageOf(error) };
          } finally {
            progress.step(zone.name);
            forecast.update();
          }
        }),
      ),
    );
  } finally {
    progress.stop();
  }
}

/** Estimates the requests for many zones: at least the minimum for each, and the average of those read so far. */
class ZonesForecast {
  private begun = 0;
  private readonly before: number;
  private readonly run: LongRun;

  constructor(
    private readonly pace: Pace,
    private readonly reading: { readonly zones: number; readonly leastRequests: number; readonly progress: Progress },
  ) {
    this.before = pace.requests;
    this.run = new LongRun({ start: reading.progress.note, progress: reading.progress.far });
    this.update();
  }

  begin(): void {
    this.begun += 1;
  }

  update(): void {
    const { zones, leastRequests } = this.reading;
    const each = this.begun === 0 ? 0 : (this.pace.requests - this.before) / this.begun;
    this.run.update(this.pace, { further: (zones - this.begun) * Math.max(leastRequests, each) });
  }
}

/** Zones that were found, and arguments that match none. */
export interface FoundZones {
  readonly zones: readonly Zone[];
  readonly failures: readonly { readonly zone: Zone; readonly failure: string }[];
}

/** Throws if the options select no zone. */
export function requireZones({ zone = [], account = [], allZones }: ZonesOptions): void {
  if (allZones !== true && zone.length + account.length === 0)
    throw new Error(
      "specify zones with --zone, every zone of an account with --account, or every zone with --all-zones",
    );
}

/** The zones that the options select. `--all-zones` together with `--account` means the zones of that account. */
export function selectZones({ zone = [], account = [], allZones }: ZonesOptions, client: Client): Promise<FoundZones> {
  return allZones === true && account.length === 0 ? findAllZones(client) : findZones(client, zone, account);
}

/** The zones given by ID or name, and all zones of the given accounts, without duplicates. */
export async function findZones(
  client: Client,
  named: readonly string[],
  accounts: readonly string[],
): Promise<FoundZones> {
  return collectZones([
    ...named.map((text) => [text, findZone(client, text)] as const),
    ...accounts.map((accountId) => [accountId, client.zones.list({ accountId })] as const),
  ]);
}

/** Every zone that the credentials can access. */
function findAllZones(client: Client): Promise<FoundZones> {
  return collectZones([["all zones", client.zones.list()]]);
}

async function collectZones(lookups: readonly (readonly [string, Promise<Zone[]>])[]): Promise<FoundZones> {
  const answers = await Promise.allSettled(lookups.map(([, zones]) => zones));
  const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const failures = answers.flatMap((answer, index) => {
    const text = lookups[index]?.[0] ?? "";
    const zone: Zone = { id: text, name: text, accountId: "", accountName: "", plan: "" };
    return answer.status === "fulfilled" ? [] : [{ zone, failure: (answer.reason as Error).message }];
  });
  return { zones: [...new Map(found.map((zone) => [zone.id, zone])).values()], failures };
}

async function findZone(client: Client, text: string): Promise<Zone[]> {
  if (/^[0-9a-f]{32}$/.test(text)) return [await client.zones.get(text)];
  const zones = await client.zones.list({ name: text });
  if (zones.length === 0) throw await noZone(client, text);
  return zones;
}

/** The error for a name that no zone has, with the nearest one. */
export async function noZone(client: Client, text: string): Promise<Error> {
  const names = (await client.zones.list()).map(({ name }) => name);
  const near = findNearest(text, names) ?? names.find((name) => name.startsWith(`${text}.`));
  const meant = near === undefined ? "" : `; did you mean ${near}?`;
  return new Error(`there is no zone ${text}, or the credentials cannot access it${meant}`);
}
