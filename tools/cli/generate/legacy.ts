import type { Client, Zone } from "../../../client/index.js";
import type { LegacyZone } from "../../generator/index.js";
import { readEach } from "../zones.js";
import type { Progress } from "../progress.js";
import type { UnreadScope } from "./words.js";

/** Reads the previous features of zones. */
export async function readLegacy(
  client: Client,
  zones: readonly Zone[],
  io: { readonly parallel: number; readonly progress: Progress },
): Promise<{ readonly legacy: readonly LegacyZone[]; readonly unread: readonly UnreadScope[] }> {
  const results = await readEach(zones, { ...io, read: ({ id }) => client.legacy.rules(id) });
  return {
    legacy: results.flatMap((one) => ("failure" in one ? [] : [{ ...one.zone, wire: one.value }])),
    unread: results.flatMap((one) => ("failure" in one ? [{ name: one.zone.name, failure: one.failure }] : [])),
  };
}
