/** Limits a search. When it is used up, the answer is "unknown". */
export class Budget {
  private left: number;

  constructor(steps: number) {
    this.left = steps;
  }

  get isSpent(): boolean {
    return this.left <= 0;
  }

  spend(steps = 1): void {
    this.left -= steps;
  }

  /** A part of the budget for one question; what it uses also counts against the whole. */
  part(steps: number): Budget {
    return new Part(this, Math.min(steps, this.left));
  }
}

class Part extends Budget {
  constructor(
    private readonly whole: Budget,
    steps: number,
  ) {
    super(steps);
  }

  override spend(steps = 1): void {
    super.spend(steps);
    this.whole.spend(steps);
  }
}
