/**
 * Runs the writes to one object one after the other, because Cloudflare advises against concurrent updates of a
 * ruleset.
 */
export class WriteQueue {
  private readonly tails = new Map<string, Promise<unknown>>();
  /** How many writes of a key have not started. */
  private readonly waiting = new Map<string, number>();

  run<T>(key: string, write: () => Promise<T>): Promise<T> {
    const before = this.tails.get(key) ?? Promise.resolve();
    this.count(key, 1);
    const start = (): Promise<T> => {
      this.count(key, -1);
      return write();
    };
    const next = before.then(start, start);
    const settled = next.catch(() => undefined);
    this.tails.set(key, settled);
    void settled.then(() => {
      if (this.tails.get(key) === settled) this.tails.delete(key);
    });
    return next;
  }

  /** Waits until no write of a key is queued or running. */
  async settled(key: string): Promise<void> {
    for (let tail = this.tails.get(key); tail !== undefined; tail = this.tails.get(key)) await tail;
  }

  /** Whether another write of the same key waits for the one that runs. */
  hasWaiting(key: string): boolean {
    return this.waiting.has(key);
  }

  private count(key: string, change: number): void {
    const count = (this.waiting.get(key) ?? 0) + change;
    if (count === 0) this.waiting.delete(key);
    else this.waiting.set(key, count);
  }
}
