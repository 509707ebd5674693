import type { Change } from "../../../engine/lifecycle.js";
import { sameJson } from "../../../model/json.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { NOT_KNOWN, type Pending } from "../../../model/unknown.js";
import { compareRule, type Comparison } from "./comparison.js";
import type { RuleInputs } from "./description.js";
import type { Desired } from "./desired.js";
import type { ParsedState } from "./state.js";

/**
 * What happens to an existing rule, from what was last read and what the program wants. Everything is computed once; the
 * checks, the preview and the write all read it here. Pure.
 */
export class Plan {
  /** Whether anything that the service stores differs, or may differ once it is known. */
  readonly changes: boolean;
  /** Whether a write with an unknown result has to be completed. */
  readonly finishes: boolean;
  /** Whether the program asks to own, from now on, what was only taken over. */
  readonly takesOwnership: boolean;
  private latest: { readonly rules: Ruleset["rules"]; readonly comparison: Comparison } | undefined;

  constructor(
    readonly recorded: ParsedState,
    readonly desired: Desired,
    { position }: Pick<Pending<RuleInputs>, "position">,
  ) {
    const { state, declared } = recorded;
    // Without a position, any place will do.
    const moves = position !== undefined && (position === NOT_KNOWN || !sameJson(state.position, position));
    this.changes = moves || desired.rule.pending || !desired.rule.isWrittenAs(declared);
    this.finishes = state.__incomplete === true;
    this.takesOwnership = state.__takenOver === true && desired.policy.onExisting === "adopt";
  }

  /** Whether a delete may remove the rule after this plan. */
  get owned(): boolean {
    return this.recorded.state.__takenOver !== true || this.takesOwnership;
  }

  /** Whether the engine must call for a write or a new state, which can be needed for arguments alone. */
  change(replaces: readonly string[], policyChanges: boolean): Change {
    if (replaces.length > 0) return { kind: "replace", replaces, shownByInputs: true };
    const changed = this.changes || this.takesOwnership || policyChanges || this.finishes;
    return { kind: changed ? "update" : "none", replaces: [], shownByInputs: !this.finishes };
  }

  /** Compares with what is at the service now. */
  compareWith({ rules }: Pick<Ruleset, "rules">): Comparison {
    if (this.latest?.rules === rules) return this.latest.comparison;
    const comparison = compareRule(this.recorded, this.desired, rules);
    this.latest = { rules, comparison };
    return comparison;
  }
}
