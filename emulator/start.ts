import type { Group } from "./group.js";
import { buildGroups, type GroupDefinition } from "./group-definition.js";
import { EmulatorClock } from "./clock.js";
import { GROUPS } from "./groups.js";
import type { Limits } from "./limits.js";
import { DEFAULT_SEED, type Seed } from "./seed.js";
import { SeedError, seedParser } from "./seed-check.js";
import { Disk, fileFormat, notAStateFile } from "./store/disk.js";
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
interface Backend {
  readonly parseSeed: Service["parseSeed"];
  readonly store: Store;
  readonly clock: EmulatorClock;
  readonly groups: readonly Group[];
}

interface StartOptions {
  readonly service: Service;
  readonly seed: Seed;
  readonly stateFile?: string;
  readonly limits: Limits;
}

/** Loads the state file, or starts from a seed. */
export function startBackend(options: StartOptions): Backend {
  const { seed, stateFile } = options;
  if (stateFile !== undefined && fileFormat(stateFile) === "other") throw notAStateFile(stateFile);
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
