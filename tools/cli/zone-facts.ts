import { PLANS, type Plan } from "../../core/language/index.js";
import type { Client } from "../../client/index.js";
import { findZones } from "./zones.js";

/** What is known about zones, by ID. */
export type ZoneFacts = ReadonlyMap<string, { readonly name: string; readonly plan?: Plan }>;

interface ZoneFactsContext {
  readonly connect: () => Client;
  readonly printNote: (line: string) => void;
}

/** The names and plans of zones. A zone that cannot be read keeps its ID. */
export async function readZoneFacts(
  zones: readonly string[],
  { connect, printNote }: ZoneFactsContext,
): Promise<ZoneFacts> {
  const ids = [...new Set(zones)];
  if (ids.length === 0) return new Map();
  const { zones: found, failures } = await findZones(connect(), ids, []);
  for (const { zone, failure } of failures) printNote(`zone ${zone.id}: ${failure}`);
  return new Map(found.map(({ id, name, plan }) => [id, { name, plan: PLANS.find((known) => known === plan) }]));
}
