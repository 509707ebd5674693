import type { AnalysisContext } from "../analysis-context.js";
import { not, or, type Formula } from "../formula/formula.js";
import type { FormulaKeys } from "../formula/key.js";
import type { SkipList } from "../program/skip-list.js";
import type { Step } from "../program/steps.js";
import type { Model } from "../solve/model.js";
import type { SolverResult } from "../solve/solver.js";
import type { RulesVersion } from "./rules-version.js";

/** A version of the rules, and the step of it that requests reach; undefined means the origin. */
export type Destination = readonly [version: RulesVersion, target: Step | undefined];

/** The maximum number of searches for one question. */
const MOST_ROUNDS = 80;

/** Searches for a request that reaches all of several steps, and satisfies more conditions. */
export function findReaching(
  destinations: readonly Destination[],
  more: readonly Formula[],
  world: AnalysisContext,
): SolverResult {
  const notActing = destinations.flatMap(([, target]) => target?.skippedBy ?? []);
  const reaching = destinations.map(([side, target]) => new ReachCondition(side, target, notActing, world.keys));
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const answer = world.solve(...more, ...reaching.flatMap((one) => one.formulas()));
    if (answer.kind !== "sat") return answer;
    const { model } = answer;
    if (reaching.filter((one) => one.refine(model)).length === 0) return answer;
  }
  return { kind: "unknown" };
}

/**
 * The condition that requests reach a step, or the origin. What keeps them from it, earlier steps that would stop them and
 * exceptions from the step, is excluded piece by piece, as the search finds it.
 */
class ReachCondition {
  /** By what is excluded: a step, or the violated part of the exceptions. */
  private readonly excluded = new Map<Step | Formula, Formula>();

  constructor(
    private readonly side: RulesVersion,
    /** Undefined means the origin. */
    readonly target: Step | undefined,
    /** Skip rules that do not act on the requests in question. */
    private readonly notActing: readonly SkipList[],
    private readonly keys: FormulaKeys,
  ) {}

  formulas(): readonly Formula[] {
    const { target } = this;
    return [...(target === undefined ? [] : [target.entry, target.ends]), ...this.excluded.values()];
  }

  /** Excludes what keeps the request from the step; false if there is nothing more. */
  refine(model: Model): boolean {
    const before = this.excluded.size;
    const violated = this.target?.skippedBy.parts.filter((part) => !model.satisfies(part)) ?? [];
    for (const part of violated) this.excluded.set(part, part);
    if (violated.length === 0) this.excludeStop(model);
    return this.excluded.size > before;
  }

  private excludeStop(model: Model): void {
    const stop = this.side.firstStop(model, this.target);
    if (stop === undefined || this.excluded.has(stop)) return;
    this.excluded.set(stop, or([not(stop.entry), not(stop.ends), stop.skippedBy.someActs(this.notActing, this.keys)]));
  }
}
