/** How much the emulator keeps. */
export interface Limits {
  /** Versions of each ruleset; the oldest go first. @default 100 */
  readonly versions: number;
  /** Requests in the log; the oldest go first. @default 50000 */
  readonly requests: number;
  /** Security events and requests to the edge in its logs; the oldest go first. @default 10000 */
  readonly events: number;
}

export const DEFAULT_LIMITS: Limits = { versions: 100, requests: 50_000, events: 10_000 };
