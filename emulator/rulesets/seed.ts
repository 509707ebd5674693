import { nonEmpty, listOf, string } from "../body.js";
import { anyObject, exactly, type SeedPart } from "../seed-part.js";

/** An initial ruleset, in the API's snake_case notation. */
export interface RulesetSeed {
  /** Name or id of a zone or of an account. */
  readonly zone?: string;
  readonly account?: string;
  readonly name?: string;
  readonly kind?: string;
  readonly phase: string;
  readonly description?: string;
  readonly rules?: readonly Readonly<Record<string, unknown>>[];
}

export interface RulesetsSeed {
  readonly rulesets?: readonly RulesetSeed[];
}

const ruleset = exactly<RulesetSeed>(
  {
    zone: nonEmpty,
    account: nonEmpty,
    name: nonEmpty,
    kind: nonEmpty,
    phase: nonEmpty,
    description: string,
    rules: listOf(anyObject),
  },
  ["phase"],
);

export const rulesetsSeed: SeedPart<RulesetsSeed> = {
  properties: { rulesets: listOf(ruleset) },
  zoneProperties: {},
};
