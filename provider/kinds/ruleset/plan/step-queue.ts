import type { Step } from "./steps.js";

/**
 * The steps of a change in turn. A step that the service refuses because of what another one is about to take away, such
 * as the last rule that a plan allows, lets a deletion go first; without one it waits for the others, as long as they
 * get on.
 */
export class StepQueue {
  private readonly waiting: Step[];
  private readonly deletions: Step[];
  /** How many steps were done when one was last put off for want of a deletion. */
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

  /** Lets the next deletion that helps a step go before it. False where none does. */
  letFirst(step: Step, helps: (deletion: Step) => boolean): boolean {
    const last = this.deletions.findLastIndex(helps);
    if (last < 0) return false;
    this.urgent.push(step, ...this.deletions.splice(last, 1));
    return true;
  }

  /** Puts a step off. False where nothing is left that could help it. */
  postpone(step: Step, helps: (deletion: Step) => boolean): boolean {
    if (this.letFirst(step, helps)) return true;
    if (this.waiting.length === 0 || this.stuckAt === this.done) return false;
    this.stuckAt = this.done;
    this.waiting.unshift(step);
    return true;
  }
}
