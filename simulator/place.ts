export type Level = "account" | "zone";

/** Which rule it is. */
export interface RulePlace {
  readonly phase: string;
  readonly level: Level;
  /** Position in its ruleset, from 0. */
  readonly index: number;
  /** Of the ruleset, where it is known. */
  readonly ruleset?: string;
  readonly ref?: string;
  readonly id?: string;
  readonly description?: string;
  readonly action: string;
  readonly expression?: string;
}
