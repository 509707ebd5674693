import type { HttpRequest } from "../../core/language/index.js";
import {
  simulateRequest,
  type Limits,
  type OriginResponse,
  type Program,
  type SimulateInput,
  type Simulation,
  type StartedSimulation,
} from "../../core/simulator/index.js";
import type { Zone } from "../zones/model.js";

interface SimulationInput {
  readonly program: Program;
  readonly zone: Zone;
  readonly request: HttpRequest;
  readonly redirectLists: SimulateInput["redirectLists"];
  /** The origin's response, if the request was forwarded. */
  readonly response?: OriginResponse;
  readonly limits: Limits;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Runs the rules of a zone on a request. */
export function simulateZone({ response, ...input }: SimulationInput): Simulation {
  const { respond, unanswered } = simulateVisit(input);
  return response === undefined ? unanswered() : respond(response);
}

/** Runs the rules of a zone on a request that the origin may answer. */
export function simulateVisit(input: Omit<SimulationInput, "response">): StartedSimulation {
  const { program, request, redirectLists, limits, now, zone } = input;
  const { id, name, plan } = zone;
  return simulateRequest({ program, request, redirectLists, limits, zone: { id, name, plan }, clock: now });
}

/**
 * Adds what the origin's response counted to counters that may have changed since. `before` are the counters when the request
 * was forwarded to the origin, `after` those when the response arrived.
 */
export function withResponseCounts(current: Limits, before: Limits, after: Limits): Limits {
  let limits = current;
  for (const [rule, buckets] of after) {
    for (const [bucket, counter] of buckets) {
      const old = before.get(rule)?.get(bucket);
      const added = counter.count - (old?.count ?? 0);
      const uncertain = counter.uncertain - (old?.uncertain ?? 0);
      if (added === 0 && uncertain === 0) continue;
      const now = limits.get(rule)?.get(bucket) ?? { ...counter, count: 0, uncertain: 0 };
      const sum = { ...now, count: now.count + added, uncertain: now.uncertain + uncertain };
      limits = new Map(limits).set(rule, new Map(limits.get(rule)).set(bucket, sum));
    }
  }
  return limits;
}

/** The rules of one phase. */
export function onlyPhase({ rulesets }: Program, phase: string): Program {
  return { rulesets: rulesets.filter((ruleset) => ruleset.phase === phase) };
}

type Rule = Program["rulesets"][number]["rules"][number];

/** A rule whose challenge a client solves. */
function solved(rule: Rule): Rule {
  const limit = rule.rateLimit === undefined ? {} : { rateLimit: { ...rule.rateLimit, solved: true } };
  return { ...rule, ...limit, effect: { kind: "log" } };
}

/** The same rules for a client that solves every challenge. */
export function withoutChallenges({ rulesets }: Program): Program {
  return {
    rulesets: rulesets.map((ruleset) => ({
      ...ruleset,
      rules: ruleset.rules.map((rule) => (rule.effect.kind === "challenge" ? solved(rule) : rule)),
    })),
  };
}
