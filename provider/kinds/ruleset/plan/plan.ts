import type { Change } from "../../../engine/lifecycle.js";
import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import { currentOf, findConflict, ownConflict, recogniseRules, type Conflict } from "../../../ownership/conflict.js";
import { findRemoved, type Removal, type KeptRule } from "../../../ownership/removal.js";
import { diffRules, isEmptyDiff, type RulesDiff } from "../../../rules/diff.js";
import { type KeyedRules, NO_RULES } from "../../../rules/keyed.js";
import { isOwnershipRequested, type Desired } from "../desired.js";
import type { HandedOverRule } from "../handed-over-rule.js";
import { recordedDescription, serviceRefs, type ParsedState } from "../state.js";
import { contentFrom, isUpToDate, wantedDescription, type Content } from "./content.js";
import {
  planShared,
  takenOverIn,
  withAbandoned,
  withUnconfirmedAdditions,
  withoutRules,
  type SharedPart,
} from "./shared.js";

/** A plan compared with what is at the service now. */
export interface Comparison {
  /** What the program wants, with the description that would be sent. */
  readonly wanted: KeyedRules & { readonly description: string };
  /** By ref, rules of others that the program now also declares. */
  readonly recognised: ReadonlyMap<string, DeployedRule>;
  readonly conflict: Conflict;
  /** The service's ref for each ref of the program. */
  readonly refs: ReadonlyMap<string, string>;
  readonly content: Content;
  /** Whether the service already has the content. */
  readonly isUpToDate: boolean;
  /** What is written if the ruleset is shared. */
  readonly shared?: SharedPart;
}

/**
 * What happens to an existing ruleset, from what was last read and what the program wants. Everything is computed once;
 * the summary line, the checks, the preview and the write all read it here. Pure.
 */
export class Plan {
  /** How the rules differ; undefined while the rules are unknown. */
  readonly difference: RulesDiff | undefined;
  /** Whether anything that the service stores differs. */
  readonly changes: boolean;
  /** Whether a write with an unknown result has to be completed. */
  readonly finishes: boolean;
  /** Whether the program asks to own, from now on, what was only taken over. */
  readonly takesOwnership: boolean;
  /** Whether the program manages its own rules among those of others. */
  readonly shared: boolean;
  /** Whether it changes between sharing the ruleset and owning the whole. */
  readonly switches: boolean;
  /** IDs of rules of others that the program moved here from another resource of the stack. */
  private movedHere: ReadonlySet<string> = new Set();
  /** By ID, the new owners of rules of this resource that the program moved to another resource of the stack. */
  private movedAway: ReadonlyMap<string, string> = new Map();
  /** By ID, rules that this resource once gave up and that nobody took over. */
  private abandoned: ReadonlyMap<string, HandedOverRule> = new Map();
  private latest: { readonly actual: Ruleset; readonly comparison: Comparison } | undefined;

  constructor(
    readonly recorded: ParsedState,
    readonly desired: Desired,
  ) {
    const { state, declared } = recorded;
    const { rules } = desired;
    this.shared = desired.policy.ownership === "shared";
    this.switches = this.shared !== (state.ownership === "shared");
    this.difference = rules === undefined ? undefined : diffRules(declared, rules);
    this.changes = this.differs(rules);
    this.finishes = state.__incomplete === true;
    this.takesOwnership = this.takenOver && isOwnershipRequested(desired.policy);
  }

