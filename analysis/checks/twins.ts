import { not } from "../formula/formula.js";
import { StepIndex } from "../program/step-index.js";
import type { Step } from "../program/steps.js";
import type { Model } from "../solve/model.js";
import type { AnalysisContext } from "../analysis-context.js";

/** The latest requests that are kept for a rule. */
const MOST_PROBES = 4;

/** Values for which it is known whether a rule matches. */
interface Probe {
  readonly model: Model;
  readonly matches: boolean;
}

/**
 * Finds rules that match the same requests. Most pairs are told apart by a request that already told one of them from another
 * rule, so the number of searches does not grow with the number of pairs.
 */
export class Twins {
  private readonly before = new StepIndex();
  private readonly probes = new Map<Step, readonly Probe[]>();

  constructor(private readonly context: AnalysisContext) {}

  /** The first of the rules given so far that matches the same requests, one of which is given. */
  find(step: Step, model: Model): Step | undefined {
    const isTwin = (other: Step): boolean => haveSamePlace(other, step) && this.areTwins(other, step);
    const twin = this.before.find(model, isTwin, this.context.budget);
    this.before.add(step);
    this.probes.set(step, [{ model, matches: true }]);
    return twin;
  }

  private areTwins(other: Step, step: Step): boolean {
    const probes = this.probes.get(other) ?? [];
    if (probes.some(({ model, matches }) => model.satisfies(step.condition) !== matches)) return false;
    // Two rules that match every request are equal, but that is not a mistake.
    if (this.context.decideAlways(other.condition) === "always") return false;
    const only = this.context.solve(step.condition, not(other.condition));
    // Most later rules match this request too.
    if (only.kind === "sat")
      this.probes.set(other, [{ model: only.model, matches: false }, ...probes].slice(0, MOST_PROBES));
    return only.kind === "unsat" && this.context.isImpossible(other.condition, not(step.condition));
  }
}

/** Whether rules belong to the same list of the same requests. */
function haveSamePlace(other: Step, step: Step): boolean {
  if (other.phase !== step.phase || other.level !== step.level) return false;
  return (!other.isApart && !step.isApart) || other.ruleset === step.ruleset;
}
