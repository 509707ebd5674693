import type { AnalyticsGroup, Client, Period } from "../../../../client/index.js";
import { RulesetsError } from "../../../../core/model/errors.js";
import { DIMENSIONS } from "./request.js";

/** The requests of a zone as its analytics have them. */
export interface ReadRequests {
  readonly period: Period;
  /** The period in parts that one query can be about. */
  readonly parts: readonly Period[];
  readonly groups: readonly AnalyticsGroup[];
  /** All requests of the period, of which the groups may be a part. */
  readonly all: readonly AnalyticsGroup[];
  /** What a reader should know: what is missing, and why. */
  readonly notes: readonly string[];
  /** The most groups in one answer. */
  readonly limit: number;
  /** The number of requests that were made. */
  readonly queries: number;
}

/** The most groups to ask for in one query, if the zone's plan says nothing. */
const PAGE = 10_000;

/**
 * Reads the requests of a zone since a time, in as many queries as its plan requires.
 * @throws RulesetsError if its analytics cannot be read, or do not tell enough
 */
export async function readRequests(
  client: Pick<Client, "analytics">,
  zone: { readonly id: string; readonly name: string },
  { seconds, now }: { readonly seconds: number; readonly now: number },
): Promise<ReadRequests> {
  const settings = await client.analytics.settings(zone.id);
  if (!settings.enabled) throw unusable(`the plan of ${zone.name} does not include the analytics of requests`);
  const kept = settings.notOlderThan === 0 ? seconds : Math.min(seconds, settings.notOlderThan);
  const dimensions = DIMENSIONS.filter((name) => settings.fields.includes(name));
  if (!dimensions.includes("clientRequestPath") || !dimensions.includes("clientRequestHTTPHost"))
    throw unusable(`the analytics of ${zone.name} do not include the hosts and paths of requests`);
  const missing = DIMENSIONS.filter((name) => !dimensions.includes(name));
  const period = { from: now - kept * 1000, until: now };
  const limit = settings.maxPageSize === 0 ? PAGE : settings.maxPageSize;
  const parts = partsOf(period, settings.maxDuration);
  const [groups, all]: [AnalyticsGroup[], AnalyticsGroup[]] = [[], []];
  for (const part of parts) {
    const found = await client.analytics.requests(zone.id, part, { dimensions, limit });
    groups.push(...found.groups);
    if (found.all !== undefined) all.push(found.all);
  }
  const notes = [
    ...(kept < seconds ? [`The plan of the zone keeps analytics for ${String(Math.floor(kept / 3600))} hours.`] : []),
    ...(missing.length === 0 ? [] : [`The analytics of this zone do not have ${missing.join(", ")}.`]),
  ];
  return { period, parts, groups, all, notes, limit, queries: 1 + parts.length };
}

/** The error of analytics that can be read, but not used. */
function unusable(message: string): RulesetsError {
  return new RulesetsError(message, { code: "ANALYTICS_UNAVAILABLE" });
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
