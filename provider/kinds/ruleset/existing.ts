import type { Session } from "../../engine/session.js";
import { shownTo } from "../../engine/shown.js";
import type { RulesetsError } from "../../model/errors.js";
import type { DeployedRule, Ruleset, RulesetSummary } from "../../model/ruleset.js";
import { isObject } from "../../model/json.js";
import { known } from "../../model/unknown.js";
import { decideJoining, type Joining } from "../../ownership/joining.js";
import { occupiedError, occupiedText } from "../../ownership/messages.js";
import { whichRulesetText } from "../../ownership/shared-words.js";
import { decideTakeover, type Takeover } from "../../ownership/takeover.js";
import { isWrittenByProgram, takeoverText, type Right } from "../../ownership/takeover-words.js";
import { Rule, sameContent } from "../../rules/rule.js";
import { type KeyedRules, NO_RULES, ruleEntries } from "../../rules/keyed.js";
import type { WantedRule } from "../../rules/match.js";
import { isAskedFor, objectKeys, type Desired, type Policy, type Target } from "./desired.js";
import { overLimit } from "./removal-limit.js";
import { findPredecessor, findVendorHolder, inheritedRules } from "./predecessor.js";

/** What a resource that is about to be created found at the service. */
export interface Found {
  readonly target: Target;
  readonly existing: Ruleset;
  /** Of a resource that is to own the whole ruleset. */
  readonly takeover?: Takeover;
  /** Of a resource that shares the ruleset. */
  readonly joining?: Joining;
  /** Whether the program asks for it, rather than finding it equal. */
  readonly requested: boolean;
  /** Why it must not be taken over. */
  readonly refusal?: RulesetsError;
}

/** What a create is about, as far as taking over is concerned. */
export interface NewResource {
  readonly target: Target;
  readonly where: string;
  readonly name: string | undefined;
  readonly policy: Omit<Policy, "onDelete">;
  readonly wanted: readonly WantedRule[];
  readonly urn: string | undefined;
}

export function newResourceOf({ target, where, name, policy, rules, urn }: Desired): NewResource {
  const wanted = rules === undefined ? [] : ruleEntries(rules).map(({ ref, rule }) => ({ ...rule, ref }));
  return { target, where, name: known(name), policy, wanted, urn };
}

/** By URN, what the resources that this run has checked wanted in the last one. */
export const lastDesired = (): Map<string, Desired> => new Map();

/** Looks for what stands where a resource is to be created, and decides whether it may be taken over. */
export async function planTakeover(session: Session, resource: NewResource): Promise<Found | undefined> {
  const existing = await findRuleset(session, resource);
  if (existing === undefined) return undefined;
  if (resource.policy.ownership === "exclusive") return decideForWhole(session, resource, existing);
  const requested = isAskedFor(resource.policy);
  const refusal = await refuseAmbiguousName(session, resource);
  return {
    target: resource.target,
    existing,
    requested,
    joining: await joiningOf(session, resource, existing),
    refusal,
  };
}

/** What a resource that shares a ruleset finds there of its own. */
export async function joiningOf(session: Session, resource: NewResource, existing: Ruleset): Promise<Joining> {
  const { own, inherited } = await inheritedRules(session, existing.id, resource.urn);
  return decideJoining(existing, resource.wanted, { requested: isAskedFor(resource.policy), inherited, own });
}

/** Rulesets of one name are told apart by their ids alone. */
async function refuseAmbiguousName(session: Session, resource: NewResource): Promise<RulesetsError | undefined> {
  if (resource.policy.adopts !== undefined || resource.target.entrypoint) return undefined;
  const alike = await listByName(session, resource);
  if (alike.length < 2) return undefined;
  const ids = alike.map(({ id }) => id);
  return occupiedError(whichRulesetText(resource.where, ids));
}

