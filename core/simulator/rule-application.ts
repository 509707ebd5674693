import type { RulePlace } from "./place.js";
import type { State } from "./state.js";
import type { Place } from "./trace-log.js";

/** A rule that matches, or may. */
export interface RuleApplication {
  readonly at: RulePlace;
  /** What the match depends on; empty if it is certain. */
  readonly because: readonly string[];
  readonly place: Place;
  readonly state: State;
}
