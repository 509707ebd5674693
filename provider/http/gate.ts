/** What every request passes on its way out. Once closed it lets no other begin; those under way get their answer. */
export class Gate {
  private underWay = 0;
  private readonly whenEmpty: (() => void)[] = [];
  private closed = false;

  /** Carries a request out. Behind a closed gate it waits for ever: nobody is there any more to be told. */
  async pass<T>(send: () => Promise<T>): Promise<T> {
    if (this.closed) return new Promise<never>(() => undefined);
    this.underWay += 1;
    try {
      return await send();
    } finally {
      this.underWay -= 1;
      if (this.underWay === 0) for (const empty of this.whenEmpty.splice(0)) empty();
    }
  }

  /** Lets nothing begin from now on. Resolves when the last request under way has its answer. */
  close(): Promise<void> {
    this.closed = true;
    return this.underWay === 0 ? Promise.resolve() : new Promise((resolve) => this.whenEmpty.push(resolve));
  }
}
