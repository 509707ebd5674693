/** Every request passes through it. Once closed, no further request starts; those under way get their response. */
export class Gate {
  private underWay = 0;
  private readonly whenEmpty: (() => void)[] = [];
  private closed = false;

  /** Sends a request. When the gate is closed, the promise never settles, because the caller is no longer there. */
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

  /** Stops further requests. Resolves when the last request under way has its response. */
  close(): Promise<void> {
    this.closed = true;
    return this.underWay === 0 ? Promise.resolve() : new Promise((resolve) => this.whenEmpty.push(resolve));
  }
}
