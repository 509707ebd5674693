import { QueryError, type Field } from "./graphql.js";

/** A request or an event of a zone. */
type Row = Readonly<Record<string, unknown>> & { readonly datetime: string; readonly zoneTag: string };

/** What the emulator counts, and how coarsely. */
interface Analytics {
  readonly zones: readonly string[];
  readonly requests: readonly Row[];
  readonly events: readonly Row[];
  /** One of how many is counted. */
  readonly sampleInterval: number;
  /** In seconds. */
  readonly maxDuration: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The dimensions of the emulator's own logs. */
const DIMENSIONS: Readonly<Record<string, readonly string[]>> = {
  httpRequestsAdaptiveGroups: [
    ...["clientIP", "clientCountryName", "clientRequestHTTPMethodName", "clientRequestHTTPHost", "clientRequestPath"],
    ...["clientRequestQuery", "userAgent", "edgeResponseStatus", "securityAction"],
  ],
  firewallEventsAdaptiveGroups: [
    ...["clientIP", "clientCountryName", "clientRequestHTTPMethodName", "clientRequestHTTPHost", "clientRequestPath"],
    ...["clientRequestQuery", "userAgent", "action", "source", "ruleId", "rulesetId", "description"],
  ],
};
const MAX_PAGE = 10_000;
const KEPT_SECONDS = 30 * 86_400;

/** Answers a query about zones. */
export function answerQuery(fields: readonly Field[], analytics: Analytics): object {
  return answered(fields, (field) => {
    if (field.name !== "viewer") throw unknownField(field, "the query");
    return answered(field.fields, (each) => zonesOf(each, analytics));
  });
}

function answered(fields: readonly Field[], answer: (field: Field) => unknown): object {
  if (fields.length === 0) throw new QueryError("nothing is selected");
  return Object.fromEntries(fields.map((field) => [field.alias, answer(field)]));
}

function unknownField({ name }: Field, where: string): QueryError {
  return new QueryError(`unknown field "${name}" in ${where}`);
}

function zonesOf(field: Field, analytics: Analytics): unknown {
  if (field.name !== "zones") throw unknownField(field, "viewer");
  const { zoneTag, zoneTag_in: several } = (field.arguments.filter ?? {}) as {
    zoneTag?: string;
    zoneTag_in?: string[];
  };
  const wanted = several ?? [zoneTag ?? ""];
  const foreign = wanted.find((tag) => !analytics.zones.includes(tag));
  if (foreign !== undefined) throw new QueryError(`not authorized for that zone: ${foreign}`);
  return wanted.map((tag) => answered(field.fields, (each) => ofZone(each, tag, analytics)));
}

function ofZone(field: Field, zoneTag: string, analytics: Analytics): unknown {
  if (field.name === "zoneTag") return zoneTag;
  if (field.name === "settings") return answered(field.fields, (each) => settingsOf(each, analytics));
  const rows = field.name === "httpRequestsAdaptiveGroups" ? analytics.requests : analytics.events;
  const own = rows.filter((row) => row.zoneTag === zoneTag);
  if (DIMENSIONS[field.name] === undefined) throw unknownField(field, "zone");
  return groupsOf(field, own, analytics);
}

function settingsOf(dataset: Field, { maxDuration }: Analytics): unknown {
  const dimensions = DIMENSIONS[dataset.name]?.map((name) => `dimensions_${name}`);
  if (dimensions === undefined) throw unknownField(dataset, "settings");
  const settings: Readonly<Record<string, unknown>> = {
    enabled: true,
    maxDuration,
    notOlderThan: KEPT_SECONDS,
    maxPageSize: MAX_PAGE,
    maxNumberOfFields: 30,
    availableFields: ["count", "avg_sampleInterval", ...dimensions],
  };
  return answered(dataset.fields, (field) => {
    if (!Object.hasOwn(settings, field.name)) throw unknownField(field, dataset.name);
    return settings[field.name];
  });
}

/** Groups of the requests or events that a field asks for: of those that match, every nth is kept, and stands for n. */
function groupsOf(field: Field, rows: readonly Row[], analytics: Analytics): unknown {
  const {
    filter = {},
    limit,
    orderBy = [],
  } = field.arguments as {
    readonly filter?: Readonly<Record<string, unknown>>;
    readonly limit?: number;
    readonly orderBy?: readonly string[];
  };
  if (limit === undefined || limit > MAX_PAGE)
    throw new QueryError(`limit must be given, and at most ${String(MAX_PAGE)}`);
  checkPeriod(filter, analytics);
  const counted = rows
    .filter((row) => matches(row, filter))
    .filter((_, index) => index % analytics.sampleInterval === 0);
  const { sampleInterval } = analytics;
  const selected = field.fields.find(({ name }) => name === "dimensions")?.fields ?? [];
  const dimensions = DIMENSIONS[field.name] ?? [];
  for (const each of selected)
    if (!dimensions.includes(each.name)) throw unknownField(each, `${field.name}.dimensions`);
  const groups = new Map<string, { readonly row: Row; count: number }>();
  for (const row of counted) {
    const key = JSON.stringify(selected.map(({ name }) => row[name]));
    const group = groups.get(key) ?? { row, count: 0 };
    group.count += sampleInterval;
    groups.set(key, group);
  }
  const all = [...groups.values()];
  const sorted = orderBy.includes("count_DESC") ? all.toSorted((a, b) => b.count - a.count) : all;
  return sorted.slice(0, limit).map(({ row, count }) =>
    answered(field.fields, (each) => {
      if (each.name === "count") return count;
      if (each.name === "avg") return answered(each.fields, () => sampleInterval);
      if (each.name === "dimensions") return answered(each.fields, ({ name }) => row[name] ?? "");
      throw unknownField(each, field.name);
    }),
  );
}

/** As for a plan: https://developers.cloudflare.com/analytics/graphql-api/limits/. */
function checkPeriod(filter: Readonly<Record<string, unknown>>, { maxDuration, now }: Analytics): void {
  const time = (...names: readonly string[]): number =>
    Date.parse(names.map((name) => filter[name]).find((value) => typeof value === "string") ?? "");
  const from = time("datetime_geq", "datetime_gt");
  const until = time("datetime_lt", "datetime_leq");
  if (Number.isNaN(from) || Number.isNaN(until)) throw new QueryError("the filter needs datetime_geq and datetime_lt");
  if ((until - from) / 1000 > maxDuration)
    throw new QueryError(`query time range is too large: cannot request more than ${String(maxDuration)}s`);
  if ((now - from) / 1000 > KEPT_SECONDS + 1)
    throw new QueryError(`cannot request data older than ${String(KEPT_SECONDS)}s`);
}

const COMPARE: Readonly<Record<string, (value: string, bound: string) => boolean>> = {
  geq: (value, bound) => value >= bound,
  gt: (value, bound) => value > bound,
  leq: (value, bound) => value <= bound,
  lt: (value, bound) => value < bound,
  neq: (value, bound) => value !== bound,
};

function matches(row: Row, filter: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(filter).every(([key, bound]) => {
    // Every request of the emulator comes from a client.
    if (key === "requestSource") return bound === "eyeball";
    const [, name = key, operator] = /^(\w+)_(geq|gt|leq|lt|neq)$/.exec(key) ?? [];
    const [value, wanted] = [String(row[name]), String(bound)];
    return operator === undefined ? value === wanted : (COMPARE[operator]?.(value, wanted) ?? false);
  });
}
