import { ownValue } from "../../../../core/model/json.js";
import type { DeployedRule, Ruleset } from "../../../../core/model/ruleset.js";
import { deployedRulesById, NO_RULES } from "../../../../core/rules/keyed.js";
import { positionStatus } from "../../../../core/rules/placing/position.js";
import { isMovedAmongOthers, type Step } from "../../../../core/rules/placing/steps.js";
import { Rule } from "../../../../core/rules/rule.js";
import { recogniseRules } from "../../../ownership/conflict.js";
import { type OccupiedRef, occupiedRefsText } from "../../../ownership/shared-messages.js";
import { type Desired, isOwnershipRequested } from "../desired.js";
import type { Owners } from "../run.js";
import { type ParsedState, refsById, takenOverIn, withRecreated, withUnconfirmedAdditions } from "../state.js";
import type { Planned } from "./change.js";

/* Which existing rules of a shared ruleset belong to a resource. */

/** The two sides of a change, and which existing rule each rule of the program is. */
export interface Sides {
  readonly recorded: ParsedState;
  readonly desired: Desired;
  readonly difference: Planned["difference"];
  readonly deployed: Ruleset;
  readonly recognised: ReadonlyMap<string, DeployedRule>;
  /** By ref, the IDs of the program's existing rules. */
  readonly ids: ReadonlyMap<string, string>;
}

/** What the stack knows of its rules, with what can be told from what is there. */
export function knownOf({ recorded, desired }: Pick<Planned, "recorded" | "desired">, deployed: Ruleset): ParsedState {
  const known = withRecreated(recorded, desired, deployed);
  return recorded.state.__incomplete === true ? withUnconfirmedAdditions(known, deployed) : known;
}

/** IDs of the rules that the program moved to other resources, which may have changed them already: they are left alone. */
export function findMovedAway(
  {
    desired,
    newOwnerOf,
  }: Pick<Planned, "desired"> & { readonly newOwnerOf?: (rule: DeployedRule) => string | undefined },
  known: ParsedState,
  { deployed, owners }: { readonly deployed: Ruleset; readonly owners: Owners },
): ReadonlySet<string> {
  const kept = new Set((desired.rules?.order ?? []).map((ref) => ownValue(known.ruleIds, ref)));
  const mine = new Set(Object.values(known.ruleIds).filter((id) => !kept.has(id)));
  const ownerOf = newOwnerOf ?? ((rule: DeployedRule) => owners.claimantOf(rule));
  const moved = deployed.rules.filter((rule) => mine.has(rule.id) && ownerOf(rule) !== undefined);
  return new Set(moved.map(({ id }) => id));
}

/**
 * Which existing rule each rule of the program is, and which refs of the program rules of somebody else have. A rule that moved
 * here may change on the way, unless somebody else has changed it meanwhile or the other resource still has it.
 */
export function identify(
  sides: Omit<Sides, "recognised" | "ids">,
  owners: Owners,
): { readonly sides: Sides; readonly occupied: readonly OccupiedRef[] } {
  const { recorded, desired, deployed } = sides;
  const rules = desired.rules ?? NO_RULES;
  const adoptsAll = isOwnershipRequested(desired.policy);
  const own = new Set(Object.values(recorded.ruleIds));
  const recognition = { mayBe: ({ id }: DeployedRule) => own.has(id), adopts: () => adoptsAll };
  const found =
    rules.order.length === 0
      ? new Map<string, DeployedRule>()
      : recogniseRules(recorded, rules, deployedRulesById(deployed.rules), recognition);
  const first = { ...sides, recognised: found, ids: currentIds(recorded, rules.order, found, deployed) };
  const occupied = occupiedRefs(first);
  const movedHere = occupied.filter(
    ({ rule }) => rule.version !== "" && owners.ownerOf(rule)?.version === rule.version,
  );
  if (movedHere.length === 0) return { sides: first, occupied };
  const recognised = new Map([...movedHere.map(({ ref, rule }) => [ref, rule] as const), ...found]);
  const ids = currentIds(recorded, rules.order, recognised, deployed);
  return { sides: { ...sides, recognised, ids }, occupied: occupied.filter((each) => !movedHere.includes(each)) };
}

function currentIds(
  { ruleIds }: ParsedState,
  order: readonly string[],
  recognised: ReadonlyMap<string, DeployedRule>,
  deployed: Ruleset,
): ReadonlyMap<string, string> {
  const existingIds = new Set(deployed.rules.map(({ id }) => id));
  return new Map(
    order.flatMap((ref) => {
      const id = recognised.get(ref)?.id ?? ownValue(ruleIds, ref);
      return id !== undefined && existingIds.has(id) ? [[ref, id] as const] : [];
    }),
  );
}