  private differs(rules: KeyedRules | undefined): boolean {
    if (rules === undefined || this.difference === undefined) return true;
    const { state } = this.recorded;
    const { name, description } = this.desired;
    const before = description === undefined ? (state.description ?? "") : recordedDescription(state);
    const descriptionChanged = before !== (description ?? "") || (name !== undefined && state.name !== name);
    return (
      // Nobody manages the name and description of a shared ruleset.
      (descriptionChanged && !this.shared) ||
      Object.values(rules.rules).some(({ pending }) => pending) ||
      !isEmptyDiff(this.difference)
    );
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
  removal(actual: Ruleset | undefined): Removal {
    const { recorded, desired } = this;
    const existing = actual?.rules ?? recorded.lastRuleset.rules;
    if (desired.rules === undefined) return { removed: [], before: existing.length };
    if (this.shared) return findRemoved(existing, this.stayingAmongOthers(existing, actual));
    if (actual !== undefined) return findRemoved(existing, this.compareWith(actual).content.rules);
    return findRemoved(existing, contentFrom(desired, "", serviceRefs(recorded.ruleIds, existing)).rules);
  }

  /** The rules of a shared ruleset afterwards: every rule of others counts. */
  private stayingAmongOthers(existing: readonly DeployedRule[], actual: Ruleset | undefined): readonly KeptRule[] {
    const { recorded, desired } = this;
    const comparison = actual === undefined ? undefined : this.compareWith(actual);
    const deleted = (comparison?.shared?.steps ?? []).flatMap((step) => (step.kind === "delete" ? [step.id] : []));
    const gone = new Set(
      comparison === undefined ? Object.values(recorded.ruleIds) : [...deleted, ...this.movedAway.keys()],
    );
    const content = comparison?.content ?? contentFrom(desired, "", serviceRefs(recorded.ruleIds, existing));
    return [...content.rules, ...existing.filter(({ id }) => !gone.has(id))];
  }

  /** Lets the plan take over and change rules that the program moved here from another resource of the stack. */
  takeOver(ids: ReadonlySet<string>): void {
    if (ids.size === 0 && this.movedHere.size === 0) return;
    this.movedHere = ids;
    this.latest = undefined;
  }

  /** Lets the plan leave alone rules that the program moved to another resource, which may have changed them already. */
  handOver(owners: ReadonlyMap<string, string>): void {
    if (owners.size === 0 && this.movedAway.size === 0) return;
    this.movedAway = owners;
    this.latest = undefined;
  }

  /** Lets the plan delete rules that the resource once gave up for another one and that nobody took over. */
  reclaim(abandoned: ReadonlyMap<string, HandedOverRule>): void {
    if (abandoned.size === 0 && this.abandoned.size === 0) return;
    this.abandoned = abandoned;
    this.latest = undefined;
  }

  /** Whether a write or a new state of the resource is needed for something other than its arguments. */
  get hasLeftovers(): boolean {
    return this.finishes || this.abandoned.size > 0;
  }

  /** What the stack knows of its rules at the service. */
  recordedAt(actual: Pick<Ruleset, "rules">): ParsedState {
    return withAbandoned(this.recorded, this.abandoned, this.desired.rules ?? NO_RULES, actual);
  }

  /** URN of the resource that the program moved a rule to. */
  newOwnerOf({ id }: Pick<DeployedRule, "id">): string | undefined {
    return this.movedAway.get(id);
  }

  /** Compares with what is at the service now. */
  compareWith(actual: Ruleset): Comparison {
    if (this.latest?.actual === actual) return this.latest.comparison;
    const comparison = this.compare(actual);
    this.latest = { actual, comparison };
    return comparison;
  }

  private compare(actual: Ruleset): Comparison {
    const { desired, shared } = this;
    const own = this.recordedAt(actual);
    const known = shared && this.finishes ? withUnconfirmedAdditions(own, actual) : own;
    const recorded = withoutRules(known, new Set(this.movedAway.keys()));
    const description = wantedDescription(recorded.state, desired, actual);
    const wanted = { ...(desired.rules ?? NO_RULES), description };
    const current = currentOf(actual);
    const adoptsAll = shared && isOwnershipRequested(desired.policy);
    const adopts = ({ id }: DeployedRule): boolean => adoptsAll || this.movedHere.has(id);
    const recognised = recogniseRules(recorded, wanted, current.rules, { shared, adopts });
    const found = findConflict(recorded, current, wanted, recognised);
    const conflict = shared ? ownConflict(found) : found;
    const refs = serviceRefs(recorded.ruleIds, actual.rules);
    for (const [ref, rule] of recognised) refs.set(ref, rule.ref);
    const content = contentFrom(desired, description, refs);
    const comparison = { wanted, recognised, conflict, refs, content };
    if (!shared) return { ...comparison, isUpToDate: isUpToDate(actual, content, desired.target) };
    const part = planShared({ recorded, desired, difference: this.difference, actual, current, ...comparison });
    return { ...comparison, isUpToDate: part.steps.length === 0, shared: part };
  }
}
