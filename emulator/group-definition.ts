import type { EmulatorClock } from "./clock.js";
import type { Group } from "./group.js";
import type { Limits } from "./limits.js";
import { sharedParts, type Parts } from "./parts.js";
import type { SeedPart } from "./seed-part.js";
import type { Store } from "./store/store.js";

/**
 * A group of operations, one folder of the emulator, as `groups.ts` lists it. The type parameters are its properties of the
 * seed, and of each zone in the seed; the types of the seed are derived from the list.
 */
export interface GroupDefinition<Added extends object = object, AddedToZone extends object = object> {
  readonly seed: SeedPart<Added, AddedToZone>;
  readonly build: (parts: Parts) => Group<Added, AddedToZone>;
}

/** Builds the groups, in the order of their definitions. */
export function buildGroups(
  definitions: readonly GroupDefinition[],
  store: Store,
  clock: EmulatorClock,
  limits: Limits,
): readonly Group[] {
  const groups: Group[] = [];
  const parts = { store, clock, limits, groups, ...sharedParts(store, clock, limits) };
  groups.push(...definitions.map(({ build }) => build(parts)));
  return groups;
}
