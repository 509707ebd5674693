import type { RulePlace } from "./place.js";
import type { State } from "./state.js";
import type { RulesetPlace } from "./trace-log.js";

/** A rule that matches, or may. */
export interface RuleApplication {
  readonly at: RulePlace;
  /** What the match depends on; empty if it is certain. */
  readonly because: readonly string[];
  readonly place: RulesetPlace;
  readonly state: State;
}
