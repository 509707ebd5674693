import { findZone } from "../../engine/find-zone.js";
import { parseResourceId, rulesetResourceId } from "../../../core/model/ids.js";
import type { Session } from "../../engine/session.js";

/** The ID of a ruleset may also be in the form of `@pulumi/cloudflare`: `zones/<zoneId>/<rulesetId>`. */
function inOwnForm(id: string): string {
  const parsed = parseResourceId(id);
  return parsed?.form === "ruleset" ? rulesetResourceId(parsed.scope, parsed.rulesetId) : id;
}

/**
 * The ID of a resource to import. A person may write a zone by its name: `zones/example.com/phases/http_ratelimit`; one
 * request finds its ID.
 */
export async function importId(session: Session, id: string): Promise<string> {
  const [level, zone = "", ...rest] = id.split("/");
  if (level !== "zones" || !zone.includes(".")) return inOwnForm(id);
  const { id: zoneId } = await findZone(session.client, zone);
  return inOwnForm(["zones", zoneId, ...rest].join("/"));
}
