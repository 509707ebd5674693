import type { SkipTarget } from "../../simulator/effect.js";
import { FALSE, not, TRUE, type Formula } from "../formula/formula.js";
import type { Step } from "../program/steps.js";
import type { AnalysisContext } from "../analysis-context.js";
import type { ChangedSteps } from "./align.js";
import type { Confirmer } from "./confirm.js";
import { byRank, rankOf } from "./treatment.js";
import type { Change, Evidence } from "./result.js";
import { ReachCondition, type RulesVersion } from "./rules-version.js";

const DIRECTIONS: readonly Change[] = ["stricter", "looser", "other"];

/** The maximum number of searches for one pair of rules. */
const MOST_ROUNDS = 80;

interface Tools {
  readonly world: AnalysisContext;
  readonly confirmer: Confirmer;
  readonly evidence: Evidence;
  /** Formulas that hold in every case. */
  readonly axioms: readonly Formula[];
}

/**
 * Judges the changed rules of one zone. A request that reaches none of them, in either version, meets the same rules in the
 * same order and so has the same outcome: only requests that reach a changed rule need checking.
 */
export class ZoneComparison {
  /** Where one of the versions has several changed steps that change something. */
  private readonly crowdedSlots: ReadonlySet<number | undefined>;

  constructor(
    private readonly changed: ChangedSteps,
    private readonly tools: Tools,
  ) {
    this.crowdedSlots = new Set([...crowdedSlots(changed.before, changed), ...crowdedSlots(changed.after, changed)]);
  }

  /** Judges the changed rules of one version against the other version. */
  judgeAll(own: RulesVersion, other: RulesVersion): void {
    for (const step of this.changed[own.name]) this.judge(step, own, other);
  }

  private judge(step: Step, own: RulesVersion, other: RulesVersion): void {
    const { effect } = step;
    if (step.isApart) {
      // It is not known which requests its ruleset sees.
      for (const direction of DIRECTIONS) this.tools.evidence.leaveOpen(direction, step.rule.place.name);
      return;
    }
    switch (effect.kind) {
      case "nothing":
        return;
      case "skip":
        // The rules that it skips have changed with it; only those elsewhere remain.
        if (skipsElsewhere(effect.target, own)) {
          this.judgeEffect(step, own, other, own.name === "before" ? "stricter" : "looser");
        }
        return;
      case "managed":
        this.judgeEffect(step, own, other, own.name === "before" ? "looser" : "stricter");
        return;
      case "change":
        this.judgeEffect(step, own, other, "other");
        return;
      case "stop":
      case "unknown":
        this.judgeStop(step, own, other);
    }
  }

  /**
   * Finds what happens in the other version to requests that a changed rule stops: another rule stops them, or they reach the
   * origin.
   */
  private judgeStop(step: Step, own: RulesVersion, other: RulesVersion): void {
    const { evidence } = this.tools;
    const difference = this.differenceOf(step);
    if (difference === FALSE) return;
    const rank = rankOfStep(step);
    const wantedAt = (target: Step | undefined): readonly Change[] => {
      if (target?.effect.key === step.effect.key) return [];
      const targetRank = rankOfStep(target);
      const known = rank !== undefined && targetRank !== undefined;
      const possible = !known
        ? DIRECTIONS
        : [own.name === "before" ? byRank(rank, targetRank) : byRank(targetRank, rank)];
      return possible.filter((one) => !evidence.has(one) || (target === undefined && !evidence.isFull));
    };
    const searchAt = (target: Step | undefined): void => {
      const wanted = wantedAt(target);
      if (wanted.length > 0) this.search(step, this.reaching([own, step], [other, target]), [difference], wanted);
    };
    searchAt(undefined);
    // Mostly nothing is left to be shown after that, which one rule of each kind tells.
    if (other.kindsOfStops.every((some) => wantedAt(some).length === 0)) return;
    const { budget } = this.tools.world;
    for (const target of other.stops) {
      if (budget.isSpent) break;
      searchAt(target);
    }
    // What was not searched for stays open.
    if (budget.isSpent) for (const target of other.kindsOfStops) searchAt(target);
  }

