import { stateOfKind } from "../../engine/kind.js";
import type { Props } from "../../engine/lifecycle.js";
import type { RulesetDescription, RulesetState } from "./description.js";
import { upgrade } from "./old-states.js";

/** The state of a ruleset of any version; undefined if it cannot be read. */
export function stateOfRuleset(description: RulesetDescription, props: Props): RulesetState | undefined {
  return stateOfKind<RulesetDescription>(description, upgrade(props));
}
