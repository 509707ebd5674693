import { createHash } from "node:crypto";
import { RulesetsError } from "../../../../core/model/errors.js";
import { ruleResourceId } from "../../../../core/model/ids.js";
import type { DeployedRule, Ruleset } from "../../../../core/model/ruleset.js";
import { isUnknown } from "../../../../core/model/unknown.js";
import { nameIn } from "../../../../core/model/urn.js";
import { slug } from "../../../../core/rules/derive-ref.js";
import { isMovedAmongOthers } from "../../../../core/rules/placing/steps.js";
import type { Request } from "../../../engine/request.js";
import type { Session } from "../../../engine/session.js";
import { type RuleTakeoverGrounds, ruleTakeoverText } from "../../../ownership/rule-messages.js";
import { occupiedError } from "../../../ownership/ruleset-messages.js";
import { failure } from "../../../validation/index.js";
import { type PlannedCreation, refusalOfNew } from "../check/conclude.js";
import type { Inspected } from "../check/existing.js";
import { type Desired, namesOfRule, placeId } from "../desired.js";
import { type NewChange, type NewResource, newResourceOf, planNew } from "../new-resource.js";
import { stepsOf } from "../plan/change.js";
import { changedFieldsOf } from "../plan/identity.js";
import { warnOfDeleters } from "../plan/preview.js";
import { currentAt } from "../read.js";
import { runRecord, type There, thereFor, unreadThere } from "../run.js";
import type { Destination } from "../write/create.js";

/** Decides what a new rule does with what exists. */
export function planRule(
  { session, preview }: Pick<Request, "session" | "preview">,
  desired: Desired,
  { isRead, ruleset: deployed }: Inspected,
): PlannedCreation {
  const { resource, wantedIn } = newRule(session, desired);
  const wanted = deployed === undefined ? desired : wantedIn(deployed);
  const there = isRead ? thereFor(session, desired, deployed) : unreadThere(session, desired);
  const named = isRead ? refuseNames(desired, deployed?.rules ?? []) : undefined;
  const planned = planNew(wanted, there, { resource });
  return {
    change: planned.change,
    refused: named === undefined ? refusalOfNew(session, planned, []) : failure([], named.message),
    report: () => {
      reportTakeover(session, planned, preview);
    },
  };
}

/**
 * Reports what a takeover does. It is a warning if the rule seems to belong to somebody else or, in a preview, if another
 * resource of the program may delete it first.
 */
function reportTakeover(session: Session, { change, join }: NewChange, preview: boolean): void {
  const kept = join?.kept[0];
  if (kept === undefined) return;
  const { rule } = kept;
  const { desired, there } = change;
  const { urn } = desired;
  if (preview) warnOfDeleters(session, desired, [rule]);
  const grounds = kept.grounds === "inherited" ? inheritedFrom(there, desired, rule) : { kind: kept.grounds };
  const moves = stepsOf(change).some(isMovedAmongOthers);
  const text = ruleTakeoverText(rule, changedFieldsOf(desired, namesOfRule(desired).ref, rule, moves), grounds);
  if (text === undefined) return;
  if (grounds.kind === "equal") session.reporter.warn(urn, text);
  else session.reporter.info(urn, text);
}

function inheritedFrom({ owners }: There, desired: Desired, rule: DeployedRule): RuleTakeoverGrounds {
  const owner = owners.ownerOf(rule);
  if (owner?.declares !== false) return { kind: "leftover" };
  return owner.urn === desired.urn ? { kind: "own" } : { kind: "inherited", urn: owner.urn };
}

/** Rules of many stacks share a ruleset, and each stack chooses refs without knowing the others. */
const HASH_LENGTH = 8;

/**
 * The ref of a rule for which the program sets none: the resource's name and a short hash of its URN, which contains
 * the project and the stack. It is therefore known before anything else of the rule is, and no other stack derives the
 * same one.
 */
export function refOf(urn: string): string {
  const hash = createHash("sha256").update(urn).digest("hex").slice(0, HASH_LENGTH);
  return `${slug(nameIn(urn)) || "rule"}-${hash}`;
}

/** The list of a new rule, and what of a ruleset is known to be it. */
interface NewRule {
  readonly resource: NewResource;
  /** What is wanted there: a new rule without a position goes where the rule is that it replaces. */
  readonly wantedIn: (ruleset: Ruleset) => Desired;
}

function newRule(session: Session, desired: Desired): NewRule {
  const { urn = "" } = desired;
  const { ref, adopts } = namesOfRule(desired);
  const mayBe = ({ ref: known, id }: DeployedRule): boolean => known === ref || id === adopts;
  return {
    // A rule with a derived ref was left behind by an interrupted run of this stack.
    resource: {
      ...newResourceOf(desired),
      mayBe,
      isOwn: (rule) => rule.ref === ref && urn !== "" && ref === refOf(urn),
    },
    wantedIn: (ruleset) => {
      if (desired.positions.size > 0 || ruleset.rules.some(mayBe)) return desired;
      const [before] = Object.values(runRecord(session).stateOf(urn, ruleset.id)?.ruleIds ?? {});
      const isThere = before !== undefined && ruleset.rules.some(({ id }) => id === before);
      return isThere ? { ...desired, positions: new Map([[ref, { before }]]) } : desired;
    },
  };
}

/** Where a rule is created: in the entry point of a phase, or in the ruleset with an ID. */
export function destinationOfRule(session: Session, desired: Desired): Destination {
  const { where, target } = desired;
  const find = async (): Promise<Ruleset | undefined> => {
    const ruleset = await currentAt(session, target);
    if (ruleset === undefined && !target.byPhase)
      throw new RulesetsError(`there is no ${where}. To continue: check rulesetId.`, { code: "RULESET_GONE" });
    const refusal = refuseNames(desired, ruleset?.rules ?? []);
    if (refusal !== undefined) throw refusal;
    return ruleset;
  };
  const { ref } = namesOfRule(desired);
  return {
    ...newRule(session, desired),
    idOf: () => ruleResourceId(placeId(target), ref),
    find,
    findInTurn: find,
    leavesState: false,
  };
}

/** Refuses an ID that is no rule, or the ID of a rule with another ref. */
function refuseNames(desired: Desired, rules: readonly DeployedRule[]): RulesetsError | undefined {
  const { where } = desired;
  const { ref, adopts } = namesOfRule(desired);
  const rule = rules.find(({ id }) => id === (adopts ?? ref));
  if (adopts !== undefined && rule === undefined) return occupiedError(`there is no rule ${adopts} in ${where}`);
  if (
    rule === undefined ||
    isUnknown(ref) ||
    rules.some((each) => each.ref === ref && (adopts === undefined || each === rule))
  )
    return undefined;
  const write = `write ref: ${JSON.stringify(rule.ref)}`;
  const text =
    adopts === undefined
      ? `${ref} is the ID of a rule in ${where} whose ref is ${JSON.stringify(rule.ref)}: ${write}`
      : `the rule ${adopts} has the ref ${JSON.stringify(rule.ref)}: ${write}, or leave ref out`;
  return occupiedError(text);
}
