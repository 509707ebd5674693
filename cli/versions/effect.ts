import { compare, type Comparison } from "../../analysis/index.js";
import type { Ruleset } from "../../provider/client/index.js";
import { withoutServerFields } from "../rules/source/deployed.js";

/** What the step from one version to another does to requests that reach the ruleset. */
export function compareEffects(before: Ruleset, after: Ruleset): Comparison {
  // As an entry point: a custom ruleset runs only where it is executed, and is judged as if that were everywhere.
  const side = ({ phase, rules }: Ruleset) => [{ kind: "zone", phase, rules: rules.map(withoutServerFields) }];
  return compare({ before: side(before), after: side(after) });
}
