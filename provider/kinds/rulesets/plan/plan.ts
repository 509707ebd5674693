import type { Change } from "../../../engine/lifecycle.js";
import { sameJson } from "../../../../core/model/json.js";
import type { Ruleset, DeployedRule } from "../../../../core/model/ruleset.js";
import { findRemoved, type Removal } from "../../../ownership/removal.js";
import type { OccupiedRef } from "../../../ownership/shared-messages.js";
import { diffRules, isEmptyDiff, type RulesDiff } from "../../../../core/rules/diff.js";
import { NO_RULES, type KeyedRules } from "../../../../core/rules/keyed.js";
import { isOwnershipRequested, type Desired } from "../desired.js";
import { recordedDescription, serviceRefs, takenOverIn, type ParsedState } from "../state.js";
import type { Impossible, Unanchored } from "../../../../core/rules/placing/position.js";
import type { Step } from "../../../../core/rules/placing/steps.js";
import { contentFrom, type Content, isUpToDate, wantedDescription } from "./content.js";
import {
  currentOf,
  findConflict,
  recogniseRules,
  type Conflict,
  type CurrentRuleset,
} from "../../../ownership/conflict.js";

/** What is compared. */
export interface Sides {
  /** What the stack knows about the ruleset. */
  readonly recorded: ParsedState;
  readonly desired: Desired;
  /** What is at the service now. */
  readonly actual: Ruleset;
}

/** What a stack writes to a ruleset that it shares, and what it leaves alone. */
export interface SharedPart {
  readonly steps: readonly Step[];
  /** By ref of the program, the IDs of its existing rules. */
  readonly ids: ReadonlyMap<string, string>;
  /** Refs of the program that are in use by a rule of somebody else with other content. */
  readonly occupied: readonly OccupiedRef[];
  /** By ref, rules that were only taken over because they were equal, and that the program no longer declares: they stay. */
  readonly kept: ReadonlyMap<string, DeployedRule>;
  /** Refs of rules that were only taken over because they were equal, and that this stack has not written. */
  readonly takenOver: ReadonlySet<string>;
  /** Why a rule cannot be where the program wants it. */
  readonly unplaced: Unplaced | undefined;
}

/** A rule that cannot have its position: it names a rule that does not exist, or contradicts others. */
export type Unplaced = Unanchored | ({ readonly kind: "impossible" } & Impossible);

const NO_POSITIONS: ParsedState["positions"] = new Map();

/**
 * What a stack recorded and what the program wants, compared with what is at the service now. Each part is worked out
 * once, when it is first read. Pure.
 */
export class Comparison {
  /** What is at the service now. */
  readonly actual: Ruleset;
  /** What the program wants, with the description that would be sent. */
  readonly wanted: KeyedRules & { readonly description: string };
  readonly recorded: ParsedState;
  readonly current: CurrentRuleset;
  readonly desired: Desired;
  #recognised?: ReadonlyMap<string, DeployedRule>;
  #conflict?: Conflict;
  #refs?: ReadonlyMap<string, string>;
  #content?: Content;

  constructor({ recorded, desired, actual }: Sides, recognised?: ReadonlyMap<string, DeployedRule>) {
    this.actual = actual;
    this.recorded = recorded;
    this.desired = desired;
    this.wanted = { ...(desired.rules ?? NO_RULES), description: wantedDescription(recorded.state, desired, actual) };
    this.current = currentOf(actual);
    this.#recognised = recognised;
  }

