import { copyFileSync, rmSync, renameSync } from "node:fs";
import type { Group } from "./group.js";
import { EmulatorClock } from "./clock.js";
import { buildGroups } from "./groups.js";
import type { Limits } from "./limits.js";
import { DEFAULT_SEED, type Seed } from "./seed.js";
import { checkSeed, SeedError } from "./seed-check.js";
import { Disk, fileFormat, notAStateFile } from "./store/disk.js";
import { readLegacyState } from "./store/legacy-state.js";
import { Store } from "./store/store.js";

/** Everything that answers requests. */
export interface Backend {
  readonly store: Store;
  readonly clock: EmulatorClock;
  readonly groups: readonly Group[];
}

export interface StartOptions {
  readonly seed: Seed;
  readonly stateFile?: string;
  readonly limits: Limits;
}

/** Loads the state file, or starts from a seed. `onNote` receives messages for the user. */
export function startBackend({ seed, stateFile, limits }: StartOptions, onNote: (note: string) => void): Backend {
  if (stateFile !== undefined) prepareFile(stateFile, limits, onNote);
  const backend = build(limits, stateFile === undefined ? undefined : Disk.open(stateFile));
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
export function resetBackend({ store, groups }: Backend, seed: Seed): void {
  checkSeed(seed);
  store.clear();
  store.meta.put("", "seed", seed);
  store.ids.begin(seed.ids ?? DEFAULT_SEED.ids ?? "");
  try {
    for (const { addSeed } of groups) addSeed?.(seed);
  } catch (error) {
    throw new SeedError(`seed: ${(error as Error).message.replace(/^seed: /, "")}`, { cause: error });
  }
}

function build(limits: Limits, disk?: Disk): Backend {
  const store = new Store(disk);
  const clock = new EmulatorClock(store.meta);
  return { store, clock, groups: buildGroups(store, clock, limits) };
}

/** Rejects a file of another kind, and converts the JSON file of an earlier version to a database. */
function prepareFile(path: string, limits: Limits, onNote: (note: string) => void): void {
  const format = fileFormat(path);
  if (format === "other") throw notAStateFile(path);
  if (format !== "json") return;
  const earlier = readLegacyState(path);
  const [made, kept] = [`${path}.new`, `${path}.earlier.json`];
  for (const left of [made, `${made}-wal`]) rmSync(left, { force: true });
  const backend = build(limits, Disk.open(made));
  backend.store.transact(() => {
    // The saved data already includes the rulesets of the seed.
    resetBackend(backend, { ...earlier.seed, rulesets: [] });
    backend.store.meta.put("", "seed", earlier.seed);
    backend.store.ids.begin(earlier.seed.ids ?? DEFAULT_SEED.ids ?? "", earlier.ids);
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
