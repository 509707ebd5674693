import { sameJson } from "../../../model/json.js";
import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import {
  currentOf,
  findConflict,
  ownConflict,
  recogniseRules,
  type Conflict,
  type CurrentRuleset,
} from "../../../ownership/conflict.js";
import type { RulesDiff } from "../../../rules/diff.js";
import { type KeyedRules, NO_RULES } from "../../../rules/keyed.js";
import { isOwnershipRequested, type Desired } from "../desired.js";
import { serviceRefs, type ParsedState } from "../state.js";
import { contentFrom, isUpToDate, wantedDescription, type Content } from "./content.js";
import { planShared, withoutRules, type SharedPart } from "./shared.js";

/** What is compared. */
export interface Sides {
  /** What the stack knows about the ruleset. */
  readonly recorded: ParsedState;
  readonly desired: Desired;
  /** What is at the service now. */
  readonly actual: Ruleset;
  /** By ID, the new owners of rules of this resource that the program moved to another resource of the stack. */
  readonly movedAway: ReadonlyMap<string, string>;
  /** How what the program wants differs from what it wanted. */
  readonly difference: () => RulesDiff | undefined;
}

/**
 * What a stack recorded and what the program wants, compared with what is at the service now. Each part is worked out
 * once, when it is first read. Pure.
 */
export class Comparison {
  /** What is at the service now. */
  readonly actual: Ruleset;
  /** What the program wants, with the description that would be sent. */
  readonly wanted: KeyedRules & { readonly description: string };
  private readonly recorded: ParsedState;
  private readonly current: CurrentRuleset;
  #recognised?: ReadonlyMap<string, DeployedRule>;
  #conflict?: Conflict;
  #refs?: ReadonlyMap<string, string>;
  #content?: Content;
  #shared?: SharedPart;
  #adopting?: { readonly refs: readonly string[]; readonly comparison: Comparison };

  constructor(
    private readonly sides: Sides,
    recognised?: ReadonlyMap<string, DeployedRule>,
  ) {
    const { recorded, desired, actual, movedAway } = sides;
    this.actual = actual;
    this.recorded = withoutRules(recorded, new Set(movedAway.keys()));
    this.wanted = { ...(desired.rules ?? NO_RULES), description: wantedDescription(recorded.state, desired, actual) };
    this.current = currentOf(actual);
    this.#recognised = recognised;
  }

  private get isShared(): boolean {
    return this.sides.desired.policy.ownership === "shared";
  }

  /** By ID, the new owners of rules that the program moved to other resources of the stack. */
  get movedAway(): ReadonlyMap<string, string> {
    return this.sides.movedAway;
  }

  /** By ref, rules of others that the program now also declares. */
  get recognised(): ReadonlyMap<string, DeployedRule> {
    return (this.#recognised ??= this.recognise());
  }

  private recognise(): ReadonlyMap<string, DeployedRule> {
    const shared = this.isShared;
    const adoptsAll = shared && isOwnershipRequested(this.sides.desired.policy);
    return recogniseRules(this.recorded, this.wanted, this.current.rules, { shared, adopts: () => adoptsAll });
  }

  /** What somebody else changed since the stack last read the ruleset, and the program does not also change. */
  get conflict(): Conflict {
    return (this.#conflict ??= this.findConflict());
  }

  private findConflict(): Conflict {
    const { recorded, current, wanted } = this;
    if (!this.isShared) return findConflict(recorded, current, wanted, this.recognised);
    // Rules of others are no conflict there, so it does not matter which of them the program also declares.
    return ownConflict(findConflict(recorded, current, wanted, new Map()));
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
    return (this.#content ??= contentFrom(this.sides.desired, this.wanted.description, this.refs));
  }

  /** What is written if the ruleset is shared. */
  get shared(): SharedPart | undefined {
    return this.isShared ? (this.#shared ??= this.planShared()) : undefined;
  }

  private planShared(): SharedPart {
    const { desired, difference } = this.sides;
    const { recorded, actual, current, wanted, recognised, content } = this;
    return planShared({ recorded, desired, difference: difference(), actual, current, wanted, recognised, content });
  }

  /** Whether the service already has the content. */
  get isUpToDate(): boolean {
    const { actual, content, shared } = this;
    return shared === undefined ? isUpToDate(actual, content, this.sides.desired.target) : shared.steps.length === 0;
  }

  /**
   * The same, where the program may take over and change rules that have a ref of its own: those with these IDs, which it
   * moved here from another resource of the stack.
   */
  adopting(ids: ReadonlySet<string>): Comparison {
    const adopted = (this.shared?.occupied ?? []).filter(({ rule }) => ids.has(rule.id));
    const refs = adopted.map(({ ref }) => ref);
    if (refs.length === 0) return this;
    if (this.#adopting !== undefined && sameJson(this.#adopting.refs, refs)) return this.#adopting.comparison;
    const entries = adopted.map(({ ref, rule }) => [ref, rule] as const);
    const comparison = new Comparison(this.sides, new Map([...entries, ...this.recognised]));
    this.#adopting = { refs, comparison };
    return comparison;
  }
}
