import { byRank, rankOf } from "../../analysis/compare/treatment.js";
import type { RulePlace, Simulation } from "../../simulator/index.js";

/** Whether an edit treats a request more or less firmly. */
export type Direction = "stricter" | "looser" | "other";

/** `blocked by "name"`, or the outcome alone. */
export function describeOutcome(simulation: Simulation): string {
  const by = decider(simulation);
  const { outcomeWithoutManaged: outcome } = simulation;
  return by === undefined ? outcome : `${outcome} by ${by.name}`;
}

/** The rule that decides, or that decides in any case if others might have done so before. */
function decider({ outcomeWithoutManaged: outcome, rule, decision }: Simulation): RulePlace | undefined {
  return outcome === "allowed" || outcome === "unknown" ? undefined : (rule ?? decision?.rule);
}

export function directionOf(old: Simulation, fresh: Simulation): Direction {
  const [from, to] = [old, fresh].map((one) => rankOf(one.outcomeWithoutManaged, decider(one)?.action));
  return from === undefined || to === undefined ? "other" : byRank(from, to);
}
