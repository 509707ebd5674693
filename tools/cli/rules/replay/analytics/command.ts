import { ApiError, type AnalyticsGroup, type Client, type Zone } from "../../../../../client/index.js";
import { PERIODS, secondsOfPeriod } from "../../../../../core/model/numbers.js";
import { estimate } from "../../traffic/estimate.js";
import { readRequests, type ReadRequests } from "../../traffic/read.js";
import { replayGroups, type Counted } from "../../traffic/replay.js";
import { compileVersions, type RulesetInput } from "../../../../../core/simulator/index.js";
import { findZones } from "../../../zones.js";
import { writeOutput } from "../../../write-output.js";
import type { ProgramOptions } from "../../../../rules-files/loaded.js";
import { readPair } from "../../source/pair.js";
import { hasRateLimits, withoutRateLimits } from "../rate-limits.js";
import { renderAnalytics, type AnalyticsReport } from "./render.js";

interface AnalyticsCommand extends ProgramOptions {
  /** A time such as `7d`. */
  readonly since: string;
  /** The zone whose analytics are read. */
  readonly zone: string;
  /** @default what is deployed in the zone */
  readonly before?: string;
  readonly after: string;
  /** `false` with --no-looser: fail when enforcement weakens, or may weaken. */
  readonly looser: boolean;
  /** With --no-looser, pass unless a request shows that enforcement weakens. */
  readonly allowUnknown?: boolean;
  readonly json?: boolean;
  readonly output?: string;
}

interface AnalyticsContext {
  readonly client: Client;
  readonly print: (line: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Runs the requests that the analytics of a zone have through both versions of the rules, and returns the exit code. */
export async function runAnalyticsReplay(
  options: AnalyticsCommand,
  { client, print, now }: AnalyticsContext,
): Promise<0 | 2 | 3> {
  const seconds = sinceSeconds(options.since);
  const pair = await readPair(
    options.before,
    options.after,
    { ...options, zone: options.before === undefined ? options.zone : undefined },
    () => client,
  );
  const zone = await zoneNamed(client, options.zone);
  const read = await readRequests(client, zone, { seconds, now });
  const events = await readEvents(client, zone, read);
  const [before, after] = [pair.before, pair.after].map(withoutRateLimits);
  const limited = hasRateLimits([...pair.before, ...pair.after]);
  const programs = compileVersions(before ?? [], after ?? []);
  const replay = replayGroups(read.groups, { programs, zone: zone.id, now: read.period.until });
  const report: AnalyticsReport = {
    ...replay,
    zone: zone.name,
    from: new Date(read.period.from).toISOString(),
    until: new Date(read.period.until).toISOString(),
    all: estimate(read.all),
    events: eventsOf(events.groups, [...pair.before, ...pair.after]),
    notes: [
      ...pair.notes,
      ...(limited ? ["Rate limits are left out: analytics do not have the order of requests."] : []),
      ...read.notes,
      ...events.notes,
    ],
    queries: read.queries + events.queries,
  };
  const text = options.json === true ? JSON.stringify(report, undefined, 2) : renderAnalytics(report);
  writeOutput(pair.hide(text), { output: options.output }, print);
  if (options.looser) return 0;
  if (report.changes.some(({ direction }) => direction === "looser")) return 2;
  if (options.allowUnknown === true) return 0;
  if (report.undecided.count > 0) return 2;
  // Nothing is known of requests that were not replayed.
  const { requests, unread, all } = report;
  const isWhole = requests.count > 0 && unread.count === 0 && requests.count >= all.count;
  return pair.unread.length > 0 || limited || !isWhole ? 3 : 0;
}

function sinceSeconds(text: string): number {
  const seconds = secondsOfPeriod(text);
  if (seconds === undefined) throw new Error(`--since must be ${PERIODS}, not ${JSON.stringify(text)}`);
  return seconds;
}

async function zoneNamed(client: Client, named: string): Promise<Zone> {
  const { zones, failures } = await findZones(client, [named], []);
  const [zone] = zones;
  if (zone === undefined) throw new Error(failures[0]?.failure ?? `there is no zone ${named}`);
  return zone;
}

/** How often rules acted in the same time, by `ruleId` and `action`; a note if that cannot be read. */
async function readEvents(
  client: Client,
  zone: Zone,
  { parts, limit }: ReadRequests,
): Promise<{ readonly groups: readonly AnalyticsGroup[] } & Pick<ReadRequests, "notes" | "queries">> {
  const groups: AnalyticsGroup[] = [];
  try {
    for (const part of parts) groups.push(...(await client.analytics.events(zone.id, part, limit)));
    return { groups, notes: [], queries: parts.length };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { groups: [], notes: [`The events of rules could not be read: ${error.message}`], queries: 1 };
  }
}
/** `block by "Block admin"`, or the ID of a rule that neither version has. */
function eventsOf(events: readonly AnalyticsGroup[], rulesets: readonly RulesetInput[]): readonly Counted[] {
  const names = new Map(
    rulesets.flatMap(({ rules }) => rules.map(({ id, description, ref }) => [id, description ?? ref] as const)),
  );
  const groups = new Map<string, AnalyticsGroup[]>();
  for (const event of events) {
    const { action = "", ruleId = "" } = event.dimensions;
    const name = `${action} by ${JSON.stringify(names.get(ruleId) ?? ruleId)}`;
    groups.set(name, [...(groups.get(name) ?? []), event]);
  }
  return Array.from(groups, ([name, own]) => ({ name, requests: estimate(own) })).toSorted(
    (a, b) => b.requests.count - a.requests.count,
  );
}
