import { failedRequestIn } from "../../../../core/model/errors.js";
import type { Moved } from "../../../fleet/changes.js";
import type { ShardPlan } from "../../../fleet/plan.js";
import type { FleetZone } from "../../../fleet/zones.js";
import type { Client } from "../../../../client/index.js";
import { ownType } from "../../../../core/model/urn.js";
import { withoutLevel, type Diagnostic, type Preview } from "../../summarize/preview.js";

/** The zone of a request that the service has refused to this token, or whose zone it does not know. */
export function refusedZone({ urn = "", severity, message }: Diagnostic): string | undefined {
  if (severity !== "error" || ownType(urn) === undefined) return undefined;
  const { path = "", status } = failedRequestIn(message) ?? {};
  return status === 403 || status === 404 ? /^\/zones\/([0-9a-f]{32})\b/.exec(path)?.[1] : undefined;
}

/**
 * Zones that a preview could not read and that have moved: deleted, in another account, or without rights for the token. None if
 * the token may read or see no zone of the shard, or the service does not answer: that is a failure which somebody can repair. The engine
 * tells of the first refused zone only.
 */
export async function refusedZones(
  { diagnostics }: Pick<Preview, "diagnostics">,
  { zones, changes }: Pick<ShardPlan, "zones" | "changes">,
  connect: () => Client,
): Promise<readonly Moved[]> {
  const refused = diagnostics.flatMap((one) => {
    const zoneId = refusedZone(one);
    return zoneId === undefined ? [] : [{ urn: one.urn ?? "", zoneId, why: withoutLevel(one.message) }];
  });
  if (refused.length === 0) return [];
  try {
    const client = connect();
    const gone = await goneZones(zones, client);
    if (gone.length > 0)
      return gone.map(({ id }) => ({
        urn: changes.find(({ zoneId }) => zoneId === id)?.urn ?? "",
        zoneId: id,
        why: "the token cannot see the zone any more: it was deleted or moved to another account, or the token has lost it",
      }));
    const other = zones.find(({ id }) => refused.every(({ zoneId }) => zoneId !== id));
    if (other === undefined) return [];
    await client.rulesets.list({ level: "zones", id: other.id });
    return refused;
  } catch {
    return [];
  }
}

/** Zones that their account does not have any more. None if the token sees no zone there: then the token is what has changed. */
async function goneZones(zones: readonly FleetZone[], client: Client): Promise<readonly FleetZone[]> {
  const accounts = [...new Set(zones.map(({ accountId }) => accountId))];
  const seen = await Promise.all(accounts.map((accountId) => client.zones.list({ accountId })));
  const ids = new Set(seen.flat().map(({ id }) => id));
  const gone = zones.filter(({ id }) => !ids.has(id));
  return ids.size > 0 ? gone : [];
}
