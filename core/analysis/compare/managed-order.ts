import type { AnalysisContext } from "../analysis-context.js";
import type { Step } from "../program/steps.js";
import type { Change } from "./result.js";
import type { RulesVersion } from "./rules-version.js";

/** A step that a managed ruleset has changed places with, and what that may do to requests that both would stop. */
interface FlippedOrder {
  readonly step: Step;
  readonly directions: readonly Change[];
}

/**
 * The steps of the same phase that a managed ruleset has changed places with. The first of two that would stop a request decides
 * how it is stopped, and what a managed ruleset does with a request is not known.
 */
export function flippedOrders(
  step: Step,
  own: RulesVersion,
  other: RulesVersion,
  world: AnalysisContext,
): readonly FlippedOrder[] {
  const twin = other.twinOf(step);
  if (twin === undefined) return [];
  return own.steps.flatMap((by): FlippedOrder[] => {
    if (by === step || by.phase !== step.phase || !mayStop(by)) return [];
    const otherBy = other.twinOf(by);
    if (otherBy === undefined || own.isBefore(step, by) === other.isBefore(twin, otherBy)) return [];
    const directions = directionsOf(step, by, own.isBefore(step, by) === (own.name === "before"));
    return directions.length === 0 || world.isImpossible(step.guard, by.guard) ? [] : [{ step: by, directions }];
  });
}

function mayStop({ effect }: Step): boolean {
  return effect.kind === "managed" || effect.kind === "stop";
}

/** @param wasFirst whether the managed ruleset ran before the other step, and now runs after it */
function directionsOf(managed: Step, by: Step, wasFirst: boolean): readonly Change[] {
  const blocks = by.effect.kind === "stop" && by.effect.outcome === "blocked";
  if (blocks) return [wasFirst ? "stricter" : "looser"];
  const [own, others] = [onlyAction(managed), onlyAction(by)];
  return own !== undefined && own === others ? [] : ["stricter", "looser"];
}

/** The one action of all rules of a managed ruleset, if overrides set it. */
function onlyAction({ effect }: Step): string | undefined {
  if (effect.kind !== "managed") return undefined;
  const { action, categories, rules } = effect.overrides;
  return [...categories, ...rules].every((one) => (one.action ?? action) === action) ? action : undefined;
}
