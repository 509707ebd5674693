import { REQUEST_PHASES } from "../../simulator/phases.js";
import { listSkipped } from "../order/skips.js";
import { isSkipping, type Step } from "../program/steps.js";
import type { AnalysisFinding } from "./finding.js";

/** Skip rules that come after everything they would skip. */
export function checkLateSkips(steps: readonly Step[]): readonly AnalysisFinding[] {
  return steps.flatMap((step, index) => {
    if (step.effect.kind !== "skip") return [];
    const { target } = step.effect;
    // What runs after a ruleset that is executed elsewhere is not known, only what follows in the ruleset itself.
    if (step.isApart && listSkipped(target).some((skipped) => skipped.kind !== "rest" || skipped.of === "phase"))
      return [];
    // Other products run elsewhere, and later phases may have rules that are not given.
    if (target.products.length > 0 || target.phases.some((phase) => isLater(phase, step.phase))) return [];
    if (steps.slice(index + 1).some((other) => isSkipping(step, other) && other.ruleset !== step.ruleset)) return [];
    if (steps.slice(index + 1).some((other) => isSkipping(step, other))) return [];
    const before = steps.slice(0, index).find((other) => wouldSkip(step, other));
    const isRest = target.restOfRuleset || target.restOfPhase || target.phases.length > 0;
    if (before === undefined && !isRest) return [];
    const message =
      before === undefined
        ? "it skips nothing: there is no later rule that it would skip"
        : `it skips nothing: it only affects later rules, and what it would skip comes before it. To fix this, move it above ${before.rule.place.name}`;
    return [
      {
        check: "late-skip",
        verdict: "proved",
        rule: step.rule.place,
        by: before === undefined ? [] : [before.rule.place],
        message,
      } as const,
    ];
  });
}

/** Whether the rule would be skipped if it came after the skip rule. */
function wouldSkip(skip: Step, other: Step): boolean {
  return other.effect.kind !== "skip" && isSkipping(skip, other);
}

function isLater(phase: string, than: string): boolean {
  const [a, b] = [REQUEST_PHASES.indexOf(phase), REQUEST_PHASES.indexOf(than)];
  return a < 0 || b < 0 || a > b;
}
