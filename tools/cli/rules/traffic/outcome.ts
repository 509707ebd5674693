import { stable } from "../../../../core/analysis/program/stable.js";
import { byRank, rankOf } from "../../../../core/analysis/compare/treatment.js";
import type { RulePlace, Simulation } from "../../../../core/simulator/index.js";

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

/** Whether it is not known here that a request is stopped at least as firmly as before. */
export function mayBeLooser(old: Simulation, fresh: Simulation): boolean {
  const [from, to] = [old, fresh].map((one) => rankOf(one.outcomeWithoutManaged, decider(one)?.action));
  if (to === rankOf("blocked")) return false;
  const isLess =
    from === undefined || to === undefined ? from !== rankOf("allowed") && !isSameDoubt(old, fresh) : false;
  return (
    isLess ||
    managedOf(old).some((run) => !managedOf(fresh).includes(run)) ||
    fresh.skippedProducts.some((product) => !old.skippedProducts.includes(product))
  );
}

/** What may stop a request in managed rulesets, which are not run here. */
function managedOf({ managed }: Simulation): readonly string[] {
  return managed.filter(({ canStop }) => canStop).map((run) => stable(run));
}

/** Whether both depend on the same rules, which stop the same request in the same way if they match. */
function isSameDoubt(old: Simulation, fresh: Simulation): boolean {
  const [one, other] = [old, fresh].map(({ request, undecided, decision, outcomeWithoutManaged }) => {
    if (outcomeWithoutManaged !== "unknown" || undecided.some(({ outcome }) => !STOPS.has(outcome ?? "any")))
      return undefined;
    const rules = undecided.map(({ rule, outcome }) => [rule.phase, rule.level, rule.action, rule.expression, outcome]);
    return stable({ rules, decision: [decision?.outcome, decision?.rule.action], at: [request.url, request.headers] });
  });
  return one !== undefined && one === other;
}

const STOPS: ReadonlySet<string> = new Set(["blocked", "challenged"]);
