import type { Client, Zone } from "../../client/index.js";
import { RulesetsError } from "../../core/model/errors.js";

/** A zone that a person has named, by its ID or its name. Sends one request. */
export async function findZone({ zones }: Pick<Client, "zones">, zone: string): Promise<Zone> {
  if (!zone.includes(".")) return zones.get(zone);
  const found = await zones.list({ name: zone.toLowerCase() });
  const [only, ...more] = found;
  if (only !== undefined && more.length === 0) return only;
  throw new RulesetsError(
    only === undefined
      ? `there is no zone ${zone} that these credentials can read; check the name, or write the zone's ID.`
      : `there are ${String(found.length)} zones ${zone}; write the ID of one of them: ${found.map((each) => each.id).join(", ")}.`,
    { code: "API_NOT_FOUND" },
  );
}
