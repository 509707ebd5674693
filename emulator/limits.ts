/** How much the emulator keeps. */
export interface Limits {
  /** Versions per ruleset; the oldest are deleted first. @default 100 */
  readonly versions: number;
  /** Requests in the log; the oldest are deleted first. @default 50000 */
  readonly requests: number;
  /** Security events and requests in the edge's logs; the oldest are deleted first. @default 10000 */
  readonly events: number;
}

export const DEFAULT_LIMITS: Limits = { versions: 100, requests: 50_000, events: 10_000 };
