import type { RulesetsError } from "../../../core/model/errors.js";
import { orderText } from "../../../core/model/ids.js";
import { isObject, mapFrom } from "../../../core/model/json.js";
import { parseRule } from "../../../core/model/parse-rule.js";
import type { DeployedRule, Ruleset } from "../../../core/model/ruleset.js";
import { contentOf } from "../../../core/rules/content.js";
import { deriveRefOf } from "../../../core/rules/derive-ref.js";
import { diffRules, withoutForm } from "../../../core/rules/diff.js";
import { keyedEntries, NO_RULES, rulesByRef } from "../../../core/rules/keyed.js";
import type { Matches } from "../../../core/rules/match.js";
import type { Session } from "../../engine/session.js";
import { decideJoin, type Join, matchesInJoin } from "../../ownership/join.js";
import { occupiedError, occupiedText } from "../../ownership/ruleset-messages.js";
import { planWholeTakeover, type Takeover } from "../../ownership/takeover.js";
import { type Desired, isOwnershipRequested, type Target } from "./desired.js";
import { findExisting, type NewResource, newResourceOf, refuseAmbiguousName } from "./find.js";
import { type Change, editOf, planWhole } from "./plan/change.js";
import { planChange, planRules, type RulesChange } from "./plan/rules.js";
import { type Owners, ownersOf, runRecord, type There } from "./run.js";
import { NOTHING_KNOWN, type ParsedState, parseState, stateFrom } from "./state.js";
import { findLimitError, type ForeignChanges } from "./write/stops.js";

/** What a resource that is about to be created does with the ruleset that already exists. */
export interface TakeoverPlan {
  readonly target: Target;
  readonly deployed: Ruleset;
  /** Set for a resource that owns the whole ruleset. */
  readonly takeover?: Takeover;
  /** Set for a resource that shares the ruleset. */
  readonly join?: Join;
  /** Which existing rules the program's rules are. */
  readonly matches: Matches;
  /** Whether the program asks to take it over, rather than it just being equal. */
  readonly requested: boolean;
  /** Why it must not be taken over. */
  readonly refusal?: RulesetsError | undefined;
}

/** Finds what exists where a resource will be created, and decides whether it may be taken over. */
export async function planTakeover(session: Session, resource: NewResource): Promise<TakeoverPlan | undefined> {
  const deployed = await findExisting(session, resource);
  if (deployed === undefined) return undefined;
  const { target, wanted, policy, reach } = resource;
  if (!reach.isPart) return decideForWhole(session, resource, deployed);
  const refusal = await refuseAmbiguousName(session, resource);
  const join = resolveJoin(resource, deployed, ownersOf(session, resource, deployed.id));
  const matches = matchesInJoin(join, wanted);
  return { target, deployed, requested: isOwnershipRequested(policy), refusal, join, matches };
}

/** The rules of a shared ruleset that belong to the resource. */
function resolveJoin(resource: NewResource, ruleset: Ruleset, owners: Owners): Join {
  const deployed = { ...ruleset, rules: candidatesIn(resource, ruleset) };
  const leftover = deriveRefOf(resource.urn ?? "");
  const holds = (rule: DeployedRule): boolean => owners.ownerOf(rule)?.declares === false;
  const idsOf = (belongs: (rule: DeployedRule) => boolean): ReadonlySet<string> =>
    new Set(deployed.rules.filter(belongs).map(({ id }) => id));
  return decideJoin(deployed, resource.wanted, {
    requested: isOwnershipRequested(resource.policy),
    // A rule with the ref of this resource was left behind by an interrupted run of this stack.
    inherited: idsOf((rule) => holds(rule) || rule.ref === leftover),
    unchanged: idsOf((rule) => owners.ownerOf(rule)?.version === rule.version),
    own: idsOf((rule) => holds(rule) && owners.ownerOf(rule)?.urn === resource.urn),
  });
}

/** The existing rules that may be the resource's: for a single rule, only one with its ref, or with the ID that it names. */
function candidatesIn({ reach, wanted: [only] }: NewResource, { rules }: Ruleset): readonly DeployedRule[] {
  if (reach.manages !== "rule" || !isObject(only)) return rules;
  return rules.filter(({ ref, id }) => ref === only.ref || id === only.id);
}

/** Decides how a new resource that owns the whole ruleset takes over the one that exists. */
function decideForWhole(session: Session, resource: NewResource, deployed: Ruleset): TakeoverPlan {
  const { target, where, wanted, policy } = resource;
  const own = runRecord(session).rulesBefore(resource);
  const overwrites = own !== undefined && session.onConflict(policy.onConflict) === "overwrite";
  const whenExisting = policy.onExisting ?? (policy.adopts === undefined ? "fail" : "adopt");
  const mode = overwrites ? "empty" : whenExisting;
  const { matches, takeover, ofOthers } = planWholeTakeover({ deployed, wanted, mode, own });
  const plan = { target, deployed, takeover, matches, requested: isOwnershipRequested(policy) };
  if (!ofOthers.allowed) {
    const text = occupiedText(where, target.scope, deployed, ofOthers, mode);
    return { ...plan, refusal: occupiedError(text) };
  }
  const removal = { removed: takeover.dropped, before: deployed.rules.length };
  return { ...plan, refusal: findLimitError(session, resource, { removal, operation: "takeover" }) };
}

