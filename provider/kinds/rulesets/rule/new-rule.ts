import type { Position } from "../../../model/position.js";
import type { Session } from "../../../engine/session.js";
import { RulesetsError } from "../../../model/errors.js";
import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import type { Request } from "../../../engine/request.js";
import { isUnknown, valueIfKnown, type Pending } from "../../../model/unknown.js";
import { ruleTakeoverText, type RuleTakeoverGrounds } from "../../../ownership/rule-messages.js";
import { occupiedError } from "../../../ownership/ruleset-messages.js";
import { failure, NO_FINDINGS } from "../../../validation/index.js";
import type { PlannedCreation } from "../check/conclude.js";
import { refusalOfNew } from "../check/creation.js";
import type { Inspected } from "../check/existing.js";
import { nothingAt, type Desired } from "../desired.js";
import { newResourceOf, type NewResource } from "../takeover.js";
import { ownersOf, runRecord } from "../this-run.js";
import type { OwnRulesPlan } from "../plan/own-rules.js";
import { isMovedAmongOthers } from "../../../rules/placing/steps.js";
import type { SharedPlace } from "../shared/create.js";
import { currentAt } from "../read.js";
import { planNew, type PlannedJoin } from "../shared/join.js";
import { warnOfDeleters } from "../shared/report.js";
import { listId } from "../single-rule.js";
import type { RuleInputs } from "./description.js";
import { refOf } from "./arguments.js";

/** The list of a new rule, and what of a ruleset is known to be it. */
interface NewRule {
  readonly resource: NewResource;
  /** What is wanted there: a new rule without a position goes where the rule is that it replaces. */
  readonly wantedIn: (ruleset: Ruleset) => Desired;
}

function newRule(session: Session, desired: Desired, inputs: Pending<RuleInputs>): NewRule {
  const { urn = "" } = desired;
  const ref = desired.rules?.order[0] ?? "";
  const adopts = valueIfKnown(inputs.__adopt);
  const resource = newResourceOf(desired);
  const [rule] = resource.wanted;
  const wanted = adopts === undefined || typeof rule !== "object" ? resource.wanted : [{ ...rule, id: adopts }];
  const mayBe = ({ ref: known, id }: DeployedRule): boolean => known === ref || id === adopts;
  return {
    resource: {
      ...resource,
      wanted,
      mayBe,
      isOwn: (existing) => isLeftover(existing, ref, urn),
    },
    wantedIn: (ruleset) => {
      const isFree = desired.positions.size === 0 && !ruleset.rules.some(mayBe);
      const place = isFree ? positionOfReplacedRule(session, urn, ruleset) : undefined;
      return place === undefined ? desired : { ...desired, positions: new Map([[ref, place]]) };
    },
  };
}

/** A rule that an interrupted run of this stack left behind: nobody else derives its ref. */
function isLeftover(rule: DeployedRule, ref: string, urn: string): boolean {
  return rule.ref === ref && urn !== "" && ref === refOf(urn);
}

/** Where a rule is created: in the entry point of a phase, or in the ruleset with an ID. */
export function placeOfRule(session: Session, desired: Desired, inputs: RuleInputs): SharedPlace {
  const { where, target } = desired;
  const find = async (): Promise<Ruleset | undefined> => {
    const ruleset = await currentAt(session, target);
    if (ruleset === undefined && inputs.__kind !== undefined)
      throw new RulesetsError(`there is no ${where}. Check rulesetId.`, { code: "RULESET_GONE" });
    const refusal = refuseNames(inputs, where, ruleset?.rules ?? []);
    if (refusal !== undefined) throw refusal;
    return ruleset;
  };
  return {
    ...newRule(session, desired, inputs),
    idOf: () => listId(inputs),
    find,
    findInTurn: find,
    leavesState: false,
  };
}

