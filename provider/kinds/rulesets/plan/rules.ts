import { mapFrom, ownValue, sameJson } from "../../../../core/model/json.js";
import { parseRule } from "../../../../core/model/parse-rule.js";
import type { Position } from "../../../../core/model/position.js";
import type { DeployedRule, Ruleset } from "../../../../core/model/ruleset.js";
import { contentOf } from "../../../../core/rules/content.js";
import { keyedEntries, type KeyedRules, NO_RULES } from "../../../../core/rules/keyed.js";
import {
  anchorOf,
  findAnchor,
  findImpossible,
  findUnanchored,
  placeFor,
  positionStatus,
  rangesOf,
} from "../../../../core/rules/placing/position.js";
import { type OrderedRule, resultingOrder } from "../../../../core/rules/placing/resulting-order.js";
import { planSteps, type Shares, type Step } from "../../../../core/rules/placing/steps.js";
import { NO_RULE, Rule } from "../../../../core/rules/rule.js";
import { type Conflict, currentOf, findConflict, NO_CONFLICT, ownConflict } from "../../../ownership/conflict.js";
import { findRemoved } from "../../../ownership/removal.js";
import type { Desired, Policy } from "../desired.js";
import type { There } from "../run.js";
import { type ParsedState, refsById, serviceRefs, withoutRules } from "../state.js";
import {
  type Change,
  contentFrom,
  type Notes,
  type OwnRules,
  type Planned,
  planWhole,
  stepsOf,
  type Unplaced,
} from "./change.js";
import {
  findMovedAway,
  identify,
  knownOf,
  movedEqualRules,
  refusalOf,
  type Sides,
  takenOverBy,
  unwantedRules,
} from "./identity.js";

/** Plans a change of what a resource manages: the whole of its ruleset, or its own rules among those of others. */
export function planChange(planned: PlannedRules, there: There): Change {
  return planned.desired.policy.ownership === "shared" ? planRules(planned, there) : planWhole(planned, there);
}

/**
 * Plans the delete of what a resource manages by its state. Rules that other resources of the program declare stay; where others
 * share the ruleset, the rest is deleted one by one.
 */
export function planDelete(recorded: ParsedState, before: Desired, there: There): Change {
  const { description } = recorded;
  const isShared = there.owners.otherHolder("any") !== undefined;
  const policy: Policy = isShared ? { ...before.policy, ownership: "shared" } : before.policy;
  const desired = { ...before, policy, description, rules: NO_RULES, positions: new Map<string, Position>() };
  const newOwnerOf = (rule: DeployedRule) => there.owners.keeperOf(rule);
  const change = planChange({ recorded, desired, difference: undefined, newOwnerOf }, there);
  const { conflict, own } = change.notes;
  if (own === undefined) return change;
  const deleted = new Set(stepsOf(change).flatMap((step) => (step.kind === "delete" ? [step.id] : [])));
  // What somebody changed in a rule that stays is not undone.
  const edited = conflict.edited.filter(({ rule }) => deleted.has(rule.id));
  return { ...change, notes: { ...change.notes, conflict: { ...conflict, edited } } };
}

/** A change of the own rules of a resource in a ruleset that exists. */
export interface RulesChange extends Change {
  readonly there: There & { readonly deployed: Ruleset };
  readonly requests: readonly Step[];
  readonly notes: Notes & { readonly own: OwnRules };
}

/** What a change of own rules is planned from. */
interface PlannedRules extends Planned {
  /** The resource that has a rule from then on that this one no longer declares. @default one that declares it */
  readonly newOwnerOf?: (rule: DeployedRule) => string | undefined;
}

/** Plans a change of a resource that has its own rules among those of others. */
export function planRules(planned: PlannedRules, there: There & { readonly deployed: Ruleset }): RulesChange;
export function planRules(planned: PlannedRules, there: There): Change;
export function planRules(planned: PlannedRules, there: There): Change {
  const { deployed } = there;
  return deployed === undefined ? planFirst(planned, there) : planAmong(planned, { ...there, deployed });
}

