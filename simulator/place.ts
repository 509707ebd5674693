export type Level = "account" | "zone";

/** Identifies a rule. */
export interface RulePlace {
  readonly phase: string;
  readonly level: Level;
  /** Position in its ruleset, from 0. */
  readonly index: number;
  /** ID of the ruleset, if known. */
  readonly ruleset?: string;
  /** As messages name it: `"Block admin"`, by its description, otherwise by its ref, otherwise by its ID. */
  readonly name: string;
  readonly ref?: string;
  readonly id?: string;
  readonly description?: string;
  readonly action: string;
  readonly expression?: string;
}