/** What a new resource does where it will be. */
export interface NewChange<C extends Change = Change> {
  readonly change: C;
  /** The existing rules that it has from then on, where it shares a ruleset that exists. */
  readonly join?: Join;
  /** What somebody has changed since this resource was last there, and the change would undo. */
  readonly undoes: ForeignChanges | undefined;
}

/**
 * Plans a new resource, also one that is created again.
 * @param join the existing rules that it has from then on, if that is decided
 */
export function planNew(desired: Desired, there: There, join?: Join): NewChange {
  const { deployed } = there;
  const fromNothing = { recorded: NOTHING_KNOWN, desired, difference: undefined, isNew: true };
  if (deployed === undefined) return { change: planChange(fromNothing, there), undoes: undefined };
  if (desired.reach.isPart) return planJoin(desired, { ...there, deployed }, join);
  return { change: planWhole(fromNothing, there), undoes: findUndone(desired, there) };
}

/** Plans a new resource that joins a ruleset which it will share. */
export function planJoin(
  wanted: Desired,
  there: RulesChange["there"],
  join: Join = resolveJoin(newResourceOf(wanted), there.deployed, there.owners),
): NewChange<RulesChange> & { readonly join: Join } {
  const { deployed } = there;
  const desired = inPlaceOfReplaced(wanted, there, join);
  const undoes = findUndone(desired, there);
  const recorded = stateOfKept(desired, deployed, join);
  // What is only spelled otherwise is not written.
  const difference = withoutForm(diffRules(recorded.declared, desired.rules ?? NO_RULES));
  return { change: planRules({ recorded, desired, difference, isNew: true }, there), join, undoes };
}

/** What a resource that is created again over its own ruleset would undo, as an update would. */
function findUndone(desired: Desired, there: There): ForeignChanges | undefined {
  const { recorded, deployed } = there;
  if (desired.rules === undefined || recorded === undefined || deployed === undefined) return undefined;
  if (isOtherRule(desired, recorded)) return undefined;
  const { conflict } = planChange(editOf({ recorded, desired }), there).notes;
  return { version: deployed.version, conflict, operation: "change", state: recorded.state };
}

/** Whether a resource that is one rule becomes another one, under another ref. */
function isOtherRule({ reach, rules }: Desired, { declared }: ParsedState): boolean {
  return reach.manages === "rule" && declared.order.join() !== rules?.order.join();
}

/** What is wanted of a new rule without a position: it goes where the rule is that it replaces. */
function inPlaceOfReplaced(
  desired: Desired,
  { recorded, deployed }: RulesChange["there"],
  { kept }: Pick<Join, "kept">,
): Desired {
  const isPlaced = desired.positions.size > 0 || kept.length > 0;
  if (isPlaced || recorded === undefined || !isOtherRule(desired, recorded)) return desired;
  const [before] = deployed.rules.filter(({ id }) => Object.values(recorded.ruleIds).includes(id));
  const positions = (desired.rules?.order ?? []).map((ref) => [ref, { before: before?.id ?? "" }] as const);
  return before === undefined ? desired : { ...desired, positions: new Map(positions) };
}

/** What a new resource knew: nothing but the existing rules that it keeps. It is planned like a change from there. */
function stateOfKept(desired: Desired, deployed: Ruleset, { kept }: Pick<Join, "kept">): ParsedState {
  const order = desired.rules?.order ?? [];
  const named = new Map(
    kept.flatMap(({ index, rule, grounds }) => {
      const { [index]: ref } = order;
      return ref === undefined ? [] : [[rule.id, { ref, grounds }] as const];
    }),
  );
  const own = deployed.rules.flatMap((rule) => {
    const known = named.get(rule.id);
    return known === undefined ? [] : [{ ...known, rule }];
  });
  const keyed = keyedEntries(own.map(({ ref, rule }) => ({ ref, rule: parseRule(contentOf(rule)) })));
  const { name, phase, description } = deployed;
  const secrets = desired.secrets.__secretPaths;
  const inputs = {
    ...{ name, phase, description, ownership: "shared" as const },
    ...{ rules: rulesByRef(keyed), order: orderText(keyed.order) },
    ...(secrets === undefined ? {} : { __secretPaths: secrets }),
  };
  return parseState({
    ...stateFrom(inputs, deployed, new Map(own.map(({ ref, rule }) => [ref, rule.ref])), keyed),
    // Every existing rule is stored with its content here; the state after the write leaves out rules that are not the
    // program's.
    __answers: mapFrom(deployed.rules.map((rule) => [rule.id, contentOf(rule)] as const)),
    __takenOver: own.flatMap(({ ref, grounds }) => (grounds === "equal" ? [ref] : [])),
  });
}