/** The service rejects a second rule with the same ref, and the first one is not this stack's to change. */
function occupiedRefs(sides: Sides): readonly OccupiedRef[] {
  const { desired, deployed, ids } = sides;
  const mine = new Set(ids.values());
  const byRef = new Map(deployed.rules.flatMap((rule) => (mine.has(rule.id) ? [] : [[rule.ref, rule] as const])));
  return (desired.rules ?? NO_RULES).order.flatMap((ref) => {
    const rule = ids.has(ref) ? undefined : byRef.get(ref);
    return rule === undefined ? [] : [occupant(sides, ref, rule)];
  });
}

/** An existing rule with a ref of the program, and what would change in it. */
function occupant(
  { desired, deployed }: Pick<Sides, "desired" | "deployed">,
  ref: string,
  rule: DeployedRule,
): OccupiedRef {
  const position = desired.positions.get(ref);
  const moves = position !== undefined && positionStatus(deployed.rules, rule.id, position) === "elsewhere";
  return { ref, rule, differences: changedFieldsOf(desired, ref, rule, moves) };
}

/** The fields in which an existing rule must change, and `position` if it must move. */
export function changedFieldsOf(
  { rules = NO_RULES }: Pick<Desired, "rules">,
  ref: string,
  rule: DeployedRule,
  moves: boolean,
): readonly string[] {
  const declared = rules.rules[ref];
  const deployed = Rule.of(rule);
  const fields = declared === undefined || declared.mayMeanSameAs(deployed) ? [] : deployed.changedFields(declared);
  return moves ? [...fields, "position"] : fields;
}

/** A new resource must not move an equal rule that may be somebody else's. */
export function movedEqualRules(sides: Sides, steps: readonly Step[]): readonly OccupiedRef[] {
  if (isOwnershipRequested(sides.desired.policy)) return [];
  const equal = takenOverIn(sides.recorded);
  return steps.flatMap((step) => {
    if (step.kind !== "change" || !isMovedAmongOthers(step) || !equal.has(step.ref)) return [];
    const rule = sides.deployed.rules.find(({ id }) => id === step.id);
    return rule === undefined ? [] : [occupant(sides, step.ref, rule)];
  });
}

export function refusalOf(
  { desired, deployed }: Sides,
  occupied: readonly OccupiedRef[],
  owners: Owners,
  isNew: boolean,
): string | undefined {
  if (occupied.length === 0) return undefined;
  const named = occupied.map((each) => {
    const owner = owners.ownerOf(each.rule);
    return owner?.declares === false ? { ...each, owner: owner.urn } : each;
  });
  const { where, words, target } = desired;
  return occupiedRefsText(where, words, named, { scope: target.scope, ruleset: deployed, isNew });
}

/** Rules that the program no longer declares. Those that were only taken over because they were equal stay. */
export function unwantedRules({ recorded, deployed, ids }: Sides): readonly {
  readonly ref: string;
  readonly rule: DeployedRule;
  readonly isKept: boolean;
}[] {
  const matchedIds = new Set(ids.values());
  const ownRefs = refsById(recorded.ruleIds);
  const taken = takenOverIn(recorded);
  return deployed.rules.flatMap((rule) => {
    const ref = matchedIds.has(rule.id) ? undefined : ownRefs.get(rule.id);
    return ref === undefined ? [] : [{ ref, rule, isKept: taken.has(ref) }];
  });
}

/**
 * Refs of rules that the resource has only because they are equal, and does not write. One that the program moved here from
 * another resource of this stack is its own.
 */
export function takenOverBy(
  { recorded, desired, deployed, recognised, ids }: Sides,
  steps: readonly Step[],
  owners: Owners,
): ReadonlySet<string> {
  if (isOwnershipRequested(desired.policy)) return new Set();
  const taken = takenOverIn(recorded);
  const ownRefs = refsById(recorded.ruleIds);
  const written = new Set(steps.map(({ ref }) => ref));
  const ours = new Set(deployed.rules.flatMap((rule) => (owners.ownerOf(rule)?.declares === false ? [rule.id] : [])));
  const isTaken = (ref: string): boolean => {
    const rule = recognised.get(ref);
    const known = rule === undefined ? ref : ownRefs.get(rule.id);
    // A program that uses an ID as a ref claims that rule.
    const isEqual = known === undefined ? rule?.ref !== rule?.id : taken.has(known);
    return isEqual && !ours.has(ids.get(ref) ?? "");
  };
  return new Set((desired.rules ?? NO_RULES).order.filter((ref) => !written.has(ref) && isTaken(ref)));
}