async function findRuleset(session: Session, resource: NewResource): Promise<Ruleset | undefined> {
  const { target, policy } = resource;
  if (policy.adopts !== undefined) return session.reads.byId(target.scope, policy.adopts);
  if (!target.entrypoint && policy.ownership === "shared") {
    const [first] = await listByName(session, resource);
    return first === undefined ? undefined : session.reads.byId(target.scope, first.id);
  }
  if (!target.entrypoint) return findLeftover(session, resource);
  // Where it is free no longer the service refuses the create, and what it holds is read itself.
  const list = await session.reads.listOfRun(target.scope);
  const found = list.find(({ phase, kind }) => phase === target.phase && kind === target.kind);
  return found === undefined ? undefined : session.reads.byId(target.scope, found.id);
}

async function listByName(session: Session, { target, name }: NewResource): Promise<readonly RulesetSummary[]> {
  const list = await session.reads.list(target.scope);
  return list.filter((r) => r.kind === target.kind && r.phase === target.phase && r.name === name);
}

/** A custom ruleset of the same name, phase and rules that no other resource holds: the leftover of a lost answer. */
async function findLeftover(session: Session, resource: NewResource): Promise<Ruleset | undefined> {
  const { target, where, wanted, urn } = resource;
  const alike = await listByName(session, resource);
  const own = replacedRules(session, resource);
  for (const { id } of alike) {
    if (objectKeys(target, id).some((key) => session.owners.otherClaimant(key, urn) !== undefined)) continue;
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
      return isObject(other) && sameContent(rule, other);
    })
  );
}

function decideForWhole(session: Session, resource: NewResource, existing: Ruleset): Found {
  const { where, wanted, policy } = resource;
  const own = replacedRules(session, resource);
  const overwrites = own !== undefined && session.onConflict(policy.onConflict) === "overwrite";
  const whenExisting = policy.onExisting ?? (policy.adopts === undefined ? "fail" : "adopt");
  const requested = isAskedFor(policy);
  const mode = overwrites ? "empty" : whenExisting;
  const untouched = (rule: DeployedRule): boolean => {
    return own?.rules[rule.ref]?.says(new Rule(rule)) === true;
  };
  const strangers = { ...existing, rules: existing.rules.filter((rule) => !untouched(rule)) };
  const decision = decideTakeover(strangers, wanted, mode);
  // An edited rule of one's own keeps its id, by the same signs by which it gets its ref.
  const takeover = own === undefined ? decision : decideTakeover(existing, wanted, "replace");
  if (!decision.allowed) {
    const text = occupiedText(where, existing, decision, mode, shownTo(session));
    return { target: resource.target, existing, takeover, requested, refusal: occupiedError(text) };
  }
  const removal = { removed: takeover.dropped, before: existing.rules.length };
  const refusal = overLimit(session, { where, policy }, { removal, doing: "takeover" });
  return { target: resource.target, existing, takeover, requested, ...(refusal === undefined ? {} : { refusal }) };
}

/** The rules this very resource had before it was replaced in this run: they are no stranger's. */
function replacedRules(session: Session, { urn, target }: NewResource): KeyedRules | undefined {
  const before = session.part(lastDesired).get(urn ?? "");
  if (before === undefined) return undefined;
  const same = objectKeys(before.target, undefined).join() === objectKeys(target, undefined).join();
  return same && before.target.scope.id === target.scope.id ? (before.rules ?? NO_RULES) : undefined;
}

/**
 * Says what a takeover does, unless there was nothing to take over. A warning is what drops rules, what seems to be
 * somebody else's, and what another resource would take away.
 */
export async function reportTakeover(session: Session, found: Found, urn: string | undefined): Promise<void> {
  const { target, existing, takeover } = found;
  if (existing.rules.length === 0 || takeover === undefined) return;
  const right = await rightOf(session, found);
  const other = await findVendorHolder(session, target, existing.name);
  const text = takeoverText({ existing, takeover, right, other }, shownTo(session));
  const isTheirs = right.kind === "equal" && isWrittenByProgram(existing);
  if (takeover.dropped.length > 0 || isTheirs || other.kind === "known") session.reporter.warn(urn, text);
  else session.reporter.info(urn, text);
}

async function rightOf(session: Session, { existing, requested }: Found): Promise<Right> {
  if (requested) return { kind: "requested" };
  const before = await findPredecessor(session, existing.id, existing.rules);
  return before === undefined ? { kind: "equal" } : { kind: "inherited", urn: before.urn };
}
