import type { Change } from "../../../engine/lifecycle.js";
import { sameJson } from "../../../model/json.js";
import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import { findRemoved, type Removal, type KeptRule } from "../../../ownership/removal.js";
import { diffRules, isEmptyDiff, type RulesDiff } from "../../../rules/diff.js";
import { NO_RULES } from "../../../rules/keyed.js";
import { isOwnershipRequested, type Desired } from "../desired.js";
import { NO_ORPHANS, type OrphanedRules } from "../ledger.js";
import { recordedDescription, serviceRefs, type ParsedState } from "../state.js";
import { Comparison } from "./comparison.js";
import { contentFrom } from "./content.js";
import { takenOverIn, withOrphans, withUnconfirmedAdditions } from "./shared.js";

/**
 * What happens to an existing ruleset, from what was last read and what the program wants. Everything is computed once;
 * the summary line, the checks, the preview and the write all read it here. Pure.
 */
export class Plan {
  /** Whether a write with an unknown result has to be completed. */
  readonly finishes: boolean;
  /** Whether the program asks to own, from now on, what was only taken over. */
  readonly takesOwnership: boolean;
  /** Whether the program manages its own rules among those of others. */
  readonly shared: boolean;
  /** Whether it changes between sharing the ruleset and owning the whole. */
  readonly switches: boolean;
  #difference?: RulesDiff;
  #changes?: boolean;
  private latest: Comparison | undefined;

  constructor(
    readonly recorded: ParsedState,
    readonly desired: Desired,
    /** Rules that this resource once released and that nobody took over. */
    readonly orphans: OrphanedRules = NO_ORPHANS,
  ) {
    const { state } = recorded;
    this.shared = desired.policy.ownership === "shared";
    this.switches = this.shared !== (state.ownership === "shared");
    this.finishes = state.__incomplete === true;
    this.takesOwnership = this.takenOver && isOwnershipRequested(desired.policy);
  }

  /** How the rules differ; undefined while the rules are unknown. */
  get difference(): RulesDiff | undefined {
    const { rules } = this.desired;
    return rules === undefined ? undefined : (this.#difference ??= diffRules(this.recorded.declared, rules));
  }

  /** Whether anything that the service stores differs. */
  get changes(): boolean {
    return (this.#changes ??= this.differs());
  }

  private differs(): boolean {
    const { state } = this.recorded;
    const { name, description, rules } = this.desired;
    if (rules === undefined || this.difference === undefined) return true;
    const before = description === undefined ? (state.description ?? "") : recordedDescription(state);
    const descriptionChanged = before !== (description ?? "") || (name !== undefined && state.name !== name);
    return (
      // Nobody manages the name and description of a shared ruleset.
      (descriptionChanged && !this.shared) ||
      this.dropsForeign ||
      Object.values(rules.rules).some(({ pending }) => pending) ||
      !isEmptyDiff(this.difference)
    );
  }

  /** Whether rules of others that a refresh has found are not to be there. */
  get dropsForeign(): boolean {
    const { foreignRules = {} } = this.recorded.state;
    return !this.shared && !sameJson(foreignRules, this.desired.foreignRules);
  }

  /** Whether a delete may remove the ruleset after this plan. */
  get owned(): boolean {
    return !this.takenOver || this.takesOwnership;
  }

  /** Whether the stack manages anything only because it was equal; this can be an entry point without rules. */
  private get takenOver(): boolean {
    return this.recorded.state.__takenOver === true || takenOverIn(this.recorded).size > 0;
  }

  /** Whether the engine must call for a write or a new state, which can be needed for arguments alone. */
  change(replaces: readonly string[], policyChanges: boolean): Change {
    if (replaces.length > 0) return { kind: "replace", replaces, shownByInputs: true };
    const named = this.shared && this.desired.name !== this.recorded.state.name;
    const stateChanges = this.takesOwnership || this.switches || named || policyChanges;
    const changed = this.hasLeftovers || this.changes || stateChanges;
    return { kind: changed ? "update" : "none", replaces: [], shownByInputs: !this.hasLeftovers };
  }

  /**
   * The rules that this plan removes from those at the service now, or from those last read if nothing newer is known.
   */
  removal(comparison: Comparison | undefined): Removal {
    const { recorded, desired } = this;
    const existing = comparison?.actual.rules ?? recorded.lastRuleset.rules;
    if (desired.rules === undefined) return { removed: [], before: existing.length };
    const { rules } = comparison?.content ?? contentFrom(desired, "", serviceRefs(recorded.ruleIds, existing));
    return findRemoved(existing, this.shared ? [...rules, ...this.othersAmong(existing, comparison)] : rules);
  }

  /** The rules of a shared ruleset that this plan leaves alone: every rule of others counts. */
  private othersAmong(existing: readonly DeployedRule[], comparison: Comparison | undefined): readonly KeptRule[] {
    const deleted = (comparison?.shared?.steps ?? []).flatMap((step) => (step.kind === "delete" ? [step.id] : []));
    const gone = new Set(
      comparison === undefined ? Object.values(this.recorded.ruleIds) : [...deleted, ...comparison.movedAway.keys()],
    );
    return existing.filter(({ id }) => !gone.has(id));
  }

  /**
   * The same plan, which also deletes rules that the resource once released for another one and that nobody took over, and
   * records again those of which that is not clear.
   */
  reclaiming(orphans: OrphanedRules): Plan {
    const rulesIn = ({ mine, unclear }: OrphanedRules) => [[...mine.values()], unclear];
    if (sameJson(rulesIn(this.orphans), rulesIn(orphans))) return this;
    const plan = new Plan(this.recorded, this.desired, orphans);
    plan.#difference = this.#difference;
    return plan;
  }

  /** Whether a write or a new state of the resource is needed for something other than its arguments. */
  get hasLeftovers(): boolean {
    const { mine, unclear } = this.orphans;
    return this.finishes || mine.size > 0 || unclear.some(({ reported }) => reported !== true);
  }

  /** What the stack knows of its rules at the service. */
  recordedAt(actual: Pick<Ruleset, "rules">): ParsedState {
    return withOrphans(this.recorded, this.orphans.mine, this.desired.rules ?? NO_RULES, actual);
  }

  /**
   * Compares with what is at the service now.
   * @param movedAway by ID, the new owners of rules that the program moved to other resources of the stack, which may have
   * changed them already: they are left alone
   */
  compareWith(actual: Ruleset, movedAway: ReadonlyMap<string, string> = new Map()): Comparison {
    const { latest } = this;
    if (latest?.actual === actual && sameJson([...latest.movedAway], [...movedAway])) return latest;
    const { desired } = this;
    const own = this.recordedAt(actual);
    const recorded = this.shared && this.finishes ? withUnconfirmedAdditions(own, actual) : own;
    const comparison = new Comparison({ recorded, desired, actual, movedAway, difference: () => this.difference });
    this.latest = comparison;
    return comparison;
  }
}