/** Where there is no ruleset, or it is not known what is in it. */
function planFirst({ recorded, desired, difference }: PlannedRules, there: There): Change {
  const after = contentFrom(desired, "");
  const recognised = new Map<string, DeployedRule>();
  const existing = recorded.lastRuleset.rules;
  const gone = new Set(Object.values(recorded.ruleIds));
  const removal =
    desired.rules === undefined
      ? { removed: [], before: existing.length }
      : findRemoved(existing, [
          ...contentFrom(desired, "", serviceRefs(recorded.ruleIds, existing)).rules,
          ...existing.filter(({ id }) => !gone.has(id)),
        ]);
  return {
    ...{ recorded, desired, there, after },
    requests: there.isRead ? [{ kind: "create", content: after }] : [],
    notes: {
      ...{ difference, recognised, conflict: NO_CONFLICT },
      removal: there.owners.withoutReleased(removal),
      // A new ruleset contains no rule that a position could name.
      unplaced: there.isRead ? findUnanchored(desired.positions, []) : undefined,
    },
  };
}

function planAmong(planned: PlannedRules, there: RulesChange["there"]): RulesChange {
  const { desired, difference, isNew = false } = planned;
  const { owners, deployed } = there;
  const found = knownOf(planned, deployed);
  const movedAway = findMovedAway(planned, found, there);
  const recorded = withoutRules(found, movedAway);
  const { sides, occupied } = identify({ recorded, desired, difference, deployed }, owners);
  const after = contentFrom(
    desired,
    deployed.description,
    serviceRefs(recorded.ruleIds, deployed.rules, sides.recognised),
  );
  const { unplaced, ...places } = requestedPlaces(sides);
  const unwanted = unwantedRules(sides);
  const { order } = desired.rules ?? NO_RULES;
  const requests = planSteps({
    ...{ order, ids: sides.ids, actual: deployed.rules, ...places },
    rules: mapFrom(order.flatMap((ref, index) => pairOf(after.rules[index], (rule) => [ref, rule] as const))),
    dropped: new Map(unwanted.flatMap(({ ref, rule, isKept }) => (isKept ? [] : [[rule.id, ref] as const]))),
    changed: order.length === 0 ? new Set() : changedRefs(sides),
    last: { order: [...recorded.deployedRules.keys()], ids: recorded.ruleIds },
  });
  const takenOver = takenOverBy(sides, requests, owners);
  const refused = [...occupied, ...(isNew ? movedEqualRules(sides, requests) : [])];
  const deleted = new Set([...movedAway, ...requests.flatMap((step) => (step.kind === "delete" ? [step.id] : []))]);
  const removal = findRemoved(deployed.rules, [...after.rules, ...deployed.rules.filter(({ id }) => !deleted.has(id))]);
  return {
    ...{ recorded: planned.recorded, desired, there, after, requests },
    notes: {
      ...{ difference, recognised: sides.recognised, unplaced },
      conflict: isNew ? NO_CONFLICT : conflictOfRules({ recorded, desired }, there),
      removal: owners.withoutReleased(removal),
      refusal: refusalOf(sides, refused, owners, isNew),
      own: {
        known: recorded,
        ids: sides.ids,
        kept: unwanted.flatMap(({ rule, isKept }) => (isKept ? [rule] : [])),
        takenOver,
      },
    },
  };
}

/** Where rules must be among those of others, and why one cannot be there. */
function requestedPlaces({
  recorded,
  desired,
  deployed,
  ids,
}: Sides): Pick<Shares, "ranges" | "unanchored"> & { readonly unplaced?: Unplaced } {
  if (desired.positions.size === 0) return {};
  const own = new Set(ids.values());
  const others = deployed.rules.filter(({ id }) => !own.has(id));
  const ranges = rangesOf((desired.rules ?? NO_RULES).order, desired.positions, others);
  // A position that has not changed counts as satisfied, whatever happened to the rule that it names.
  const unanchored = [...desired.positions].filter(([ref, position]) => {
    const id = ids.get(ref);
    const isNew = id === undefined || !sameJson(recorded.positions.get(ref), position);
    return isNew && placeFor(deployed.rules, position, id) === undefined;
  });
  const refs = new Set(unanchored.map(([ref]) => ref));
  const impossible = findImpossible(ranges, others);
  if (impossible !== undefined) return { ranges, unanchored: refs, unplaced: { kind: "impossible", ...impossible } };
  const [first] = unanchored;
  if (first === undefined) return { ranges };
  const [ref, position] = first;
  return { ranges, unanchored: refs, unplaced: { kind: "unanchored", ref, position } };
}

function pairOf<Value, Pair>(value: Value | undefined, of: (value: Value) => Pair): readonly Pair[] {
  return value === undefined ? [] : [of(value)];
}

/**
 * Rules to write: those whose content or form the program changed, and those that somebody changed and that must be
 * restored. What the service itself adds is not a change.
 */
