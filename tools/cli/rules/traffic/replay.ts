import type { AnalyticsGroup } from "../../../../client/index.js";
import { simulate, type ProgramVersions, type Simulation } from "../../../../core/simulator/index.js";
import { describeOutcome, directionOf, mayBeLooser, type Direction } from "./outcome.js";
import { estimate, type Estimate, type Sampled } from "./estimate.js";
import { requestOfGroup } from "./request.js";

/** Something with the number of requests that it is about. */
export interface Counted {
  readonly name: string;
  readonly requests: Estimate;
}

/** A change in the outcome of requests. */
export interface AnalyticsChange {
  readonly from: string;
  readonly to: string;
  readonly direction: Direction;
  readonly requests: Estimate;
  /** The most frequent ones. */
  readonly countries: readonly Counted[];
  readonly paths: readonly Counted[];
}

export interface AnalyticsReplay {
  readonly requests: Estimate;
  readonly outcomes: readonly { readonly outcome: string; readonly before: Estimate; readonly after: Estimate }[];
  readonly changes: readonly AnalyticsChange[];
  /** Why outcomes are unknown, the most frequent reason first. */
  readonly unknown: readonly Counted[];
  /** Requests of which it is not known that they are stopped at least as firmly as before. */
  readonly undecided: Estimate;
  /** Requests of groups that make no request. */
  readonly unread: Estimate;
}

/** Where and when requests are replayed. */
interface ReplayedAt {
  readonly programs: ProgramVersions;
  readonly zone: string;
  /** In milliseconds since 1970. */
  readonly now: number;
}

const MOST = 5;

/** Runs the requests of analytics through both versions of rules, as if they came now: analytics do not tell the time of each. */
export function replayGroups(groups: readonly AnalyticsGroup[], at: ReplayedAt): AnalyticsReplay {
  const [before, after, reasons] = [new Sums(), new Sums(), new Sums()];
  const changes = new Map<
    string,
    Omit<AnalyticsChange, "requests" | "countries" | "paths"> & { readonly groups: AnalyticsGroup[] }
  >();
  const [unread, undecided]: [AnalyticsGroup[], AnalyticsGroup[]] = [[], []];
  for (const group of groups) {
    const seen = simulated(group, at);
    if (seen === undefined) {
      unread.push(group);
      continue;
    }
    const [from, to] = [describeOutcome(seen.before), describeOutcome(seen.after)];
    before.add(from, group);
    after.add(to, group);
    for (const reason of reasonsOf([seen.before, seen.after])) reasons.add(reason, group);
    if (mayBeLooser(seen.before, seen.after)) undecided.push(group);
    if (from === to) continue;
    const key = `${from} → ${to}`;
    const known = changes.get(key) ?? { from, to, direction: directionOf(seen.before, seen.after), groups: [] };
    known.groups.push(group);
    changes.set(key, known);
  }
  const names = new Set([...before.names, ...after.names]);
  return {
    requests: estimate(groups),
    undecided: estimate(undecided),
    unread: estimate(unread),
    outcomes: Array.from(names, (outcome) => ({
      outcome,
      before: before.of(outcome),
      after: after.of(outcome),
    })).toSorted((a, b) => b.before.count + b.after.count - a.before.count - a.after.count),
    changes: Array.from(changes.values(), ({ groups: own, ...change }) => ({
      ...change,
      requests: estimate(own),
      countries: mostOf(own, "clientCountryName"),
      paths: mostOf(own, "clientRequestPath"),
    })).toSorted((a, b) => b.requests.count - a.requests.count),
    unknown: reasons.all(),
  };
}

function simulated(
  { dimensions }: AnalyticsGroup,
  { programs, zone, now }: ReplayedAt,
): { readonly before: Simulation; readonly after: Simulation } | undefined {
  try {
    const request = requestOfGroup(dimensions, now / 1000);
    const run = (version: keyof ProgramVersions): Simulation =>
      simulate({ program: programs[version], request, zone, trace: false });
    return { before: run("before"), after: run("after") };
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function reasonsOf(simulations: readonly Simulation[]): ReadonlySet<string> {
  return new Set(
    simulations.flatMap(({ outcomeWithoutManaged: outcome, undecided }) =>
      outcome === "unknown" ? undecided.flatMap(({ because }) => because.map(inAnalytics)) : [],
    ),
  );
}

/** A reason without the advice for a single request. */
function inAnalytics(because: string): string {
  const [, name] = /^`(.+)` is not known for this request; pass it as .*$/.exec(because) ?? [];
  return name === undefined ? because : `analytics do not have \`${name}\``;
}

function mostOf(groups: readonly AnalyticsGroup[], dimension: string): readonly Counted[] {
  const sums = new Sums();
  for (const group of groups) sums.add(group.dimensions[dimension] ?? "not known", group);
  return sums.all().slice(0, MOST);
}

class Sums {
  private readonly parts = new Map<string, Sampled[]>();

  add(name: string, part: Sampled): void {
    const known = this.parts.get(name);
    if (known === undefined) this.parts.set(name, [part]);
    else known.push(part);
  }

  of(name: string): Estimate {
    return estimate(this.parts.get(name) ?? []);
  }

  get names(): readonly string[] {
    return [...this.parts.keys()];
  }

  all(): readonly Counted[] {
    return this.names
      .map((name) => ({ name, requests: this.of(name) }))
      .toSorted((a, b) => b.requests.count - a.requests.count);
  }
}
