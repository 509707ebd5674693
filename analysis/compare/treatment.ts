import type { HttpRequest } from "../../language/index.js";
import {
  simulate,
  type Limits,
  type Program,
  type RulePlace,
  type SimulatedOutcome,
  type Simulation,
} from "../../simulator/index.js";
import { withManagedName } from "../../simulator/managed-rulesets.js";

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
  /** Products outside the ruleset engine, and rules of managed rulesets, that skip rules disable. */
  readonly skipped: readonly string[];
}

/** What an edit does to a request. `other`: it is treated differently, but neither stricter nor looser. */
export type Direction = "stricter" | "looser" | "other" | "same" | "unknown";

interface RunResult {
  readonly treatment: Treatment;
  readonly simulation: Simulation;
  /** How often the request was sent. */
  readonly sent: number;
}

/** What happens to a request in both versions, and how that differs. */
export interface Difference {
  readonly before: Treatment;
  readonly after: Treatment;
  readonly direction: Direction;
  /** How often the request was sent to find out. */
  readonly sent: number;
}

/** The origin's response, so that response phases run. */
const ANSWER = { status: 200 };

const MOST_REPEATS = 1200;

/** Runs a request through both versions; with rate limits, as often as needed to exceed one. */
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
    direction: directionOf(oldRun, newRun),
    sent: oldRun.sent + newRun.sent,
  };
}

interface RunOptions {
  readonly zone?: string;
  /** How often the request is sent while it is allowed. */
  readonly repeats: number;
}

function runUntilDecided(request: HttpRequest, program: Program, { zone, repeats }: RunOptions): RunResult {
  let limits: Limits | undefined;
  for (let passes = 0; ; passes += 1) {
    const simulation = simulate({ program, request, zone, limits, response: ANSWER, clock: 0 });
    limits = simulation.limits;
    const { outcomeWithoutManaged: outcome, rule } = simulation;
    if (outcome === "allowed" && passes < Math.min(repeats, MOST_REPEATS)) continue;
    const skipped = [
      ...simulation.skippedProducts,
      ...simulation.managed.flatMap((run) =>
        run.skippedRules.map((id) => `rule ${withManagedName(id)} of ${withManagedName(run.ruleset)}`),
      ),
    ];
    const managed = simulation.managed
      .filter((run) => run.canStop)
      .map(keyOf)
      .sort();
    const treatment = {
      outcome,
      rule: outcome === "allowed" ? undefined : (rule ?? decider(simulation)),
      managed,
      skipped,
    };
    return { treatment: outcome === "limited" ? { ...treatment, passes } : treatment, simulation, sent: passes + 1 };
  }
}

/** The rule that decided, even if a managed ruleset before it might have. */
function decider({ trace, response }: Simulation): RulePlace | undefined {
  return response === undefined ? undefined : trace.findLast(({ status }) => status === "matched");
}

function keyOf({ ruleset, action, enabled, categories, rules }: Simulation["managed"][number]): string {
  const overrides = { action, enabled, categories, rules };
  return `${ruleset} ${JSON.stringify(overrides)}`;
}

/** How strongly an outcome keeps a client from the origin. */
const RANKS: Readonly<Record<string, number>> = { allowed: 0, redirected: 1, limited: 2, challenged: 3, blocked: 4 };

/** The rank of an outcome; undefined for an unknown one. */
export function rankOf(outcome: SimulatedOutcome): number | undefined {
  return RANKS[outcome];
}

export function byRank(before: number, after: number): "stricter" | "looser" | "other" {
  return after > before ? "stricter" : after < before ? "looser" : "other";
}

function directionOf(before: RunResult, after: RunResult): Direction {
  const [from, to] = [rankOf(before.treatment.outcome), rankOf(after.treatment.outcome)];
  if (from === undefined || to === undefined) return "unknown";
  if (from !== to) return byRank(from, to);
  if (before.treatment.outcome === "limited" && before.treatment.passes !== after.treatment.passes) {
    return byRank(-(before.treatment.passes ?? 0), -(after.treatment.passes ?? 0));
  }
  if (before.treatment.outcome !== "allowed")
    return same(before.simulation.response, after.simulation.response) ? "same" : "other";
  const guarded = [
    bySets(before.treatment.managed, after.treatment.managed),
    bySets(after.treatment.skipped, before.treatment.skipped),
  ].filter((direction) => direction !== "same");
  const [first, ...others] = guarded;
  if (first !== undefined) return others.every((direction) => direction === first) ? first : "other";
  return same(visible(before.simulation), visible(after.simulation)) ? "same" : "other";
}

/** More rulesets that can stop a request are stricter. */
function bySets(before: readonly string[], after: readonly string[]): "stricter" | "looser" | "other" | "same" {
  const lost = before.some((one) => !after.includes(one));
  const won = after.some((one) => !before.includes(one));
  return lost && won ? "other" : won ? "stricter" : lost ? "looser" : "same";
}

function visible({ request, settings, response, score }: Simulation): unknown {
  return { url: request.url, headers: request.headers, settings, response, score };
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