function changedRefs({ recorded, desired, difference, deployed, recognised, ids }: Sides): ReadonlySet<string> {
  const { rules, order } = desired.rules ?? NO_RULES;
  const byProgram = new Set([...(difference?.changed ?? []).map(({ ref }) => ref), ...(difference?.reformatted ?? [])]);
  const current = currentOf(deployed).rules;
  return new Set(
    order.filter((ref) => {
      const id = ids.get(ref) ?? "";
      const rule = current.get(id);
      const { [ref]: want = NO_RULE } = rules;
      if (rule === undefined || rule.isWrittenAs(want)) return false;
      if (byProgram.has(ref) || recognised.has(ref)) return true;
      return recorded.deployedRules.get(id)?.meansSameAs(rule) !== true && !rule.meansSameAs(want);
    }),
  );
}

/** What somebody else changed in the resource's own rules since a state was written. */
export function conflictSince(planned: Pick<Planned, "recorded" | "desired">, there: RulesChange["there"]): Conflict {
  return conflictOfRules({ ...planned, recorded: knownOf(planned, there.deployed) }, there);
}

/**
 * What somebody else changed in own rules, without what other writes of this run may have caused: they change indexes, and what is
 * beside a rule.
 */
function conflictOfRules(
  { recorded, desired }: Pick<Planned, "recorded" | "desired">,
  { deployed, wasPlaced }: RulesChange["there"],
): Conflict {
  const current = currentOf(deployed);
  const wanted = { ...(desired.rules ?? NO_RULES), description: deployed.description };
  // Rules of others are no conflict there, so it does not matter which of them the program also declares.
  const conflict = ownConflict(findConflict(recorded, current, wanted, new Map()));
  const isMovedByOthers = (position: Position): boolean => {
    const name = anchorOf(position);
    if (name === undefined) return !wasPlaced();
    const anchor = findAnchor(deployed.rules, name);
    return anchor !== undefined && !wasPlaced(anchor.id);
  };
  // Rules that somebody moved away from the position that they had, and that are not where they are to be.
  const fromPositions = [...desired.positions].flatMap(([ref, position]) => {
    const id = ownValue(recorded.ruleIds, ref) ?? "";
    const last = recorded.positions.get(ref);
    if (last === undefined || !current.rules.has(id)) return [];
    const isElsewhere = (at: Position): boolean => positionStatus(deployed.rules, id, at) === "elsewhere";
    return isElsewhere(position) && isElsewhere(last) ? [ref] : [];
  });
  const moved = [...conflict.moved, ...fromPositions].filter((ref) => {
    const last = recorded.positions.get(ref);
    return last === undefined || isMovedByOthers(last);
  });
  return { ...conflict, moved };
}

/**
 * Every rule of the ruleset in the order that a change leads to, as far as that is known.
 * @param staying IDs of rules that are not deleted
 */
export function orderAfter(change: Change, staying: ReadonlySet<string> = new Set()): readonly OrderedRule[] {
  const { there, notes } = change;
  const steps = stepsOf(change).filter((step) => step.kind !== "delete" || !staying.has(step.id));
  return resultingOrder(there.deployed?.rules ?? [], notes.own?.ids ?? new Map(), steps);
}

/**
 * The rules of a whole ruleset before a change, by their refs in the program: those that are deployed, as the program last
 * declared them where nobody has changed them, or what was declared if it is not known what is deployed.
 */
export function rulesBefore({ recorded, there: { isRead, deployed }, notes: { recognised } }: Change): KeyedRules {
  const { declared, ruleIds, deployedRules } = recorded;
  if (deployed === undefined) return isRead ? NO_RULES : declared;
  const refs = new Map([...refsById(ruleIds), ...Array.from(recognised, ([ref, { id }]) => [id, ref] as const)]);
  const isAsWritten = (rule: DeployedRule, ref: string): boolean =>
    ownValue(declared.rules, ref) !== undefined && deployedRules.get(rule.id)?.meansSameAs(Rule.of(rule)) === true;
  const found = deployed.rules.map((rule) => {
    const ref = refs.get(rule.id) ?? rule.ref;
    return { ref, rule, known: isAsWritten(rule, ref) ? declared.rules[ref] : undefined };
  });
  const isSame = sameJson(
    found.map(({ ref, known }) => (known === undefined ? "" : ref)),
    declared.order,
  );
  if (isSame) return declared;
  return keyedEntries(
    found.map(({ ref, rule, known }) => ({ ref, rule: known?.fields ?? parseRule({ ...contentOf(rule), ref }) })),
  );
}
