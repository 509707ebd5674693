import {
  ApiError,
  type AnalyticsGroup,
  type Client,
  type Period,
  type Zone,
} from "../../../../provider/client/index.js";
import { findZones } from "../../../zones.js";
import { DIMENSIONS } from "./request.js";

/** The requests of a zone as its analytics have them. */
export interface ReadAnalytics {
  readonly zone: Zone;
  readonly period: Period;
  readonly groups: readonly AnalyticsGroup[];
  /** All requests of the period, of which the groups may be a part. */
  readonly all: readonly AnalyticsGroup[];
  /** How often rules acted, by `ruleId` and `action`. */
  readonly events: readonly AnalyticsGroup[];
  /** What a reader should know: what is missing, and why. */
  readonly notes: readonly string[];
  /** The number of requests that were made. */
  readonly queries: number;
}

const UNITS: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Seconds of a time such as `7d`. */
export function sinceSeconds(text: string): number {
  const [, number = "", unit = ""] = /^(\d+)([mhdw])$/.exec(text) ?? [];
  const seconds = Number(number) * (UNITS[unit] ?? 0);
  if (seconds > 0) return seconds;
  throw new Error(`--since must be a time such as 90m, 24h, 7d or 4w, not ${JSON.stringify(text)}`);
}

/** The most groups to ask for in one query, if the zone's plan says nothing. */
const PAGE = 10_000;

/** Reads the requests since a time, in as many queries as the plan of the zone requires. */
export async function readAnalytics(
  client: Client,
  named: string,
  { seconds, now }: { readonly seconds: number; readonly now: number },
): Promise<ReadAnalytics> {
  const zone = await zoneNamed(client, named);
  const settings = await client.analytics.settings(zone.id);
  if (!settings.enabled) throw new Error(`the plan of ${zone.name} does not include the analytics of requests`);
  const kept = settings.notOlderThan === 0 ? seconds : Math.min(seconds, settings.notOlderThan);
  const dimensions = DIMENSIONS.filter((name) => settings.dimensions.includes(name));
  if (!dimensions.includes("clientRequestPath") || !dimensions.includes("clientRequestHTTPHost"))
    throw new Error(`the analytics of ${zone.name} do not tell the hosts and paths of requests`);
  const missing = DIMENSIONS.filter((name) => !dimensions.includes(name));
  const period = { from: now - kept * 1000, until: now };
  const limit = settings.maxPageSize === 0 ? PAGE : settings.maxPageSize;
  const [groups, all, events]: AnalyticsGroup[][] = [[], [], []];
  const notes = [
    ...(kept < seconds ? [`The plan of the zone keeps analytics for ${String(Math.floor(kept / 3600))} hours.`] : []),
    ...(missing.length === 0 ? [] : [`The analytics of this zone do not have ${missing.join(", ")}.`]),
  ];
  const parts = partsOf(period, settings.maxDuration);
  let hasEvents = true;
  for (const part of parts) {
    const found = await client.analytics.requests(zone.id, part, { dimensions, limit });
    groups?.push(...found.groups);
    if (found.all !== undefined) all?.push(found.all);
    if (!hasEvents) continue;
    try {
      events?.push(...(await client.analytics.events(zone.id, part, limit)));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      hasEvents = false;
      notes.push(`The events of rules could not be read: ${error.message}`);
    }
  }
  const queries = 1 + parts.length + (hasEvents ? parts.length : 1);
  return {
    zone,
    period,
    groups: groups ?? [],
    all: all ?? [],
    events: hasEvents ? (events ?? []) : [],
    notes,
    queries,
  };
}

async function zoneNamed(client: Client, named: string): Promise<Zone> {
  const { zones, failures } = await findZones(client, [named], []);
  const [zone] = zones;
  if (zone === undefined) throw new Error(failures[0]?.failure ?? `there is no zone ${named}`);
  return zone;
}

/** A period in parts that are not longer than one query can be about. */
function partsOf({ from, until }: Period, longest: number): readonly Period[] {
  const length = longest === 0 ? until - from : longest * 1000;
  const count = Math.max(1, Math.ceil((until - from) / length));
  return Array.from({ length: count }, (_, index) => ({
    from: from + index * length,
    until: Math.min(until, from + (index + 1) * length),
  }));
}
