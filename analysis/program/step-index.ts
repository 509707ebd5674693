import type { Bytes } from "../../language/value.js";
import type { Formula } from "../formula/formula.js";
import type { TextTerm } from "../formula/term.js";
import type { Model } from "../solve/model.js";
import type { Step } from "./steps.js";

/** Indexes steps by a string that they require, such as a host name, so that only few steps must be tested for a request. */
export class StepIndex {
  /** The position of the only step that requires a string, or of all of them. */
  private readonly byText = new Map<TextTerm, Map<Bytes, number | number[]>>();
  private readonly others: number[] = [];
  private readonly steps: Step[] = [];

  constructor(steps: readonly Step[] = []) {
    for (const step of steps) this.add(step);
  }

  add(step: Step): void {
    const at = this.steps.push(step) - 1;
    const needed = neededTexts(step.condition);
    if (needed === undefined) {
      this.others.push(at);
      return;
    }
    const buckets = this.byText.get(needed.term) ?? new Map<Bytes, number | number[]>();
    this.byText.set(needed.term, buckets);
    for (const value of needed.values) {
      const bucket = buckets.get(value);
      if (bucket === undefined) buckets.set(value, at);
      else if (typeof bucket === "number") buckets.set(value, [bucket, at]);
      else bucket.push(at);
    }
  }

  /** The first step whose condition a request satisfies and that is wanted. */
  find(model: Model, isWanted: (step: Step) => boolean): Step | undefined {
    for (const at of this.candidates(model)) {
      const step = this.steps[at];
      if (step !== undefined && model.satisfies(step.condition) && isWanted(step)) return step;
    }
    return undefined;
  }

  /** The positions of the steps that may match, in their order. */
  private candidates(model: Model): readonly number[] {
    const found: number[] = [];
    for (const [term, buckets] of this.byText) {
      const value = model.get(term);
      if (typeof value === "string") found.push(...[buckets.get(value) ?? []].flat());
    }
    return found.length === 0 ? this.others : [...this.others, ...found].sort((a, b) => a - b);
  }
}

const MOST_VALUES = 64;

/** A string that a formula requires, from a short list. */
function neededTexts(formula: Formula): { readonly term: TextTerm; readonly values: Iterable<Bytes> } | undefined {
  if (formula.kind === "and") {
    for (const item of formula.items) {
      const needed = item.kind === "text" ? neededTexts(item) : undefined;
      if (needed !== undefined) return needed;
    }
  }
  if (formula.kind !== "text" || formula.nil) return undefined;
  const [choice, ...others] = formula.clause;
  const values = choice?.positive === true && others.length === 0 ? choice.base.values : undefined;
  return values === undefined || values.size > MOST_VALUES ? undefined : { term: formula.term, values };
}
