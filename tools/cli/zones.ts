import pLimit from "p-limit";
import { readParallel } from "./options.js";
import type { Client, Zone } from "../../client/index.js";
import { findNearest } from "../../core/model/failure.js";
import type { Progress } from "./progress.js";
import { messageOf } from "../../core/model/errors.js";
import { isId } from "../../core/model/ids.js";

/** Which zones a command is about. */
export interface ZoneSelection {
  readonly zone?: readonly string[];
  readonly account?: readonly string[];
  /** Every zone that the credentials can access. */
  readonly allZones?: boolean;
}

/** Options of every command over many zones. */
export interface ZonesOptions extends ZoneSelection {
  readonly json?: boolean;
  /** File for the output. @default standard output */
  readonly output?: string;
  readonly parallel: string;
}

/** How many zones to read in parallel. Throws when the options are invalid. */
export function checkZonesOptions<T extends ZonesOptions>(options: T, formats: readonly (keyof T & string)[]): number {
  const parallel = readParallel(options.parallel);
  const chosen = formats.filter((format) => options[format] === true).map((format) => `--${format}`);
  if (chosen.length > 1) throw new Error(`${chosen.join(" and ")} are mutually exclusive`);
  if (options.zone?.some((zone) => zone.trim() === "") === true)
    throw new Error("--zone must be the name or the ID of a zone, and is empty");
  return parallel;
}

/** The result for one zone: a value, or why there is none. */
export type ZoneResult<T> = { readonly zone: Zone } & ({ readonly value: T } | { readonly failure: string });

/** What to read from each zone, and how. */
interface ReadEachOptions<T> {
  /** Zones read in parallel. */
  readonly parallel: number;
  readonly progress: Progress;
  readonly read: (zone: Zone) => Promise<T>;
}

/** Reads many zones, a few in parallel; the client's limiter controls the rate. A failing zone does not affect the others. */
export async function readEach<T>(
  zones: readonly Zone[],
  { parallel, progress, read }: ReadEachOptions<T>,
): Promise<ZoneResult<T>[]> {
  const limit = pLimit(parallel);
  progress.start(zones.length);
  try {
    return await Promise.all(
      zones.map((zone) =>
        limit(async (): Promise<ZoneResult<T>> => {
          try {
            return { zone, value: await read(zone) };
          } catch (error) {
            return { zone, failure: messageOf(error) };
          } finally {
            progress.step(zone.name);
          }
        }),
      ),
    );
  } finally {
    progress.stop();
  }
}

/** Zones that were found, and arguments that match none. */
interface FoundZones {
  readonly zones: readonly Zone[];
  readonly failures: readonly ZoneFailure[];
}

/** What names no zone, in the place of the zones that it should have named. */
export interface ZoneFailure {
  readonly zone: Zone;
  /** What could not be read, in a sentence. */
  readonly label: string;
  readonly failure: string;
}

/** Whether the options select any zone. */
export function selectsZones({ zone = [], account = [], allZones }: ZoneSelection): boolean {
  return allZones === true || account.length + zone.length > 0;
}

/** Throws if the options select no zone. */
export function requireZones(selection: ZoneSelection): void {
  if (!selectsZones(selection))
    throw new Error(
      "specify zones with --zone, every zone of an account with --account, or every zone with --all-zones",
    );
}

/** The zones that the options select. `--all-zones` together with accounts means the zones of these accounts. */
export function selectZones({ zone = [], account = [], allZones }: ZoneSelection, client: Client): Promise<FoundZones> {
  return allZones === true && account.length === 0 ? listZones(client, undefined) : findZones(client, zone, account);
}

function failedOf(text: string, failure: string, label = text): ZoneFailure {
  return { zone: { id: text, name: text, accountId: "", accountName: "", plan: "" }, label, failure };
}

/** The zones given by ID or name, and all zones of the given accounts, without duplicates. */
export async function findZones(
  client: Client,
  named: readonly string[],
  accounts: readonly string[],
): Promise<FoundZones> {
  const listed = await listedZones(client, named.filter(isId));
  const [found, ofAccounts] = await Promise.all([
    collectZones(named.map((text) => [text, `the zone ${text}`, listed.get(text) ?? findZone(client, text)] as const)),
    listZones(client, accounts),
  ]);
  return {
    zones: withoutDuplicates([...found.zones, ...ofAccounts.zones]),
    failures: [...found.failures, ...ofAccounts.failures],
  };
}

/** Every zone of the accounts, or every zone that the credentials can access. */
export function listZones(client: Client, accounts: readonly string[] | undefined): Promise<FoundZones> {
  const lists =
    accounts === undefined
      ? [["all zones", client.zones.list()] as const]
      : accounts.map((accountId) => [`account ${accountId}`, client.zones.list({ accountId })] as const);
  return collectZones(lists.map(([text, zones]) => [text, text, zones.then(requireSome)] as const));
}

/** The service lists what the credentials may read: without any right, it returns an empty list, and no error. */
function requireSome(zones: Zone[]): Zone[] {
  if (zones.length > 0) return zones;
  throw new Error("the service lists no zone: there is none, or the credentials may not read any");
}

async function collectZones(lookups: readonly (readonly [string, string, Promise<Zone[]>])[]): Promise<FoundZones> {
  const answers = await Promise.allSettled(lookups.map(([, , zones]) => zones));
  const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const failures = answers.flatMap((answer, index) => {
    const [text = "", label] = lookups[index] ?? [];
    return answer.status === "fulfilled" ? [] : [failedOf(text, messageOf(answer.reason), label)];
  });
  return { zones: withoutDuplicates(found), failures };
}

function withoutDuplicates(zones: readonly Zone[]): Zone[] {
  return [...new Map(zones.map((zone) => [zone.id, zone])).values()];
}

/** Fewer zones are read one by one. */
const LEAST_LISTED = 10;

/** Zones by their IDs from the pages of the list, as long as these take fewer requests than reading the others one by one. */
async function listedZones(client: Client, ids: readonly string[]): Promise<ReadonlyMap<string, Promise<Zone[]>>> {
  const left = new Set(ids);
  const found = new Map<string, Promise<Zone[]>>();
  if (left.size < LEAST_LISTED) return found;
  for (let page = 1, pages = 1; page <= pages && pages - page < left.size; page += 1) {
    // What is not on a page that could be read is read by its ID, which says why it cannot be.
    const read = await client.zones.page(page, {}).catch(() => undefined);
    if (read === undefined) return found;
    pages = read.pages;
    for (const zone of read.items) if (left.delete(zone.id)) found.set(zone.id, Promise.resolve([zone]));
  }
  return found;
}

async function findZone(client: Client, text: string): Promise<Zone[]> {
  if (isId(text)) return [await client.zones.get(text)];
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
