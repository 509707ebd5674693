import { mapFrom, ownValue, sameJson } from "../../../../core/model/json.js";
import type { Position } from "../../../../core/model/position.js";
import type { DeployedRule, Ruleset } from "../../../../core/model/ruleset.js";
import { deployedRulesById, fieldsOf, NO_RULES, ruleEntries } from "../../../../core/rules/keyed.js";
import {
  anchorOf,
  findAnchor,
  findImpossible,
  findUnanchored,
  placeFor,
  positionStatus,
  rangesOf,
} from "../../../../core/rules/placing/position.js";
import { planSteps, type Shares, type Step } from "../../../../core/rules/placing/steps.js";
import { NO_RULE } from "../../../../core/rules/rule.js";
import { type Conflict, contentById, findConflict, NO_CONFLICT, ownConflict } from "../../../ownership/conflict.js";
import { findRemoved } from "../../../ownership/removal.js";
import { desiredFrom } from "../desired.js";
import type { There } from "../run.js";
import { type ParsedState, serviceRefs, takenOverIn, withoutRules } from "../state.js";
import {
  type Change,
  type Content,
  contentFrom,
  type Notes,
  type OwnRules,
  type Planned,
  planWhole,
  type Request,
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
  return planned.desired.reach.isPart ? planRules(planned, there) : planWhole(planned, there);
}

/**
 * Plans the delete of what a resource manages by its state. Rules that other resources of the program declare stay; where others
 * share the ruleset, the rest is deleted one by one.
 */
export function planDelete(recorded: ParsedState, there: There): Change {
  const { state, declared, description } = recorded;
  const isShared = there.owners.otherHolder("any") !== undefined;
  const before = desiredFrom(isShared ? { ...state, ownership: "shared" } : state, declared);
  const desired = { ...before, description, rules: NO_RULES, positions: new Map<string, Position>() };
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
function planFirst(planned: PlannedRules, there: There): Change {
  const { recorded, desired, difference, isNew = false } = planned;
  const after = contentFrom(desired, "");
  const recognised = new Map<string, DeployedRule>();
  const { rules } = recorded.lastRuleset;
  const gone = new Set(Object.values(recorded.ruleIds));
  const removal =
    desired.rules === undefined
      ? { removed: [], before: rules.length }
      : findRemoved(rules, [
          ...contentFrom(desired, "", serviceRefs(recorded.ruleIds, rules)).rules,
          ...rules.filter(({ id }) => !gone.has(id)),
        ]);
  return {
    ...{ recorded, desired, there, after },
    requests: there.isRead
      ? [{ kind: "create", content: after }]
      : (isNew ? possibleRequestsOfNew : possibleRequests)(planned, after),
    notes: {
      ...{ difference, recognised, conflict: NO_CONFLICT },
      removal: there.owners.withoutReleased(removal),
      // A new ruleset contains no rule that a position could name.
      unplaced: there.isRead ? findUnanchored(desired.positions, []) : undefined,
    },
  };
}

/** What a new resource may send where it is not known what exists. */
function possibleRequestsOfNew({ desired }: PlannedRules, after: Content): readonly Request[] {
  const { target, policy, rules = NO_RULES } = desired;
  if (rules.order.length === 0) return [{ kind: "create", content: after, unless: "the ruleset already exists" }];
  const mayBeMade = target.rulesetId === undefined && policy.adopts === undefined;
  const made = "the ruleset does not exist yet (then one POST creates it with all rules), or ";
  const unless = `${mayBeMade ? made : ""}the same rule already exists`;
  const namesOf = new Map(ruleEntries(rules).map(({ ref, rule }) => [ref, fieldsOf(rule)]));
  return after.rules.map((rule): Request => {
    const { ref = "" } = rule;
    const { id } = namesOf.get(ref) ?? {};
    return id === undefined
      ? { kind: "add", ref, rule, places: [], unless }
      : { kind: "change", ref, id, rule, unless: "the rule already has this content" };
  });
}

/** What an update may send where it is not known what exists: one request for each rule that the program changes. */
function possibleRequests({ recorded, desired, difference }: PlannedRules, after: Content): readonly Request[] {
  const unless = "no rule changes; otherwise one for each that does";
  const some: Request = { kind: "change", ref: "", id: "<rule>", unless };
  if (difference === undefined || recorded.state.__incomplete === true) return [some];
  const idOf = (ref: string): string => ownValue(recorded.ruleIds, ref) ?? "<rule>";
  const taken = takenOverIn(recorded);
  const { added, changed, reformatted, moved, unchanged, removed } = difference;
  const isPlacedAnew = (ref: string): boolean => !sameJson(recorded.positions.get(ref), desired.positions.get(ref));
  const kept = new Set([...changed.map(({ ref }) => ref), ...reformatted, ...moved, ...unchanged.filter(isPlacedAnew)]);
  const isNew = new Set(added);
  const isPending = unchanged.some((ref) => desired.rules?.rules[ref]?.pending === true);
  return [
    ...after.rules.flatMap((rule): readonly Request[] => {
      const { ref = "" } = rule;
      return isNew.has(ref) ? [{ kind: "add", ref, rule, places: [], unless: "the same rule already exists" }] : [];
    }),
    ...Array.from(kept, (ref): Request => ({
      kind: "change",
      ref,
      id: idOf(ref),
      unless: "the rule is already as declared",
    })),
    ...(isPending ? [some] : []),
    ...removed
      .filter((ref) => !taken.has(ref))
      .map((ref): Request => ({ kind: "delete", ref, id: idOf(ref), unless: "the rule no longer exists" })),
  ];
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
    ...{ order, ids: sides.ids, deployed: deployed.rules, ...places },
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
  const byId = deployedRulesById(deployed.rules);
  return new Set(
    order.filter((ref) => {
      const id = ids.get(ref) ?? "";
      const rule = byId.get(id);
      const { [ref]: declared = NO_RULE } = rules;
      if (rule === undefined || rule.isWrittenAs(declared)) return false;
      if (byProgram.has(ref) || recognised.has(ref)) return true;
      return recorded.deployedRules.get(id)?.meansSameAs(rule) !== true && !rule.meansSameAs(declared);
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
  const content = contentById(deployed);
  const rules = { ...(desired.rules ?? NO_RULES), description: deployed.description };
  // Rules of others are no conflict there, so it does not matter which of them the program also declares.
  const conflict = ownConflict(findConflict(recorded, content, rules, new Map()));
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
    if (last === undefined || !content.rules.has(id)) return [];
    const isElsewhere = (at: Position): boolean => positionStatus(deployed.rules, id, at) === "elsewhere";
    return isElsewhere(position) && isElsewhere(last) ? [ref] : [];
  });
  const moved = [...conflict.moved, ...fromPositions].filter((ref) => {
    const last = recorded.positions.get(ref);
    return last === undefined || isMovedByOthers(last);
  });
  return { ...conflict, moved };
}
