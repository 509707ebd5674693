import type { NewZone } from "../model/new-zones.js";
import { newZonePlace } from "../simulator/unknown-zone.js";

/**
 * By URN of a resource, what stands for the ID of its zone.
 * @param zones by URN of a resource, the zone that the program creates for it; one without a name may exist
 */
export function placesInNewZones(zones: ReadonlyMap<string, NewZone>): ReadonlyMap<string, string> {
  const byName = Map.groupBy(zones.values(), ({ name }) => name);
  // Accounts may have zones of the same name.
  const isOnly = (name: string): boolean => new Set(byName.get(name)?.map(({ urn }) => urn)).size === 1;
  return new Map(
    Array.from(zones).flatMap(([resource, { name }]): [string, string][] =>
      name === undefined || !isOnly(name) ? [] : [[resource, newZonePlace(name)]],
    ),
  );
}
