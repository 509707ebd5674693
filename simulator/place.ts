export type Level = "account" | "zone";

/** Identifies a rule. */
export interface RulePlace {
  readonly phase: string;
  readonly level: Level;
  /** Position in its ruleset, from 0. */
  readonly index: number;
  /** ID of the ruleset, if known. */
  readonly ruleset?: string;
  readonly ref?: string;
  readonly id?: string;
  readonly description?: string;
  readonly action: string;
  readonly expression?: string;
}