/** Decides what a new rule does with what exists. */
export function planRule(
  { session, preview }: Pick<Request, "session" | "preview">,
  inputs: Pending<RuleInputs>,
  desired: Desired,
  { isRead, ruleset: existing }: Inspected,
): PlannedCreation {
  const creation = { isRead, existing, adopts: valueIfKnown(inputs.__adopt) };
  if (!isRead) return { creation, refused: NO_FINDINGS };
  const ruleset = existing ?? nothingAt(desired.target);
  const named = refuseNames(inputs, desired.where, ruleset.rules);
  if (named !== undefined) return { creation, refused: failure([], named.message) };
  const { resource, wantedIn } = newRule(session, desired, inputs);
  const join = planNew(session, wantedIn(ruleset), ruleset, { resource });
  return {
    creation: { ...creation, join },
    refused: refusalOfNew(session, join, []),
    report: () => {
      reportTakeover(session, join, preview);
    },
  };
}

/** Refuses an ID that is no rule, or the ID of a rule with another ref. */
function refuseNames(
  { ref: given, __adopt }: Pending<RuleInputs>,
  where: string,
  rules: readonly DeployedRule[],
): RulesetsError | undefined {
  const [ref, adopts] = [valueIfKnown(given), valueIfKnown(__adopt)];
  if (adopts === undefined) {
    const named = rules.some((rule) => rule.ref === ref) ? undefined : rules.find(({ id }) => id === ref);
    if (named === undefined) return undefined;
    const text = `${ref ?? ""} is the ID of a rule in ${where} whose ref is ${JSON.stringify(named.ref)}: write ref: ${JSON.stringify(named.ref)}`;
    return occupiedError(text);
  }
  const rule = rules.find(({ id }) => id === adopts);
  if (rule === undefined) return occupiedError(`there is no rule ${adopts} in ${where}`);
  if (ref === undefined || isUnknown(ref) || ref === rule.ref) return undefined;
  const text = `the rule ${rule.id} has the ref ${JSON.stringify(rule.ref)}: write ref: ${JSON.stringify(rule.ref)}, or leave ref out`;
  return occupiedError(text);
}

/**
 * Reports what a takeover does. It is a warning if the rule seems to belong to somebody else or, in a preview, if another
 * resource of the program may delete it first.
 */
function reportTakeover(session: Session, { plan, comparison, join }: PlannedJoin, preview: boolean): void {
  const [kept] = join.kept;
  if (kept === undefined) return;
  const { rule } = kept;
  const { urn } = plan.desired;
  if (preview) warnOfDeleters(session, plan, [rule]);
  const grounds =
    kept.grounds === "inherited" ? inheritedFrom(session, plan, comparison.actual, rule) : { kind: kept.grounds };
  const moves = comparison.part.steps.some(isMovedAmongOthers);
  const text = ruleTakeoverText(
    rule,
    comparison.changedFields(plan.desired.rules?.order[0] ?? "", rule, moves),
    grounds,
  );
  if (text === undefined) return;
  if (grounds.kind === "equal") session.reporter.warn(urn, text);
  else session.reporter.info(urn, text);
}

function inheritedFrom(
  session: Session,
  { desired }: OwnRulesPlan,
  { id }: Ruleset,
  rule: DeployedRule,
): RuleTakeoverGrounds {
  const owners = ownersOf(session, desired, id);
  if (owners.wasMine(rule, desired)) return { kind: "own" };
  const released = owners.releasedRule(rule, desired);
  return released === undefined ? { kind: "leftover" } : { kind: "inherited", urn: released.urn };
}

/** The position right before the rule that is replaced; undefined if that rule does not exist there. */
function positionOfReplacedRule(
  session: Session,
  urn: string,
  { id: rulesetId, rules }: Pick<Ruleset, "id" | "rules">,
): Position | undefined {
  const [id] = Object.values(runRecord(session).stateOf(urn, rulesetId)?.ruleIds ?? {});
  return id === undefined || !rules.some((rule) => rule.id === id) ? undefined : { before: id };
}
