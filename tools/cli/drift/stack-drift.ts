import type { OtherSummary, RulesetSummary } from "../summarize/summary.js";
import type { NotCompared } from "./state.js";

/** What was found in one stack. */
export interface StackDrift {
  readonly stack: string;
  /** The number of resources that were compared. */
  readonly compared: number;
  readonly drift: readonly (RulesetSummary | OtherSummary)[];
  readonly notRead: readonly NotCompared[];
}
