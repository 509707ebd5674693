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
    const stops = ({ guard, ends }: Step): boolean => model.satisfies(guard) && model.satisfies(ends);
    if (this.questions <= FEW_QUESTIONS) return this.stops.find(stops);
    this.index ??= new StepIndex(this.stops);
    return this.index.find(model, stops);
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
