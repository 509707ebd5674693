import { otherManagerOf } from "../../engine/claims.js";
import type { Session } from "../../engine/session.js";
import { displayFor } from "../../engine/display.js";
import type { RulesetsError } from "../../model/errors.js";
import type { DeployedRule, Ruleset, RulesetSummary } from "../../model/ruleset.js";
import { isObject } from "../../model/json.js";
import { valueIfKnown, type Pending } from "../../model/unknown.js";
import { decideJoin, type Join } from "../../ownership/join.js";
import { occupiedError, occupiedText } from "../../ownership/ruleset-messages.js";
import { ambiguousRulesetText } from "../../ownership/shared-messages.js";
import { decideTakeover, type Takeover } from "../../ownership/takeover.js";
import { isWrittenByProgram, takeoverText, type TakeoverGrounds } from "../../ownership/takeover-messages.js";
import { Rule, isSameMeaning } from "../../rules/rule.js";
import { type KeyedRules, NO_RULES, ruleEntries, fieldsOf } from "../../rules/keyed.js";
import type { WantedRule } from "../../rules/match.js";
import { desiredFrom, isOwnershipRequested, objectKeys, type Desired, type Policy, type Target } from "./desired.js";
import type { RulesetInputs } from "./description.js";
import { findLimitError } from "./removal-limit.js";
import { findRulesetPredecessor, findCloudflareHolder, inheritedRules, unchangedRules } from "./predecessor.js";

/** What a resource that is about to be created finds at the service. */
export interface TakeoverPlan {
  readonly target: Target;
  readonly existing: Ruleset;
  /** Set for a resource that is to own the whole ruleset. */
  readonly takeover?: Takeover;
  /** Set for a resource that shares the ruleset. */
  readonly join?: Join;
  /** Whether the program asks to take it over, rather than it just being equal. */
  readonly requested: boolean;
  /** Why it must not be taken over. */
  readonly refusal?: RulesetsError;
}

/** What a takeover needs to know about a create. */
export interface NewResource {
  readonly target: Target;
  readonly where: string;
  readonly name: string | undefined;
  readonly policy: Omit<Policy, "onDelete">;
  readonly wanted: readonly WantedRule[];
  readonly urn: string | undefined;
}

export function newResourceOf({ target, where, name, policy, rules, urn }: Desired): NewResource {
  const wanted = (rules?.order ?? []).flatMap((ref) => {
    const rule = rules?.rules[ref];
    return rule === undefined ? [] : [Rule.of({ ...fieldsOf(rule.fields), ref }, rule).fields];
  });
  return { target, where, name: valueIfKnown(name), policy, wanted, urn };
}

/** By URN, what the resources checked in this run wanted in the last run, parsed once. */
export const lastDesired = (): LastDesired => new LastDesired();

class LastDesired {
  private readonly parsed = new Map<string, { readonly from: object; readonly desired: Desired }>();

  parse(urn: string, olds: Pending<RulesetInputs>): Desired {
    const known = this.parsed.get(urn);
    if (known?.from === olds) return known.desired;
    const desired = desiredFrom(olds);
    this.parsed.set(urn, { from: olds, desired });
    return desired;
  }

  find(urn: string): Desired | undefined {
    return this.parsed.get(urn)?.desired;
  }
}

/** Finds what exists where a resource is to be created, and decides whether it may be taken over. */
export async function planTakeover(session: Session, resource: NewResource): Promise<TakeoverPlan | undefined> {
  const existing = await findRuleset(session, resource);
  if (existing === undefined) return undefined;
  if (resource.policy.ownership === "exclusive") return decideForWhole(session, resource, existing);
  const requested = isOwnershipRequested(resource.policy);
  const refusal = await refuseAmbiguousName(session, resource);
  return {
    target: resource.target,
    existing,
    requested,
    join: await resolveJoin(session, resource, existing),
    refusal,
  };
}

/** The rules of a shared ruleset that belong to the resource. */
export async function resolveJoin(session: Session, resource: NewResource, existing: Ruleset): Promise<Join> {
  const { own, inherited } = await inheritedRules(session, resource, existing);
  const unchanged = await unchangedRules(session, existing, resource.urn);
  return decideJoin(existing, resource.wanted, {
    requested: isOwnershipRequested(resource.policy),
    inherited,
    unchanged,
    own,
  });
}

/** Rulesets with the same name can be distinguished only by their IDs. */
async function refuseAmbiguousName(session: Session, resource: NewResource): Promise<RulesetsError | undefined> {
  if (resource.policy.adopts !== undefined || resource.target.entrypoint) return undefined;
  const sameName = await listByName(session, resource);
  if (sameName.length < 2) return undefined;
  const ids = sameName.map(({ id }) => id);
  return occupiedError(ambiguousRulesetText(resource.where, ids));
}

