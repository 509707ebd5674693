import type { HttpRequest } from "../../language/index.js";
import {
  simulate,
  type Limits,
  type Program,
  type RulePlace,
  type SimulatedOutcome,
  type Simulation,
} from "../../simulator/index.js";
import type { ManagedRun } from "../../simulator/managed.js";
import { firmnessOf } from "../order/actions.js";
import { orderOf, type Order } from "../order/order.js";
import { overrideChanges } from "../order/overrides.js";
import { stable } from "../program/stable.js";
import { listSkipped, skippedWords, withoutParts, type Skipped } from "../order/skips.js";

/** What happens to a request. */
export interface Treatment {
  /** As far as known rules decide. */
  readonly outcome: SimulatedOutcome;
  /** The rule that decides. */
  readonly rule?: RulePlace;
  /** For a rate limit: how many requests pass before it takes effect. */
  readonly passes?: number;
  /** Managed and other unknown rulesets that see the request and could stop it. */
  readonly managed: readonly string[];
  /** What skip rules disable elsewhere: products, phases, rulesets, and rules of managed rulesets. */
  readonly skipped: readonly string[];
}

/** What an edit does to a request. `other`: it is treated differently, but neither stricter nor looser. */
export type Direction = "stricter" | "looser" | "other" | "same" | "unknown";

/** How two treatments of a request differ. */
interface Directed {
  readonly direction: Direction;
  /** Set if some rules that may stop the request became weaker, and others stricter. */
  readonly also?: "stricter";
}

interface RunResult {
  readonly treatment: Treatment;
  readonly simulation: Simulation;
  /** How often the request was sent. */
  readonly sent: number;
}

/** What happens to a request in both versions, and how that differs. */
export interface Difference extends Directed {
  readonly before: Treatment;
  readonly after: Treatment;
  /** How often the request was sent to find out. */
  readonly sent: number;
}

/** The origin's response, so that response phases run. */
const ANSWER = { status: 200 };

const MOST_REPEATS = 1200;

/** Runs a request through both versions; with rate limits, until one is exceeded. */
export function difference(
  request: HttpRequest,
  programs: { readonly before: Program; readonly after: Program },
  options: RunOptions,
): Difference {
  const oldRun = runUntilDecided(request, programs.before, options);
  const newRun = runUntilDecided(request, programs.after, options);
  return {
    before: oldRun.treatment,
    after: newRun.treatment,
    ...directionOf(oldRun, newRun),
    sent: oldRun.sent + newRun.sent,
  };
}

/**
 * Sends a request at several times through both versions, until one of them is treated differently, in a wanted direction if
 * there is such a request.
 */
export function differenceOverTime(
  request: HttpRequest,
  programs: { readonly before: Program; readonly after: Program },
  { times, wanted, ...options }: RunOptions & TimedRequests,
): Difference {
  let [before, after]: [RunResult | undefined, RunResult | undefined] = [undefined, undefined];
  let found: Difference = { before: NOTHING, after: NOTHING, direction: "same", sent: 0 };
  let sent = 0;
  for (const clock of times) {
    before = runOnce(request, programs.before, { ...options, clock, limits: before?.simulation.limits });
    after = runOnce(request, programs.after, { ...options, clock, limits: after?.simulation.limits });
    sent += 2;
    const directed = directionOf(before, after);
    const isWanted = shows(directed, wanted);
    if (directed.direction !== "same" && (isWanted || found.direction === "same"))
      found = { before: before.treatment, after: after.treatment, ...directed, sent };
    if (isWanted) break;
  }
  return { ...found, sent };
}

const NOTHING: Treatment = { outcome: "allowed", managed: [], skipped: [] };

interface TimedRequests {
  /** In milliseconds, ascending. */
  readonly times: readonly number[];
  readonly wanted: readonly Direction[];
}

interface RunOptions {
  readonly zone?: string;
  /** How often the request is sent while it is allowed. */
  readonly repeats: number;
  /** Whether something that is skipped may still act, because its rules are not given. */
  readonly isElsewhere: (skipped: Skipped) => boolean;
}

function runUntilDecided(request: HttpRequest, program: Program, options: RunOptions): RunResult {
  let limits: Limits | undefined;
  for (let passes = 0; ; passes += 1) {
    const result = runOnce(request, program, { ...options, clock: 0, limits });
    limits = result.simulation.limits;
    const { treatment } = result;
    if (treatment.outcome === "allowed" && passes < Math.min(options.repeats, MOST_REPEATS)) continue;
    return {
      ...result,
      treatment: treatment.outcome === "limited" ? { ...treatment, passes } : treatment,
      sent: passes + 1,
    };
  }
}

