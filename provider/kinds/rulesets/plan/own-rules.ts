import { orderText } from "../../../../core/model/ids.js";
import { ownValue, sameJson, mapFrom } from "../../../../core/model/json.js";
import type { DeployedRule, Ruleset } from "../../../../core/model/ruleset.js";
import { findConflict, ownConflict, recogniseRules, type Conflict } from "../../../ownership/conflict.js";
import type { KeptRule } from "../../../ownership/removal.js";
import type { OccupiedRef } from "../../../ownership/shared-messages.js";
import type { RulesDiff } from "../../../../core/rules/diff.js";
import { isOwnershipRequested, type Desired } from "../desired.js";
import { findImpossible, placeFor, positionStatus, rangesOf } from "../../../../core/rules/placing/position.js";
import { planSteps, type Shares } from "../../../../core/rules/placing/steps.js";
import {
  parseState,
  refsById,
  stateFrom,
  takenOverIn,
  withoutRules,
  withRecreated,
  withUnconfirmedAdditions,
  type ParsedState,
} from "../state.js";
import { Comparison, type SharedPart, type Sides, type Unplaced, Plan } from "./plan.js";
import type { Content } from "./content.js";
import { parseRule } from "../../../../core/model/parse-rule.js";
import type { Join, JoinedRule } from "../../../ownership/join.js";
import { contentOf } from "../../../../core/rules/content.js";
import { keyedEntries, rulesByRef, type PendingFields } from "../../../../core/rules/keyed.js";
import { NO_RULE, Rule } from "../../../../core/rules/rule.js";
import type { RulesetState } from "../description.js";

/** What is compared for a program's own rules among those of others. */
interface OwnSides extends Sides {
  /** By ID, the new owners of rules of this resource that the program moved to another resource of the stack. */
  readonly movedAway: ReadonlyMap<string, string>;
  /** How what the program wants differs from what it wanted. */
  readonly difference: () => RulesDiff | undefined;
}

/** The comparison of a program's own rules in a ruleset that it shares. */
export class OwnRulesComparison extends Comparison {
  #part?: SharedPart;
  #adopting?: { readonly refs: readonly string[]; readonly comparison: OwnRulesComparison };

  constructor(
    private readonly sides: OwnSides,
    recognised?: ReadonlyMap<string, DeployedRule>,
  ) {
    super({ ...sides, recorded: withoutRules(sides.recorded, new Set(sides.movedAway.keys())) }, recognised);
  }

  /** By ID, the new owners of rules that the program moved to other resources of the stack. */
  get movedAway(): ReadonlyMap<string, string> {
    return this.sides.movedAway;
  }

  override get lastPositions(): ParsedState["positions"] {
    return this.recorded.positions;
  }

  protected override recognise(): ReadonlyMap<string, DeployedRule> {
    if (this.wanted.order.length === 0) return new Map();
    const adoptsAll = isOwnershipRequested(this.desired.policy);
    const recognition = { shared: true, adopts: () => adoptsAll };
    return recogniseRules(this.recorded, this.wanted, this.current.rules, recognition);
  }

  protected override findConflict(): Conflict {
    // Rules of others are no conflict there, so it does not matter which of them the program also declares.
    const conflict = ownConflict(findConflict(this.recorded, this.current, this.wanted, new Map()));
    return { ...conflict, moved: [...conflict.moved, ...this.movedFromPositions()] };
  }

  /** Rules that somebody moved away from the position that they had, and that are not where they are to be. */
  private movedFromPositions(): readonly string[] {
    const { recorded, desired, actual } = this;
    return [...desired.positions].flatMap(([ref, position]) => {
      const id = ownValue(recorded.ruleIds, ref) ?? "";
      const last = recorded.positions.get(ref);
      if (last === undefined || !this.current.rules.has(id)) return [];
      const isElsewhere = (at: typeof position): boolean => positionStatus(actual.rules, id, at) === "elsewhere";
      return isElsewhere(position) && isElsewhere(last) ? [ref] : [];
    });
  }

