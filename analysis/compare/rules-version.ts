import { not, or, type Formula } from "../formula/formula.js";
import type { FormulaKeys } from "../formula/key.js";
import type { SkipList } from "../program/skip-list.js";
import { StepIndex } from "../program/step-index.js";
import type { Step } from "../program/steps.js";
import type { Model } from "../solve/model.js";

const FEW_QUESTIONS = 16;

/** One version of the rules, as a list of steps. */
export class RulesVersion {
  private index: StepIndex | undefined;
  private questions = 0;
  private readonly places: ReadonlyMap<Step, number>;
  readonly stops: readonly Step[];
  /** Of the steps that stop requests, two of each outcome with different effects: what holds for them holds for all. */
  readonly kindsOfStops: readonly Step[];
  readonly skips: readonly Step[];

  readonly steps: readonly Step[];
  private readonly byEffect = new Map<string, Step[]>();

  constructor(
    readonly name: "before" | "after",
    all: readonly Step[],
  ) {
    this.steps = all.filter(({ isApart }) => !isApart);
    this.places = new Map(this.steps.map((step, index) => [step, index]));
    this.stops = this.steps.filter(({ effect }) => effect.kind === "stop" || effect.kind === "unknown");
    this.kindsOfStops = kindsOf(this.stops);
    this.skips = this.steps.filter(({ effect }) => effect.kind === "skip");
    for (const step of this.steps) {
      const effect = effectOf(step);
      this.byEffect.set(effect, this.byEffect.get(effect) ?? []);
      this.byEffect.get(effect)?.push(step);
    }
  }

  /** The steps with the effect of a step, in its phase. */
  withEffectOf(step: Step): readonly Step[] {
    return this.byEffect.get(effectOf(step)) ?? [];
  }

  /** The step that does the same, with the same ruleset if it executes one. */
  twinOf(step: Step): Step | undefined {
    const same = this.withEffectOf(step);
    if (same.length > 0) return same[0];
    const { effect } = step;
    if (effect.kind !== "managed") return undefined;
    return this.steps.find(
      (one) => one.phase === step.phase && one.effect.kind === "managed" && one.effect.ruleset === effect.ruleset,
    );
  }

  /** Whether one step of this version comes before another one. */
  isBefore(step: Step, other: Step): boolean {
    return (this.places.get(step) ?? 0) < (this.places.get(other) ?? 0);
  }

  /** The first step that stops the request, before a given step if there is one. */
  firstStop(model: Model, before?: Step): Step | undefined {
    const end = before === undefined ? Number.POSITIVE_INFINITY : (this.places.get(before) ?? 0);
    const stop = this.findStop(model);
    return stop !== undefined && (this.places.get(stop) ?? 0) < end ? stop : undefined;
  }

  /** The first step that stops the request. An index is only worth its cost for many requests. */
  private findStop(model: Model): Step | undefined {
    this.questions += 1;
    const stops = (step: Step): boolean => model.satisfies(step.guard);
    if (this.questions <= FEW_QUESTIONS) return this.stops.find(stops);
    this.index ??= new StepIndex(this.stops);
    return this.index.find(model, stops);
  }
}

/**
 * The condition that requests reach a step, or the origin. What keeps them from it, earlier steps that would stop them and
 * exceptions from the step, is excluded piece by piece, as the search finds it.
 */
export class ReachCondition {
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
    return [...(this.target === undefined ? [] : [this.target.entry]), ...this.excluded.values()];
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
    this.excluded.set(stop, or([not(stop.entry), stop.skippedBy.someActs(this.notActing, this.keys)]));
  }
}

function effectOf({ phase, effect }: Step): string {
  return `${phase} ${effect.key}`;
}

function kindsOf(stops: readonly Step[]): readonly Step[] {
  const kinds = new Map<string, Step[]>();
  for (const step of stops) {
    const { effect } = step;
    const kind = effect.kind === "stop" ? effect.outcome : effect.kind;
    const some = kinds.get(kind) ?? [];
    kinds.set(kind, some);
    if (some.length < 2 && some.every((one) => one.effect.key !== effect.key)) some.push(step);
  }
  return Array.from(kinds.values()).flat();
}