async function findRuleset(session: Session, resource: NewResource): Promise<Ruleset | undefined> {
  const { target, policy } = resource;
  if (policy.adopts !== undefined) return session.reads.byId(target.scope, policy.adopts);
  if (!target.entrypoint && policy.ownership === "shared") {
    const [first] = await listByName(session, resource);
    return first === undefined ? undefined : session.reads.byId(target.scope, first.id);
  }
  if (!target.entrypoint) return findLeftover(session, resource);
  // If the phase has been taken meanwhile, the service refuses the create; the ruleset itself is always read fresh.
  const list = await session.reads.listOfRun(target.scope);
  const found = list.find(({ phase, kind }) => phase === target.phase && kind === target.kind);
  return found === undefined ? undefined : session.reads.byId(target.scope, found.id);
}

async function listByName(session: Session, { target, name }: NewResource): Promise<readonly RulesetSummary[]> {
  const list = await session.reads.list(target.scope);
  return list.filter((r) => r.kind === target.kind && r.phase === target.phase && r.name === name);
}

/**
 * A custom ruleset with the same name, phase and rules that no other resource manages: left behind by a create whose
 * response was lost.
 */
async function findLeftover(session: Session, resource: NewResource): Promise<Ruleset | undefined> {
  const { target, where, wanted, urn } = resource;
  const sameName = await listByName(session, resource);
  const own = replacedRules(session, resource);
  for (const { id } of sameName) {
    if (otherManagerOf(session, urn, objectKeys(target, id), { parts: false }) !== undefined) continue;
    const ruleset = await session.reads.byId(target.scope, id);
    if (ruleset === undefined) continue;
    const before = own === undefined ? wanted : ruleEntries(own).map(({ rule }) => rule);
    if (sameRules(ruleset, wanted) || sameRules(ruleset, before)) return ruleset;
    session.reporter.warn(
      urn,
      `${where} already exists (${id}, version ${ruleset.version}) with other rules; a second one with that name will be created. ` +
        `To take it over, set rulesetId: ${JSON.stringify(id)}.`,
    );
  }
  return undefined;
}

function sameRules(ruleset: Ruleset, wanted: readonly WantedRule[]): boolean {
  return (
    ruleset.rules.length === wanted.length &&
    ruleset.rules.every((rule, index) => {
      const other = wanted[index];
      return isObject(other) && isSameMeaning(rule, other);
    })
  );
}

function decideForWhole(session: Session, resource: NewResource, existing: Ruleset): TakeoverPlan {
  const { where, wanted, policy } = resource;
  const own = replacedRules(session, resource);
  const overwrites = own !== undefined && session.onConflict(policy.onConflict) === "overwrite";
  const whenExisting = policy.onExisting ?? (policy.adopts === undefined ? "fail" : "adopt");
  const requested = isOwnershipRequested(policy);
  const mode = overwrites ? "empty" : whenExisting;
  const isOwnUnchanged = (rule: DeployedRule): boolean => {
    return own?.rules[rule.ref]?.meansSameAs(Rule.of(rule)) === true;
  };
  const rulesOfOthers = { ...existing, rules: existing.rules.filter((rule) => !isOwnUnchanged(rule)) };
  const decision = decideTakeover(rulesOfOthers, wanted, mode);
  // An edited rule of this resource keeps its ID, recognised by the same signs that give it its ref.
  const takeover = own === undefined ? decision : decideTakeover(existing, wanted, "replace");
  if (!decision.allowed) {
    const text = occupiedText(where, existing, decision, mode, displayFor(session));
    return { target: resource.target, existing, takeover, requested, refusal: occupiedError(text) };
  }
  const removal = { removed: takeover.dropped, before: existing.rules.length };
  const refusal = findLimitError(session, { where, policy }, { removal, operation: "takeover" });
  return { target: resource.target, existing, takeover, requested, ...(refusal === undefined ? {} : { refusal }) };
}

/** The rules that this same resource had before it was replaced in this run: they do not belong to others. */
function replacedRules(session: Session, { urn, target }: NewResource): KeyedRules | undefined {
  const before = session.part(lastDesired).find(urn ?? "");
  if (before === undefined) return undefined;
  const same = objectKeys(before.target, undefined).join() === objectKeys(target, undefined).join();
  return same && before.target.scope.id === target.scope.id ? (before.rules ?? NO_RULES) : undefined;
}

/**
 * Reports what a takeover does, unless there was nothing to take over. It is a warning if rules are dropped, if they
 * seem to belong to somebody else, or if another resource would delete them.
 */
export async function reportTakeover(session: Session, found: TakeoverPlan, urn: string | undefined): Promise<void> {
  const { target, existing, takeover } = found;
  if (existing.rules.length === 0 || takeover === undefined) return;
  const grounds = await takeoverGroundsOf(session, found);
  const other = await findCloudflareHolder(session, target, existing.name);
  const text = takeoverText({ existing, takeover, grounds, other }, displayFor(session));
  const seemsForeign = grounds.kind === "equal" && isWrittenByProgram(existing);
  if (takeover.dropped.length > 0 || seemsForeign || other.kind === "known") session.reporter.warn(urn, text);
  else session.reporter.info(urn, text);
}

async function takeoverGroundsOf(session: Session, { existing, requested }: TakeoverPlan): Promise<TakeoverGrounds> {
  if (requested) return { kind: "requested" };
  const before = await findRulesetPredecessor(session, existing.id, existing.rules);
  return before === undefined ? { kind: "equal" } : { kind: "inherited", urn: before.urn };
}
