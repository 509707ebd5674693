import { writeFileSync } from "node:fs";
import { Presets, SingleBar } from "cli-progress";
import pLimit from "p-limit";
import type { Client, Zone } from "../provider/client/index.js";

/** What every command over many zones is told. */
export interface FleetOptions {
  readonly zone?: readonly string[];
  readonly account?: readonly string[];
  readonly json?: boolean;
  readonly markdown?: boolean;
  /** File for the answer. @default standard output */
  readonly output?: string;
  readonly parallel: string;
}

/** Writes an answer where it is wanted. */
export function deliver(text: string, { output }: Pick<FleetOptions, "output">, print: (line: string) => void): void {
  if (output === undefined) print(text);
  else writeFileSync(output, `${text}\n`);
}

/** How many zones to ask at the same time. Throws when the options cannot be meant. */
export function checkFleet<T extends FleetOptions>(options: T, formats: readonly (keyof T & string)[]): number {
  const parallel = Number(options.parallel);
  if (!Number.isInteger(parallel) || parallel < 1) throw new Error(`--parallel ${options.parallel} is no count`);
  const chosen = formats.filter((format) => options[format] === true).map((format) => `--${format}`);
  if (chosen.length > 1) throw new Error(`${chosen.join(" and ")} exclude each other`);
  return parallel;
}

/** What became of one zone: an answer, or why there is none. */
export type ZoneResult<T> = { readonly zone: Zone } & ({ readonly value: T } | { readonly failure: string });

/** Told of every zone that is through. */
export interface Progress {
  start(total: number): void;
  step(name: string): void;
  stop(): void;
}

/** Asks many zones, a few at a time; the client's limiter holds the pace. One zone's failure never hides the others. */
export async function askEach<T>(
  zones: readonly Zone[],
  parallel: number,
  progress: Progress,
  ask: (zone: Zone) => Promise<T>,
): Promise<ZoneResult<T>[]> {
  const limit = pLimit(parallel);
  progress.start(zones.length);
  try {
    return await Promise.all(
      zones.map((zone) =>
        limit(async (): Promise<ZoneResult<T>> => {
          try {
            return { zone, value: await ask(zone) };
          } catch (error) {
            return { zone, failure: error instanceof Error ? error.message : String(error) };
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

/** Zones that were found, and arguments that named none. */
export interface FoundZones {
  readonly zones: readonly Zone[];
  readonly failures: readonly { readonly zone: Zone; readonly failure: string }[];
}

/** The zones that arguments name, by id or by name, and all of an account's; each once. */
export async function findZones(
  client: Client,
  named: readonly string[],
  accounts: readonly string[],
): Promise<FoundZones> {
  if (named.length + accounts.length === 0)
    throw new Error("name zones with --zone, or all of an account with --account");
  return collectZones([
    ...named.map((text) => [text, findZone(client, text)] as const),
    ...accounts.map((accountId) => [accountId, client.zones.list({ accountId })] as const),
  ]);
}

/** Every zone that the credentials reach. */
export function findAllZones(client: Client): Promise<FoundZones> {
  return collectZones([["all zones", client.zones.list()]]);
}

async function collectZones(asked: readonly (readonly [string, Promise<Zone[]>])[]): Promise<FoundZones> {
  const answers = await Promise.allSettled(asked.map(([, zones]) => zones));
  const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const failures = answers.flatMap((answer, index) => {
    const text = asked[index]?.[0] ?? "";
    const zone: Zone = { id: text, name: text, accountId: "", accountName: "", plan: "" };
    return answer.status === "fulfilled" ? [] : [{ zone, failure: (answer.reason as Error).message }];
  });
  return { zones: [...new Map(found.map((zone) => [zone.id, zone])).values()], failures };
}

async function findZone(client: Client, text: string): Promise<Zone[]> {
  if (/^[0-9a-f]{32}$/.test(text)) return [await client.zones.get(text)];
  const zones = await client.zones.list({ name: text });
  if (zones.length === 0) throw new Error(`there is no zone ${text}, or the credentials do not reach it`);
  return zones;
}

/** A bar on standard error, where a person watches; nothing elsewhere. */
export function progressBar(stream: NodeJS.WriteStream): Progress {
  if (!stream.isTTY) return { start: () => undefined, step: () => undefined, stop: () => undefined };
  const bar = new SingleBar(
    {
      stream,
      format: "{bar} {value}/{total} zones, {eta_formatted} to go  {zone}",
      hideCursor: true,
      clearOnComplete: true,
    },
    Presets.shades_classic,
  );
  return {
    start: (total) => {
      bar.start(total, 0, { zone: "" });
    },
    step: (zone) => {
      bar.increment(1, { zone });
    },
    stop: () => {
      bar.stop();
    },
  };
}