function runOnce(
  request: HttpRequest,
  program: Program,
  { zone, isElsewhere, clock, limits }: RunOptions & { readonly clock: number; readonly limits: Limits | undefined },
): RunResult {
  const simulation = simulate({ program, request, zone, limits, response: ANSWER, clock });
  const { outcomeWithoutManaged: outcome, rule, skips } = simulation;
  const skipped = skips.flatMap(({ target }) => listSkipped(target).filter(isElsewhere));
  const treatment = {
    outcome,
    rule: outcome === "allowed" ? undefined : (rule ?? decider(simulation)),
    managed: simulation.managed
      .filter((run) => run.canStop)
      .map(keyOf)
      .sort(),
    skipped: [
      ...new Set([
        ...withoutParts(skipped).map(skippedWords),
        ...simulation.managed.flatMap((run) =>
          run.skippedRules.map((name) => skippedWords({ kind: "rule", ruleset: run.ruleset, name })),
        ),
      ]),
    ],
  };
  return { treatment, simulation, sent: 1 };
}

/** The rule that decided, even if a managed ruleset before it might have. */
function decider({ trace, response }: Simulation): RulePlace | undefined {
  return response === undefined ? undefined : trace.findLast(({ status }) => status === "matched");
}

function keyOf(run: ManagedRun): string {
  const { ruleset, action, enabled, sensitivityLevel, categories, rules } = run;
  return `${ruleset} ${JSON.stringify({ action, enabled, sensitivityLevel, categories, rules })}`;
}

/** How strongly an outcome keeps a client from the origin. */
const RANKS: Readonly<Record<string, number>> = { allowed: 0, redirected: 1, limited: 2, challenged: 3, blocked: 4 };

/**
 * The rank of an outcome, with the firmness of the action that causes it as the fraction: an interactive challenge is stricter
 * than one that runs unseen. Undefined for an unknown outcome.
 */
export function rankOf(outcome: SimulatedOutcome, action?: string): number | undefined {
  const rank = RANKS[outcome];
  const isGraded = outcome === "limited" || outcome === "challenged";
  return rank === undefined || !isGraded ? rank : rank + firmnessOf(action) / 10;
}

export function byRank(before: number, after: number): "stricter" | "looser" | "other" {
  return after > before ? "stricter" : after < before ? "looser" : "other";
}

/** Whether a difference is one of several kinds. */
export function shows({ direction, also }: Directed, wanted: readonly Direction[]): boolean {
  return wanted.includes(direction) || (also !== undefined && wanted.includes(also));
}

function directionOf(before: RunResult, after: RunResult): Directed {
  const [was, is] = [before.treatment, after.treatment];
  const [from, to] = [rankOf(was.outcome, was.rule?.action), rankOf(is.outcome, is.rule?.action)];
  if (from === undefined || to === undefined) return { direction: "unknown" };
  if (from !== to) return { direction: byRank(from, to) };
  if (was.outcome === "limited" && was.passes !== is.passes)
    return { direction: byRank(-(was.passes ?? 0), -(is.passes ?? 0)) };
  if (was.outcome !== "allowed") {
    const isSame = was.rule?.action === is.rule?.action && same(before.simulation.response, after.simulation.response);
    return { direction: isSame ? "same" : "other" };
  }
  const orders = new Set([
    ...ordersOfRuns(before.simulation.managed, after.simulation.managed),
    ...ordersOfSkips(was.skipped, is.skipped),
  ]);
  // What one part does less is not made up for by what another one does more: they stop different requests.
  if (orders.has("looser")) return { direction: "looser", ...(orders.has("stricter") ? { also: "stricter" } : {}) };
  if (orders.has("mixed")) return { direction: "other" };
  if (orders.has("stricter")) return { direction: "stricter" };
  return { direction: same(visible(before.simulation), visible(after.simulation)) ? "same" : "other" };
}

/** More rulesets that can stop a request are stricter, and so are stricter overrides. One order for each part. */
function ordersOfRuns(before: readonly ManagedRun[], after: readonly ManagedRun[]): readonly Order[] {
  const [old, fresh] = [byRuleset(before), byRuleset(after)];
  const ids = new Set([...old.keys(), ...fresh.keys()]);
  return Array.from(ids).flatMap((id): readonly Order[] => {
    const [was = [], is = []] = [old.get(id), fresh.get(id)];
    const [one, other] = [was[0], is[0]];
    if (one === undefined || other === undefined) return [orderOf(was.length, is.length)];
    if (was.length === 1 && is.length === 1) return overrideChanges(one, other).map(({ order }) => order);
    return [same(was.map(keyOf).sort(), is.map(keyOf).sort()) ? "same" : "mixed"];
  });
}

function byRuleset(runs: readonly ManagedRun[]): ReadonlyMap<string, readonly ManagedRun[]> {
  const groups = new Map<string, ManagedRun[]>();
  for (const run of runs) if (run.canStop) groups.set(run.ruleset, [...(groups.get(run.ruleset) ?? []), run]);
  return groups;
}

function ordersOfSkips(before: readonly string[], after: readonly string[]): readonly Order[] {
  return [
    before.some((one) => !after.includes(one)) ? "stricter" : "same",
    after.some((one) => !before.includes(one)) ? "looser" : "same",
  ];
}

function visible({ request, settings, response, score }: Simulation): unknown {
  return { url: request.url, headers: request.headers, settings, response, score };
}

function same(a: unknown, b: unknown): boolean {
  return stable(a) === stable(b);
}
