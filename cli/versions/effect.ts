import { compare, type Comparison } from "../../analysis/index.js";
import type { Ruleset } from "../../provider/client/index.js";
import { withoutServerFields } from "../rules/source/deployed.js";

/** What the step from one version to another does to requests that reach the ruleset. */
export function compareEffects(before: Ruleset, after: Ruleset): Comparison {
  // Compared as entry points: a custom ruleset only runs where it is executed, so it is compared as if it were executed for
  // every request.
  const side = ({ phase, rules }: Ruleset) => [{ kind: "zone", phase, rules: rules.map(withoutServerFields) }];
  return compare({ before: side(before), after: side(after) });
}
