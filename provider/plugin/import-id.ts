import type { Session } from "../engine/session.js";
import { RulesetsError } from "../model/errors.js";

/**
 * The ID of a resource to import. A person may write a zone by its name: `zones/example.com/phases/http_ratelimit`; one
 * request finds its ID.
 */
export async function importId(session: Session, id: string): Promise<string> {
  const [level, zone = "", ...rest] = id.split("/");
  if (level !== "zones" || !zone.includes(".")) return id;
  const found = await session.client.zones.list({ name: zone });
  const [only, ...more] = found;
  if (only !== undefined && more.length === 0) return ["zones", only.id, ...rest].join("/");
  throw new RulesetsError(
    only === undefined
      ? `there is no zone ${zone} that these credentials can read; check the name, or write the zone's ID.`
      : `there are ${String(found.length)} zones ${zone}; write the ID of one of them: ${found.map((each) => each.id).join(", ")}.`,
    { code: "API_NOT_FOUND" },
  );
}
