import { createHash } from "node:crypto";
import type { Session } from "../../../engine/session.js";
import { RulesetsError } from "../../../../core/model/errors.js";
import { ruleResourceId } from "../../../../core/model/ids.js";
import type { DeployedRule, Ruleset } from "../../../../core/model/ruleset.js";
import { isUnknown } from "../../../../core/model/unknown.js";
import { nameIn } from "../../../../core/model/urn.js";
import { occupiedError } from "../../../ownership/ruleset-messages.js";
import { slug } from "../../../../core/rules/derive-ref.js";
import { namesOfRule, placeId, type Desired } from "../desired.js";
import { currentAt } from "../read.js";
import { newResourceOf, type NewResource } from "../takeover.js";
import { runRecord } from "../run.js";
import type { SharedPlace } from "./create.js";

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

export function newRule(session: Session, desired: Desired): NewRule {
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
export function placeOfRule(session: Session, desired: Desired): SharedPlace {
  const { where, target } = desired;
  const find = async (): Promise<Ruleset | undefined> => {
    const ruleset = await currentAt(session, target);
    if (ruleset === undefined && !target.byPhase)
      throw new RulesetsError(`there is no ${where}. Check rulesetId.`, { code: "RULESET_GONE" });
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
export function refuseNames(desired: Desired, rules: readonly DeployedRule[]): RulesetsError | undefined {
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
