import { LONGEST_TIMER_MS } from "../../core/model/numbers.js";

/** Clock of the transport; tests pass their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms) => {
    for (let left = ms; left > 0; left -= LONGEST_TIMER_MS) await pause(Math.min(left, LONGEST_TIMER_MS));
  },
};

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
