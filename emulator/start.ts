import { copyFileSync, rmSync, renameSync } from "node:fs";
import type { Group } from "./group.js";
import { buildGroups, type GroupDefinition } from "./group-definition.js";
import { EmulatorClock } from "./clock.js";
import { GROUPS } from "./groups.js";
import type { Limits } from "./limits.js";
import { DEFAULT_SEED, type Seed } from "./seed.js";
import { SeedError, seedParser } from "./seed-check.js";
import { Disk, fileFormat, notAStateFile } from "./store/disk.js";
import { readLegacyState } from "./store/legacy-state.js";
import { Store } from "./store/store.js";

/** What the service consists of. */
export interface Service {
  readonly groups: readonly GroupDefinition[];
  readonly parseSeed: (seed: unknown) => Seed;
}

export function serviceOf(groups: readonly GroupDefinition[]): Service {
  return { groups, parseSeed: seedParser(groups) };
}

/** All groups of operations. */
export const WHOLE_SERVICE = serviceOf(GROUPS);

/** Everything that answers requests. */
export interface Backend {
  readonly parseSeed: Service["parseSeed"];
  readonly store: Store;
  readonly clock: EmulatorClock;
  readonly groups: readonly Group[];
}

export interface StartOptions {
  readonly service: Service;
  readonly seed: Seed;
  readonly stateFile?: string;
  readonly limits: Limits;
}

/** Loads the state file, or starts from a seed. `onNote` receives messages for the user. */
export function startBackend(options: StartOptions, onNote: (note: string) => void): Backend {
  const { seed, stateFile } = options;
  if (stateFile !== undefined) prepareFile(stateFile, options, onNote);
  const backend = build(options, stateFile === undefined ? undefined : Disk.open(stateFile));
  try {
    if (!backend.store.load()) {
      backend.store.transact(() => {
        resetBackend(backend, seed);
      });
    }
    return backend;
  } catch (error) {
    backend.store.close();
    throw error;
  }
}

/** Deletes everything and starts from a seed. Throws a {@link SeedError} if it is invalid. */
export function resetBackend({ store, groups, parseSeed }: Backend, sent: unknown): void {
  const seed = parseSeed(sent);
  store.clear();
  store.meta.put("", "seed", seed);
  store.ids.begin(seed.ids ?? DEFAULT_SEED.ids);
  try {
    for (const group of groups) group.addSeed?.(seed);
  } catch (error) {
    throw new SeedError(`seed: ${(error as Error).message.replace(/^seed: /, "")}`, { cause: error });
  }
}

function build({ service, limits }: Pick<StartOptions, "service" | "limits">, disk?: Disk): Backend {
  const store = new Store(disk);
  const clock = new EmulatorClock(store.meta);
  return { parseSeed: service.parseSeed, store, clock, groups: buildGroups(service.groups, store, clock, limits) };
}

/** Rejects a file of another kind, and converts the JSON file of an earlier version to a database. */
function prepareFile(path: string, options: StartOptions, onNote: (note: string) => void): void {
  const format = fileFormat(path);
  if (format === "other") throw notAStateFile(path);
  if (format !== "json") return;
  const earlier = readLegacyState(path);
  const [made, kept] = [`${path}.new`, `${path}.earlier.json`];
  for (const left of [made, `${made}-wal`]) rmSync(left, { force: true });
  const backend = build(options, Disk.open(made));
  const seed = backend.parseSeed(earlier.seed);
  backend.store.transact(() => {
    // The saved data already includes the rulesets of the seed.
    resetBackend(backend, { ...seed, rulesets: [] });
    backend.store.meta.put("", "seed", seed);
    backend.store.ids.begin(seed.ids ?? DEFAULT_SEED.ids, earlier.ids);
    for (const { addLegacyState: addEarlier } of backend.groups) addEarlier?.(earlier);
  });
  backend.store.close();
  // Whenever the process is killed, the path contains either the old state or the new one.
  copyFileSync(path, kept);
  renameSync(made, path);
  onNote(
    `${path} was a state file of an earlier version and has been converted to a database; the old file is kept as ${kept}.`,
  );
}
