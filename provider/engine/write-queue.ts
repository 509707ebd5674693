/**
 * Runs the writes to one object one after the other, because Cloudflare advises against concurrent updates of a
 * ruleset.
 */
export class WriteQueue {
  private readonly tails = new Map<string, Promise<unknown>>();

  run<T>(key: string, write: () => Promise<T>): Promise<T> {
    const before = this.tails.get(key) ?? Promise.resolve();
    const next = before.then(write, write);
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
}
