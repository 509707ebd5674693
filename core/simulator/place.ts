import type { RulesetInput } from "./ruleset-input.js";

export type Level = "account" | "zone";

/** The level of a ruleset, as long as no entry point runs it. Custom rulesets are the account's unless they name a zone. */
export function levelOf({ kind, zoneId, accountId }: Pick<RulesetInput, "kind" | "zoneId" | "accountId">): Level {
  if (kind === "root" || accountId !== undefined) return "account";
  return kind === "zone" || zoneId !== undefined ? "zone" : "account";
}

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
