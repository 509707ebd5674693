import { PLANS, type Plan } from "../language/index.js";
import type { Client } from "../provider/client/index.js";

/** What is known about zones, by ID. */
export type ZoneFacts = ReadonlyMap<string, { readonly name: string; readonly plan?: Plan }>;

export interface ZoneFactsContext {
  readonly connect: () => Client;
  readonly printNote: (line: string) => void;
}

/** The names and plans of zones. One request per zone; a zone that cannot be read keeps its ID. */
export async function readZoneFacts(
  zones: readonly string[],
  { connect, printNote }: ZoneFactsContext,
): Promise<ZoneFacts> {
  const ids = [...new Set(zones)];
  if (ids.length === 0) return new Map();
  const client = connect();
  const found = await Promise.all(
    ids.map(async (id) => {
      try {
        const { name, plan } = await client.zones.get(id);
        return [[id, { name, plan: PLANS.find((known) => known === plan) }] as const];
      } catch (error) {
        printNote(`zone ${id}: ${(error as Error).message}`);
        return [];
      }
    }),
  );
  return new Map(found.flat());
}
