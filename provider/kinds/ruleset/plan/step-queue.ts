import type { Step } from "./steps.js";

/**
 * The steps of a change, in order. If the service rejects a step that a later deletion would make possible, such as
 * adding a rule when the plan's limit is reached, one deletion is moved before it. If there is none, the step is
 * postponed for as long as the other steps succeed.
 */
export class StepQueue {
  private readonly waiting: Step[];
  private readonly deletions: Step[];
  /** The number of completed steps when a step was last postponed without a deletion that helps. */
  private stuckAt: number | undefined;
  private done = 0;
  private readonly urgent: Step[] = [];

  constructor(steps: readonly Step[]) {
    this.waiting = steps.filter(({ kind }) => kind !== "delete").reverse();
    this.deletions = steps.filter(({ kind }) => kind === "delete").reverse();
  }

  /** The next step; undefined when all are done. */
  next(): Step | undefined {
    return this.urgent.pop() ?? this.waiting.pop() ?? this.deletions.pop();
  }

  finished(): void {
    this.done += 1;
  }

  /** Moves the next deletion that helps a step before it. Returns false if there is none. */
  letFirst(step: Step, helps: (deletion: Step) => boolean): boolean {
    const last = this.deletions.findLastIndex(helps);
    if (last < 0) return false;
    this.urgent.push(step, ...this.deletions.splice(last, 1));
    return true;
  }

  /** Postpones a step. Returns false if nothing is left that could help it. */
  postpone(step: Step, helps: (deletion: Step) => boolean): boolean {
    if (this.letFirst(step, helps)) return true;
    if (this.waiting.length === 0 || this.stuckAt === this.done) return false;
    this.stuckAt = this.done;
    this.waiting.unshift(step);
    return true;
  }
}
