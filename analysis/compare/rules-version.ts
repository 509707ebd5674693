import { not, type Formula } from "../formula/formula.js";
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

  readonly steps: readonly Step[];

  constructor(
    readonly name: "before" | "after",
    all: readonly Step[],
  ) {
    this.steps = all.filter(({ isApart }) => !isApart);
    this.places = new Map(this.steps.map((step, index) => [step, index]));
    this.stops = this.steps.filter(({ effect }) => effect.kind === "stop" || effect.kind === "unknown");
    this.kindsOfStops = kindsOf(this.stops);
  }

  /** The first step that stops the request, before a given step if there is one. */
  firstStop(model: Model, before?: Step): Step | undefined {
    const end = before === undefined ? Number.POSITIVE_INFINITY : (this.places.get(before) ?? 0);
    return this.matching(model).find((step) => (this.places.get(step) ?? 0) < end && model.satisfies(step.guard));
  }

  /** The steps that may stop a request, in their order. An index is only worth its cost for many requests. */
  private matching(model: Model): readonly Step[] {
    this.questions += 1;
    if (this.questions <= FEW_QUESTIONS) return this.stops;
    this.index ??= new StepIndex(this.stops);
    return this.index.matching(model);
  }
}

/**
 * The condition that requests reach a step, or the origin. Earlier steps that would stop them are excluded one by one, as the
 * search finds them.
 */
export class ReachCondition {
  private readonly excluded = new Set<Step>();

  constructor(
    private readonly side: RulesVersion,
    /** Undefined means the origin. */
    readonly target: Step | undefined,
  ) {}

  formulas(): readonly Formula[] {
    return [
      ...(this.target === undefined ? [] : [this.target.guard]),
      ...Array.from(this.excluded, ({ guard }) => not(guard)),
    ];
  }

  /** Excludes a step that stops the request too early; false if there is none. */
  refine(model: Model): boolean {
    const stop = this.side.firstStop(model, this.target);
    if (stop === undefined || this.excluded.has(stop)) return false;
    this.excluded.add(stop);
    return true;
  }
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
