import type { AnalyticsGroup, Client } from "../../../../provider/client/index.js";
import { compileVersions, type RulesetInput } from "../../../../simulator/index.js";
import { writeOutput } from "../../../write-output.js";
import type { ProgramOptions } from "../../source/program.js";
import { readPair } from "../../source/pair.js";
import { hasRateLimits, withoutRateLimits } from "../rate-limits.js";
import { replayGroups, type Counted } from "./count.js";
import { estimate } from "./estimate.js";
import { readAnalytics, sinceSeconds } from "./read.js";
import { renderAnalytics, type AnalyticsReport } from "./render.js";

export interface AnalyticsCommand extends ProgramOptions {
  /** A time such as `7d`. */
  readonly since: string;
  /** The zone whose analytics are read. */
  readonly zone: string;
  /** @default what is deployed in the zone */
  readonly before?: string;
  readonly after: string;
  /** `false` with --no-looser: fail when a request is stopped less firmly. */
  readonly looser: boolean;
  readonly json?: boolean;
  readonly output?: string;
}

export interface AnalyticsContext {
  readonly client: Client;
  readonly print: (line: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Runs the requests that the analytics of a zone have through both versions of the rules, and returns the exit code. */
export async function runAnalyticsReplay(
  options: AnalyticsCommand,
  { client, print, now }: AnalyticsContext,
): Promise<0 | 2> {
  const seconds = sinceSeconds(options.since);
  const pair = await readPair(
    options.before,
    options.after,
    { ...options, zone: options.before === undefined ? options.zone : undefined },
    () => client,
  );
  const read = await readAnalytics(client, options.zone, { seconds, now });
  const [before, after] = [pair.before, pair.after].map(withoutRateLimits);
  const limited = hasRateLimits([...pair.before, ...pair.after]);
  const programs = compileVersions(before ?? [], after ?? []);
  const replay = replayGroups(read.groups, { programs, zone: read.zone.id });
  const report: AnalyticsReport = {
    ...replay,
    zone: read.zone.name,
    from: new Date(read.period.from).toISOString(),
    until: new Date(read.period.until).toISOString(),
    all: estimate(read.all),
    events: eventsOf(read.events, [...pair.before, ...pair.after]),
    notes: [
      ...(limited ? ["Rate limits are left out: analytics do not tell the order of requests."] : []),
      ...read.notes,
    ],
    queries: read.queries,
  };
  const text = options.json === true ? JSON.stringify(report, undefined, 2) : renderAnalytics(report);
  writeOutput(pair.hide(text), { output: options.output }, print);
  return !options.looser && report.changes.some(({ direction }) => direction === "looser") ? 2 : 0;
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