  override get part(): SharedPart {
    return (this.#part ??= planShared(this));
  }

  /** How what the program wants differs from what it wanted. */
  get difference(): RulesDiff | undefined {
    return this.sides.difference();
  }

  /** An existing rule with a ref of the program, and what would change in it. */
  occupant(ref: string, rule: DeployedRule): OccupiedRef {
    const position = this.desired.positions.get(ref);
    const moves = position !== undefined && positionStatus(this.actual.rules, rule.id, position) === "elsewhere";
    return { ref, rule, differences: this.changedFields(ref, rule, moves) };
  }

  /** The fields in which an existing rule must change, and `position` if it must move. */
  changedFields(ref: string, rule: DeployedRule, moves: boolean): readonly string[] {
    const wanted = this.wanted.rules[ref];
    const existing = Rule.of(rule);
    const fields = wanted === undefined || wanted.mayMeanSameAs(existing) ? [] : existing.changedFields(wanted);
    return moves ? [...fields, "position"] : fields;
  }

  override get isUpToDate(): boolean {
    return this.part.steps.length === 0;
  }

  /**
   * The same, where the program may take over and change rules that have a ref of its own: those with these IDs, which it
   * moved here from another resource of the stack.
   */
  adopting(ids: ReadonlySet<string>): OwnRulesComparison {
    const adopted = this.part.occupied.filter(({ rule }) => ids.has(rule.id));
    const refs = adopted.map(({ ref }) => ref);
    if (refs.length === 0) return this;
    if (this.#adopting !== undefined && sameJson(this.#adopting.refs, refs)) return this.#adopting.comparison;
    const entries = adopted.map(({ ref, rule }) => [ref, rule] as const);
    const comparison = new OwnRulesComparison(this.sides, new Map([...entries, ...this.recognised]));
    this.#adopting = { refs, comparison };
    return comparison;
  }
}

/** What a stack that shares a ruleset has to write there. */
function planShared(comparison: OwnRulesComparison): SharedPart {
  const { recorded, wanted, recognised, actual, content } = comparison;
  const ids = currentIds(comparison);
  const matchedIds = new Set(ids.values());
  const occupied = occupiedRefs(comparison, ids);
  const taken = takenOverIn(recorded);
  const ownRefs = refsById(recorded.ruleIds);
  const unwanted = actual.rules.flatMap((rule) => {
    const ref = matchedIds.has(rule.id) ? undefined : ownRefs.get(rule.id);
    return ref === undefined ? [] : [{ ref, rule }];
  });
  const kept = new Map(unwanted.flatMap(({ ref, rule }) => (taken.has(ref) ? [[ref, rule] as const] : [])));
  const dropped = unwanted.flatMap(({ ref, rule }) => (taken.has(ref) ? [] : [[rule.id, ref] as const]));
  const { unplaced, ...places } = requestedPlaces(comparison, ids);
  const steps = planSteps({
    order: wanted.order,
    rules: mapFrom(wanted.order.flatMap((ref, index) => ruleAt(content, ref, index))),
    ids,
    dropped: new Map(dropped),
    actual: actual.rules,
    changed: wanted.order.length === 0 ? new Set() : changedRefs(comparison, ids),
    ...places,
    last: { order: [...recorded.deployedRules.keys()], ids: recorded.ruleIds },
  });
  const written = new Set(steps.map(({ ref }) => ref));
  const isTaken = (ref: string): boolean => {
    const rule = recognised.get(ref);
    const before = rule === undefined ? ref : ownRefs.get(rule.id);
    // A program that uses an ID as a ref claims that rule.
    return before === undefined ? rule?.ref !== rule?.id : taken.has(before);
  };
  const takenOver = isOwnershipRequested(comparison.desired.policy)
    ? []
    : wanted.order.filter((ref) => !written.has(ref) && isTaken(ref));
  return { steps, ids, occupied, kept, takenOver: new Set(takenOver), unplaced };
}

/** Where rules must be among those of others, and why one cannot be there. */
function requestedPlaces(
  { recorded, desired, wanted, actual }: OwnRulesComparison,
  ids: ReadonlyMap<string, string>,
): Pick<Shares, "ranges" | "unanchored"> & { readonly unplaced?: Unplaced } {
  if (desired.positions.size === 0) return {};
  const own = new Set(ids.values());
  const others = actual.rules.filter(({ id }) => !own.has(id));
  const ranges = rangesOf(wanted.order, desired.positions, others);
  // A position that has not changed counts as satisfied, whatever happened to the rule that it names.
  const unanchored = [...desired.positions].filter(([ref, position]) => {
    const id = ids.get(ref);
    const isNew = id === undefined || !sameJson(recorded.positions.get(ref), position);
    return isNew && placeFor(actual.rules, position, id) === undefined;
  });
  const refs = new Set(unanchored.map(([ref]) => ref));
  const impossible = findImpossible(ranges, others);
  if (impossible !== undefined) return { ranges, unanchored: refs, unplaced: { kind: "impossible", ...impossible } };
  const [first] = unanchored;
  if (first === undefined) return { ranges };
  const [ref, position] = first;
  return { ranges, unanchored: refs, unplaced: { kind: "unanchored", ref, position } };
}

function ruleAt({ rules }: Content, ref: string, index: number): [] | [readonly [string, PendingFields]] {
  const rule = rules[index];
  return rule === undefined ? [] : [[ref, rule]];
}

function currentIds({ recorded, wanted, recognised, actual }: OwnRulesComparison): ReadonlyMap<string, string> {
  const existingIds = new Set(actual.rules.map(({ id }) => id));
  return new Map(
    wanted.order.flatMap((ref) => {
      const id = recognised.get(ref)?.id ?? ownValue(recorded.ruleIds, ref);
      return id !== undefined && existingIds.has(id) ? [[ref, id] as const] : [];
    }),
  );
}

/** The service rejects a second rule with the same ref, and the first one is not this stack's to change. */
function occupiedRefs(comparison: OwnRulesComparison, ids: ReadonlyMap<string, string>): readonly OccupiedRef[] {
  const { wanted, actual } = comparison;
  const mine = new Set(ids.values());
  const byRef = new Map(actual.rules.flatMap((rule) => (mine.has(rule.id) ? [] : [[rule.ref, rule] as const])));
  return wanted.order.flatMap((ref) => {
    const rule = ids.has(ref) ? undefined : byRef.get(ref);
    return rule === undefined ? [] : [comparison.occupant(ref, rule)];
  });
}

/**
 * Rules to write: those whose content or form the program changed, and those that somebody changed and that must be
 * restored. What the service itself adds is not a change.
 */
function changedRefs(
  { recorded, difference, wanted, recognised, current }: OwnRulesComparison,
  ids: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const byProgram = new Set([...(difference?.changed ?? []).map(({ ref }) => ref), ...(difference?.reformatted ?? [])]);
  return new Set(
    wanted.order.filter((ref) => {
      const id = ids.get(ref) ?? "";
      const rule = current.rules.get(id);
      const { [ref]: want = NO_RULE } = wanted.rules;
      if (rule === undefined || rule.isWrittenAs(want)) return false;
      if (byProgram.has(ref) || recognised.has(ref)) return true;
      return recorded.deployedRules.get(id)?.meansSameAs(rule) !== true && !rule.meansSameAs(want);
    }),
  );
}

/** What happens to a program's own rules in a ruleset that it shares. */
export class OwnRulesPlan extends Plan {
  #latest?: OwnRulesComparison;

  /** Nobody manages the name and description of a shared ruleset, or the rules of others. */
  protected override changesWhole(): boolean {
    const { positions } = this.recorded;
    return [...this.desired.positions].some(([ref, position]) => !sameJson(positions.get(ref), position));
  }

  override recordedAt(actual: Pick<Ruleset, "rules">): ParsedState {
    const known = withRecreated(super.recordedAt(actual), this.desired, actual);
    return this.finishes ? withUnconfirmedAdditions(known, actual) : known;
  }

  protected override changesState(): boolean {
    const { state, positions } = this.recorded;
    const dropsPosition = [...positions.keys()].some((ref) => !this.desired.positions.has(ref));
    return this.desired.name !== state.name || dropsPosition;
  }

  /** Every rule of others counts: this plan leaves them alone. */
  protected override after(
    own: Content["rules"],
    existing: Ruleset["rules"],
    comparison: OwnRulesComparison | undefined,
  ): readonly KeptRule[] {
    const gone = new Set(
      comparison === undefined
        ? Object.values(this.recorded.ruleIds)
        : [
            ...comparison.part.steps.flatMap((step) => (step.kind === "delete" ? [step.id] : [])),
            ...comparison.movedAway.keys(),
          ],
    );
    return [...own, ...existing.filter(({ id }) => !gone.has(id))];
  }

  /**
   * Compares with what is at the service now.
   * @param movedAway by ID, the new owners of rules that the program moved to other resources of the stack, which may have
   * changed them already: they are left alone
   */
  override compareWith(actual: Ruleset, movedAway: ReadonlyMap<string, string> = new Map()): OwnRulesComparison {
    const latest = this.#latest;
    if (latest?.actual === actual && sameJson([...latest.movedAway], [...movedAway])) return latest;
    const { desired } = this;
    const recorded = this.recordedAt(actual);
    const difference = () => this.difference;
    return (this.#latest = new OwnRulesComparison({ recorded, desired, actual, movedAway, difference }));
  }
}

/**
 * The plan of a resource that is created in a ruleset that others share: planned like a change, from a state that
 * contains the existing rules that it keeps.
 */
export function planJoin(desired: Desired, existing: Ruleset, { kept }: Pick<Join, "kept">): OwnRulesPlan {
  const order = desired.rules?.order ?? [];
  const named = kept.flatMap(({ index, ...each }) => {
    const ref = order[index];
    return ref === undefined ? [] : [{ ...each, ref }];
  });
  return new OwnRulesPlan(parseState(stateBefore(desired, existing, named)), desired);
}

/** A rule that is kept, with the program's ref. */
interface NamedJoinedRule extends Pick<JoinedRule, "rule" | "grounds"> {
  readonly ref: string;
}

function stateBefore(
  { secrets: { __secretPaths: secrets } }: Desired,
  existing: Ruleset,
  kept: readonly NamedJoinedRule[],
): RulesetState {
  const refOf = new Map(kept.map(({ ref, rule }) => [rule.id, ref]));
  const own = existing.rules.flatMap((rule): (readonly [string, DeployedRule])[] => {
    const ref = refOf.get(rule.id);
    return ref === undefined ? [] : [[ref, rule]];
  });
  const keyed = keyedEntries(own.map(([ref, rule]) => ({ ref, rule: parseRule(contentOf(rule)) })));
  const { name, phase, description } = existing;
  const inputs = {
    ...{ name, phase, description, ownership: "shared" as const },
    ...{ rules: rulesByRef(keyed), order: orderText(keyed.order) },
    ...(secrets === undefined ? {} : { __secretPaths: secrets }),
  };
  return {
    ...stateFrom(inputs, existing, new Map(own.map(([ref, rule]) => [ref, rule.ref])), keyed),
    // Every existing rule is stored with its content here; the state after the write leaves out rules that are not the
    // program's.
    __answers: mapFrom(existing.rules.map((rule) => [rule.id, contentOf(rule)] as const)),
    __takenOver: kept.flatMap(({ ref, grounds }) => (grounds === "equal" ? [ref] : [])),
  };
}
