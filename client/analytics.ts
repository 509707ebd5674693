import { isList, isObject, type Json, type JsonObject } from "../core/model/json.js";
import type { Transport } from "./http/index.js";
import { responseText } from "./pages.js";

/** What the plan of a zone allows to ask of its analytics. */
export interface AnalyticsSettings {
  readonly enabled: boolean;
  /** The longest time that one query can be about, in seconds. */
  readonly maxDuration: number;
  /** How old data can be, in seconds. */
  readonly notOlderThan: number;
  /** The most groups in one answer. */
  readonly maxPageSize: number;
  /** The names of fields, of groups those of dimensions. */
  readonly fields: readonly string[];
}

/** Requests, or events, that are equal in some dimensions. */
export interface AnalyticsGroup {
  /** An estimate, if the service has only counted a sample. */
  readonly count: number;
  /** One of how many was counted, on average; 1 if every one was. */
  readonly sampleInterval: number;
  readonly dimensions: Readonly<Record<string, string>>;
}

/** A time in milliseconds since the epoch, to the one before the other. */
export interface Period {
  readonly from: number;
  readonly until: number;
}

/**
 * The analytics of zones, as adaptive samples: https://developers.cloudflare.com/analytics/graphql-api/. Zones are named by their
 * ID.
 */
export class AnalyticsClient {
  constructor(private readonly transport: Transport) {}

  /** See https://developers.cloudflare.com/analytics/graphql-api/features/discovery/settings/. */
  async settings(zoneId: string): Promise<AnalyticsSettings> {
    const zone = await this.zone(
      zoneId,
      "settings { httpRequestsAdaptiveGroups { enabled maxDuration notOlderThan maxPageSize availableFields } }",
    );
    const found = isObject(zone.settings) ? zone.settings.httpRequestsAdaptiveGroups : undefined;
    const wire: JsonObject = isObject(found) ? found : {};
    const number = (value: Json | undefined): number => (typeof value === "number" ? value : 0);
    return {
      enabled: wire.enabled === true,
      maxDuration: number(wire.maxDuration),
      notOlderThan: number(wire.notOlderThan),
      maxPageSize: number(wire.maxPageSize),
      fields: (isList(wire.availableFields) ? wire.availableFields : []).map((field) =>
        responseText(field).replace(/^dimensions_/, ""),
      ),
    };
  }

  /** The groups of requests with the most requests, and all requests of the period as one group. */
  async requests(
    zoneId: string,
    period: Period,
    { dimensions, limit }: { readonly dimensions: readonly string[]; readonly limit: number },
  ): Promise<{ readonly groups: readonly AnalyticsGroup[]; readonly all: AnalyticsGroup | undefined }> {
    const filter = `{ ${timeFilter(period)}, requestSource: "eyeball" }`;
    const zone = await this.zone(
      zoneId,
      `groups: httpRequestsAdaptiveGroups(limit: ${String(limit)}, filter: ${filter}, orderBy: [count_DESC]) ` +
        `{ count avg { sampleInterval } dimensions { ${dimensions.join(" ")} } } ` +
        `all: httpRequestsAdaptiveGroups(limit: 1, filter: ${filter}) { count avg { sampleInterval } }`,
    );
    return { groups: groupsIn(zone.groups), all: groupsIn(zone.all)[0] };
  }

  /** How often rules acted, by the ID of the rule and its action. */
  async events(zoneId: string, period: Period, limit: number): Promise<readonly AnalyticsGroup[]> {
    const zone = await this.zone(
      zoneId,
      `events: firewallEventsAdaptiveGroups(limit: ${String(limit)}, filter: { ${timeFilter(period)} }, orderBy: [count_DESC]) ` +
        "{ count avg { sampleInterval } dimensions { action ruleId } }",
    );
    return groupsIn(zone.events);
  }

  private async zone(zoneId: string, selection: string): Promise<JsonObject> {
    const query = `{ viewer { zones(filter: { zoneTag: ${JSON.stringify(zoneId)} }) { ${selection} } } }`;
    const { result } = await this.transport.send({
      method: "POST",
      path: "/graphql",
      body: { query },
      onlyReads: true,
    });
    const viewer = isObject(result) && isObject(result.viewer) ? result.viewer : {};
    const [zone] = isList(viewer.zones) ? viewer.zones : [];
    return isObject(zone) ? zone : {};
  }
}

function timeFilter({ from, until }: Period): string {
  const text = (time: number): string => JSON.stringify(new Date(time).toISOString());
  return `datetime_geq: ${text(from)}, datetime_lt: ${text(until)}`;
}

function groupsIn(value: unknown): readonly AnalyticsGroup[] {
  return (isList(value) ? value : []).filter(isObject).map(({ count, avg, dimensions }) => {
    const interval = isObject(avg) ? avg.sampleInterval : undefined;
    return {
      count: typeof count === "number" ? count : 0,
      sampleInterval: typeof interval === "number" && interval > 1 ? interval : 1,
      dimensions: Object.fromEntries(
        Object.entries(isObject(dimensions) ? dimensions : {}).map(([name, item]) => [name, responseText(item)]),
      ),
    };
  });
}