  /** By ref, rules of others that the program now also declares. */
  get recognised(): ReadonlyMap<string, DeployedRule> {
    return (this.#recognised ??= this.recognise());
  }

  protected recognise(): ReadonlyMap<string, DeployedRule> {
    return recogniseRules(this.recorded, this.wanted, this.current.rules);
  }

  /** What somebody else changed since the stack last read the ruleset, and the program does not also change. */
  get conflict(): Conflict {
    return (this.#conflict ??= this.findConflict());
  }

  protected findConflict(): Conflict {
    return findConflict(this.recorded, this.current, this.wanted, this.recognised);
  }

  /** What is written rule by rule, and what is left alone; undefined where the ruleset is written as a whole. */
  get part(): SharedPart | undefined {
    return undefined;
  }

  /** By ref, the positions that the program requested before. */
  get lastPositions(): ParsedState["positions"] {
    return NO_POSITIONS;
  }

  /** The service's ref for each ref of the program. */
  get refs(): ReadonlyMap<string, string> {
    return (this.#refs ??= this.findRefs());
  }

  private findRefs(): ReadonlyMap<string, string> {
    const refs = serviceRefs(this.recorded.ruleIds, this.actual.rules);
    for (const [ref, rule] of this.recognised) refs.set(ref, rule.ref);
    return refs;
  }

  get content(): Content {
    return (this.#content ??= contentFrom(this.desired, this.wanted.description, this.refs));
  }

  /** Whether the service already has the content. */
  get isUpToDate(): boolean {
    return isUpToDate(this.actual, this.content, this.desired.target);
  }
}

/**
 * What happens to an existing ruleset that a resource manages as a whole, from what was last read and what the program wants.
 * Everything is computed once; the summary line, the checks, the preview and the write all read it here. Pure.
 */
export class Plan {
  /** Whether a write with an unknown result has to be completed. */
  readonly finishes: boolean;
  /** Whether the program asks to own, from now on, what was only taken over. */
  readonly takesOwnership: boolean;
  /** Whether it changes between sharing the ruleset and owning the whole. */
  readonly switches: boolean;
  #difference: RulesDiff | undefined;
  #changes?: boolean;
  #latest?: Comparison;

  constructor(
    readonly recorded: ParsedState,
    readonly desired: Desired,
  ) {
    const { state } = recorded;
    this.switches = desired.policy.ownership !== (state.ownership ?? "exclusive");
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
    const { rules } = this.desired;
    if (rules === undefined || this.difference === undefined) return true;
    const pending = Object.values(rules.rules).some((rule) => rule.pending);
    return this.changesWhole() || pending || !isEmptyDiff(this.difference);
  }

  /** Whether anything of the ruleset differs that is not a rule of the program. */
  protected changesWhole(): boolean {
    const { state } = this.recorded;
    const { name, description } = this.desired;
    const before = description === undefined ? (state.description ?? "") : recordedDescription(state);
    // Rules of others that a refresh has found are not to be there.
    const dropsForeign = !sameJson(state.foreignRules ?? {}, this.desired.foreignRules);
    return before !== (description ?? "") || (name !== undefined && state.name !== name) || dropsForeign;
  }

  /** Refs of rules that are still managed only because they were equal. */
  get staysTakenOver(): ReadonlySet<string> {
    return this.takesOwnership ? new Set() : takenOverIn(this.recorded);
  }

  /** Whether a delete may remove the ruleset after this plan. */
  get owned(): boolean {
    return !this.takenOver || this.takesOwnership;
  }

  /** Whether the stack manages anything only because it was equal; this can be an entry point without rules. */
  private get takenOver(): boolean {
    const { __takenOver: refs, ownership } = this.recorded.state;
    return refs !== undefined && (refs.length > 0 || ownership !== "shared");
  }

  /** Whether the engine must call for a write or a new state, which can be needed for arguments alone. */
  change(replaces: readonly string[], policyChanges: boolean): Change {
    if (replaces.length > 0) return { kind: "replace", replaces, shownByInputs: true };
    const stateChanges = this.takesOwnership || this.switches || this.changesState() || policyChanges;
    const changed = this.finishes || this.changes || stateChanges;
    return { kind: changed ? "update" : "none", replaces: [], shownByInputs: !this.finishes };
  }

  /** Whether the state differs in something that is never sent. */
  protected changesState(): boolean {
    return false;
  }

  /**
   * The rules that this plan removes from those at the service now, or from those last read if nothing newer is known.
   */
  removal(comparison: Comparison | undefined): Removal {
    const { recorded, desired } = this;
    const existing = comparison?.actual.rules ?? recorded.lastRuleset.rules;
    if (desired.rules === undefined) return { removed: [], before: existing.length };
    const { rules } = comparison?.content ?? contentFrom(desired, "", serviceRefs(recorded.ruleIds, existing));
    return findRemoved(existing, this.after(rules, existing, comparison));
  }

  /** The rules that are there after this plan. */
  protected after(
    own: Content["rules"],
    _existing: Ruleset["rules"],
    _comparison: Comparison | undefined,
  ): Parameters<typeof findRemoved>[1] {
    return own;
  }

  /** What the stack knows of its rules at the service. */
  recordedAt(_actual: Pick<Ruleset, "rules">): ParsedState {
    return this.recorded;
  }

  /** Compares with what is at the service now. */
  compareWith(actual: Ruleset): Comparison {
    if (this.#latest?.actual === actual) return this.#latest;
    return (this.#latest = new Comparison({ recorded: this.recordedAt(actual), desired: this.desired, actual }));
  }
}
