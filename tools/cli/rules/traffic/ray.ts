import type { Client, SecurityEvent } from "../../../../client/index.js";
import { RulesetsError } from "../../../../core/model/errors.js";
import { partsOf } from "./read.js";

/** What is known about a request by its Ray ID. */
export interface EventsOfRay {
  readonly events: readonly SecurityEvent[];
  /** What a reader should know: what is missing, and why. */
  readonly notes: readonly string[];
}

/**
 * Reads what rules did to a request, the newest part of the time first, in as many queries as the plan of the zone requires.
 * @throws RulesetsError if the events of the zone cannot be read
 */
export async function readEventsOfRay(
  client: Pick<Client, "analytics">,
  zone: { readonly id: string; readonly name: string },
  { ray, seconds, now }: { readonly ray: string; readonly seconds: number; readonly now: number },
): Promise<EventsOfRay> {
  const { enabled, notOlderThan, maxDuration, fields } = await client.analytics.settings(
    zone.id,
    "firewallEventsAdaptive",
  );
  if (!enabled || !fields.includes("ruleId"))
    throw new RulesetsError(`the plan of ${zone.name} does not include security events`, {
      code: "ANALYTICS_UNAVAILABLE",
    });
  const kept = notOlderThan === 0 ? seconds : Math.min(seconds, notOlderThan);
  const notes =
    kept < seconds
      ? [`The plan of ${zone.name} keeps security events for ${String(Math.floor(kept / 3600))} hours.`]
      : [];
  // Events of this moment are still part of the last period.
  const period = { from: now - kept * 1000, until: now + 1 };
  for (const part of partsOf(period, maxDuration).toReversed()) {
    const events = await client.analytics.eventsOfRay(zone.id, ray, part, fields);
    if (events.length > 0) return { events, notes };
  }
  return { events: [], notes };
}