  /**
   * When a changed rule acts only in its own version. If the other one has the same rule, with other exceptions, both stop the
   * same requests unless one of those exceptions applies: no rule that differs comes between the same neighbours.
   */
  private differenceOf(step: Step): Formula {
    const counterpart = this.changed.counterparts.get(step);
    return counterpart?.skippedBy.someActs([step.skippedBy], this.tools.world.keys) ?? TRUE;
  }

  /** A rule that stops nothing itself only matters to requests that reach the origin. */
  private judgeEffect(step: Step, own: RulesVersion, other: RulesVersion, direction: Change): void {
    const same = other.withEffectOf(step);
    const [only] = same;
    const isKept =
      only !== undefined && same.length === 1 && (step.effect.kind !== "change" || this.isInPlace(step, only));
    // The other version may have a similar rule in its place, such as one that executes the same ruleset with other overrides.
    const isReplaced = other.hasSimilar(step);
    const more = [step.guard, ...(isKept ? [not(only.guard)] : [])];
    const wanted = isReplaced && direction !== "other" ? [direction, "other" as const] : [direction];
    this.search(step, this.reaching([own, undefined], [other, undefined]), more, wanted);
  }

  /** The conditions that a request reaches one step in one version, and another step in the other one. */
  private reaching(...sides: readonly (readonly [RulesVersion, Step | undefined])[]): readonly ReachCondition[] {
    const notActing = sides.flatMap(([, target]) => target?.skippedBy ?? []);
    return sides.map(([side, target]) => new ReachCondition(side, target, notActing, this.tools.world.keys));
  }

  /** Whether both steps are between the same unchanged steps, so that the same changes overwrite each other. */
  private isInPlace(step: Step, other: Step): boolean {
    const slot = this.changed.slots.get(step);
    return slot === this.changed.slots.get(other) && !this.crowdedSlots.has(slot);
  }

  /** Searches for a request, and runs it through both versions. What is neither shown nor ruled out stays open. */
  private search(
    step: Step,
    reaching: readonly ReachCondition[],
    more: readonly Formula[],
    wanted: readonly Change[],
  ): void {
    const { world: context, confirmer, evidence, axioms } = this.tools;
    const isLimited = step.over !== undefined || reaching.some(({ target }) => target?.over !== undefined);
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const answer = context.solve(...axioms, ...more, ...reaching.flatMap((one) => one.formulas()));
      if (answer.kind === "unsat") return;
      if (answer.kind === "unknown") break;
      const { model } = answer;
      if (reaching.filter((one) => one.refine(model)).length > 0) continue;
      const witness = confirmer.confirm(model, isLimited);
      if (witness !== undefined) evidence.add(witness);
      break;
    }
    for (const direction of wanted) evidence.leaveOpen(direction, step.rule.place.name);
  }
}

function crowdedSlots(steps: readonly Step[], { slots }: ChangedSteps): readonly (number | undefined)[] {
  const seen = new Set<number | undefined>();
  return steps.flatMap((step) => {
    if (step.effect.kind !== "change") return [];
    const slot = slots.get(step);
    if (seen.has(slot)) return [slot];
    seen.add(slot);
    return [];
  });
}

/** Whether a skip rule names something whose rules are not given. */
function skipsElsewhere(target: SkipTarget, { steps }: RulesVersion): boolean {
  const rulesets = new Set(steps.flatMap(({ ruleset }) => ruleset.id ?? []));
  const executed = new Set(steps.flatMap(({ rule }) => (rule.effect.kind === "execute" ? [rule.effect.id] : [])));
  return (
    target.products.length > 0 ||
    target.phases.some((phase) => !steps.some((step) => step.phase === phase)) ||
    target.rulesets.some((id) => !rulesets.has(id) && !executed.has(id)) ||
    Array.from(target.rules.keys()).some((id) => !rulesets.has(id))
  );
}

/** Undefined if the effect of a rule is not known; the origin has the rank of "allowed". */
function rankOfStep(step: Step | undefined): number | undefined {
  if (step === undefined) return rankOf("allowed");
  return step.effect.kind === "stop" ? rankOf(step.effect.outcome) : undefined;
}
