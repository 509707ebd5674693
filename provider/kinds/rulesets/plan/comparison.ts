import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import {
  currentOf,
  findConflict,
  recogniseRules,
  type Conflict,
  type CurrentRuleset,
} from "../../../ownership/conflict.js";
import { type KeyedRules, NO_RULES } from "../../../rules/keyed.js";
import type { Desired } from "../desired.js";
import { serviceRefs, type ParsedState } from "../state.js";
import { contentFrom, isUpToDate, wantedDescription, type Content } from "./content.js";

/** What is compared. */
export interface Sides {
  /** What the stack knows about the ruleset. */
  readonly recorded: ParsedState;
  readonly desired: Desired;
  /** What is at the service now. */
  readonly actual: Ruleset;
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
  protected readonly recorded: ParsedState;
  protected readonly current: CurrentRuleset;
  protected readonly desired: Desired;
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
