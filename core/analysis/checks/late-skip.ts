import { managedRulesetName } from "../../simulator/managed-rulesets.js";
import { lateSkips, type SkipOrder } from "../../simulator/late-skips.js";
import { REQUEST_PHASES } from "../../simulator/phases.js";
import { listSkipped } from "../order/skips.js";
import { isSkipping, type Step } from "../program/steps.js";
import { proved, type AnalysisFinding } from "./finding.js";

/** Skip rules that come after everything they would skip. */
export function checkLateSkips(steps: readonly Step[]): readonly AnalysisFinding[] {
  return lateSkips(steps, ORDER).flatMap(({ index, first }) => {
    const step = steps[index];
    if (step === undefined) return [];
    const before = first === undefined ? undefined : steps[first];
    const message =
      before === undefined
        ? "it skips nothing: there is no later rule that it would skip"
        : `it skips nothing: it only affects later rules, and what it would skip comes before it. To fix this, move it above ${before.rule.place.name}`;
    const by = before === undefined ? [] : [before.rule.place];
    return [{ ...proved("skip-order", message), rule: step.rule.place, by }];
  });
}

const ORDER: SkipOrder<Step> = {
  keyOf: (step) => (isDecidable(step) ? step : undefined),
  maySkip: (skip, later) => isSkipping(skip, later) || mayExecuteSkipped(skip, later),
  wouldSkip,
  isLateAlone: ({ effect }) =>
    effect.kind === "skip" &&
    (effect.target.restOfRuleset || effect.target.restOfPhase || effect.target.phases.length > 0),
};

/** Whether everything that a skip rule would skip is known here. */
function isDecidable({ effect, isApart, phase: own }: Step): boolean {
  if (effect.kind !== "skip") return false;
  const { target } = effect;
  // What runs after a ruleset that is executed elsewhere is not known, only what follows in the ruleset itself.
  if (isApart && listSkipped(target).some((skipped) => skipped.kind !== "rest" || skipped.of === "phase")) return false;
  // Other products run elsewhere, and later phases may have rules that are not given.
  return target.products.length === 0 && !target.phases.some((phase) => isLater(phase, own));
}

/** Whether a rule executes a ruleset that is not known here, and that may execute what is skipped. */
function mayExecuteSkipped({ effect }: Step, { effect: other }: Step): boolean {
  const names = effect.kind === "skip" && (effect.target.rulesets.length > 0 || effect.target.rules.size > 0);
  return names && other.kind === "managed" && managedRulesetName(other.ruleset) === undefined;
}

/** Whether the rule would be skipped if it came after the skip rule. */
function wouldSkip(skip: Step, other: Step): boolean {
  return other.effect.kind !== "skip" && isSkipping(skip, other);
}

function isLater(phase: string, than: string): boolean {
  const [a, b] = [REQUEST_PHASES.indexOf(phase), REQUEST_PHASES.indexOf(than)];
  return a < 0 || b < 0 || a > b;
}
