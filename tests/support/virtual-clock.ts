import type { Clock } from "../../client/http/clock.js";

/** A clock that moves to the next sleeper whenever all are asleep. */
export class VirtualClock implements Clock {
  private time: number;
  private readonly sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  constructor(start = 0) {
    this.time = start;
  }

  now(): number {
    return this.time;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => {
      this.sleepers.push({ at: this.time + ms, wake });
    });
  }

  /** Moves the clock until a piece of work is done, and returns its result. */
  async run<T>(work: Promise<T>): Promise<T> {
    const state = { done: false };
    const end = work.finally(() => {
      state.done = true;
    });
    end.catch(() => undefined);
    for (;;) {
      // First everything that can run without time runs, including responses from sockets.
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (state.done) return end;
      const next = this.sleepers.reduce<number>(
        (least, { at }, index) => (at < (this.sleepers[least]?.at ?? Infinity) ? index : least),
        0,
      );
      const [sleeper] = this.sleepers.splice(next, 1);
      if (sleeper === undefined) continue;
      this.time = Math.max(this.time, sleeper.at);
      sleeper.wake();
    }
  }
}
