import type { Session } from "../../engine/session.js";
import { isObject } from "../../../core/model/json.js";
import type { RulesetsError } from "../../../core/model/errors.js";
import type { Ruleset, RulesetSummary, DeployedRule } from "../../../core/model/ruleset.js";
import { valueIfKnown } from "../../../core/model/unknown.js";
import { occupiedError, occupiedText } from "../../ownership/ruleset-messages.js";
import { ambiguousRulesetText } from "../../ownership/shared-messages.js";
import { fieldsOf, ruleEntries } from "../../../core/rules/keyed.js";
import type { WantedRule, Matches } from "../../../core/rules/match.js";
import { isSameMeaning, Rule } from "../../../core/rules/rule.js";
import { type Desired, type Policy, type Target, isOwnershipRequested } from "./desired.js";
import { decideJoin, matchesInJoin, type Join } from "../../ownership/join.js";
import { type Takeover, planWholeTakeover } from "../../ownership/takeover.js";
import { ownersOf, runRecord } from "./run.js";
import { findLimitError } from "./removal-limit.js";

/** A resource that will be created, as far as it matters for what exists already. */
export interface NewResource {
  readonly target: Target;
  readonly where: string;
  readonly name: string | undefined;
  readonly policy: Omit<Policy, "onDelete">;
  readonly wanted: readonly WantedRule[];
  readonly urn: string | undefined;
  /** Whether an existing rule can be one of the resource's at all. @default every one can */
  readonly mayBe?: (rule: DeployedRule) => boolean;
  /** Whether an equal rule belongs to the resource although no state says so. @default none does */
  readonly isOwn?: (rule: DeployedRule) => boolean;
}

export function newResourceOf({ target, where, name, policy, rules, urn }: Desired): NewResource {
  const wanted = (rules?.order ?? []).flatMap((ref) => {
    const rule = rules?.rules[ref];
    return rule === undefined ? [] : [Rule.of({ ...fieldsOf(rule.fields), ref }, rule).fields];
  });
  return { target, where, name: valueIfKnown(name), policy, wanted, urn };
}

/** Finds the ruleset that exists where a resource will be created. */
export async function findExisting(session: Session, resource: NewResource): Promise<Ruleset | undefined> {
  const { target, policy } = resource;
  if (policy.adopts !== undefined) return session.reads.byId(target.scope, policy.adopts);
  if (!target.entrypoint && policy.ownership === "shared") {
    const [first] = await listByName(session, resource);
    return first === undefined ? undefined : session.reads.byId(target.scope, first.id);
  }
  if (!target.entrypoint) return findLeftover(session, resource);
  // If the phase has been taken meanwhile, the service rejects the create; the ruleset itself is always read fresh.
  const list = await session.reads.listOfRun(target.scope);
  const found = list.find(({ phase, kind }) => phase === target.phase && kind === target.kind);
  return found === undefined ? undefined : session.reads.byId(target.scope, found.id);
}

/** The rulesets that a resource which exists may have: the entry point, or the custom rulesets with its name. */
export async function listBeside(
  session: Session,
  target: Target,
  name: string | undefined,
): Promise<readonly RulesetSummary[]> {
  const list = await session.reads.listOfRun(target.scope);
  return list.filter(
    (r) => r.kind === target.kind && r.phase === target.phase && (target.entrypoint || r.name === name),
  );
}

/** The rulesets of a kind and phase with a name. */
export async function listByName(
  session: Session,
  { target, name }: Pick<NewResource, "target" | "name">,
): Promise<readonly RulesetSummary[]> {
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
  const own = runRecord(session).rulesBefore(resource);
  const before = own === undefined ? wanted : ruleEntries(own).map(({ rule }) => rule);
  for (const { id } of sameName) {
    if (ownersOf(session, resource, id).otherHolder() !== undefined) continue;
    const ruleset = await session.reads.byId(target.scope, id);
    if (ruleset === undefined) continue;
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

/** Why a ruleset must not be shared: rulesets with the same name can be distinguished only by their IDs. */
export async function refuseAmbiguousName(session: Session, resource: NewResource): Promise<RulesetsError | undefined> {
  if (resource.policy.adopts !== undefined || resource.target.entrypoint) return undefined;
  const sameName = await listByName(session, resource);
  if (sameName.length < 2) return undefined;
  const ids = sameName.map(({ id }) => id);
  return occupiedError(ambiguousRulesetText(resource.where, ids));
}

/** What a resource that is about to be created does with the ruleset that already exists. */
export interface TakeoverPlan {
  readonly target: Target;
  readonly existing: Ruleset;
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
  const existing = await findExisting(session, resource);
  if (existing === undefined) return undefined;
  const { target, wanted, policy } = resource;
  if (policy.ownership === "exclusive") return decideForWhole(session, resource, existing);
  const refusal = await refuseAmbiguousName(session, resource);
  const join = resolveJoin(session, resource, existing);
  const matches = matchesInJoin(join, wanted);
  return { target, existing, requested: isOwnershipRequested(policy), refusal, join, matches };
}

/** The rules of a shared ruleset that belong to the resource. */
export function resolveJoin(session: Session, resource: NewResource, ruleset: Ruleset): Join {
  const { mayBe } = resource;
  const existing = mayBe === undefined ? ruleset : { ...ruleset, rules: ruleset.rules.filter(mayBe) };
  const owners = ownersOf(session, resource, existing.id);
  const holds = (rule: DeployedRule): boolean => owners.ownerOf(rule)?.declares === false;
  const idsOf = (belongs: (rule: DeployedRule) => boolean): ReadonlySet<string> =>
    new Set(existing.rules.filter(belongs).map(({ id }) => id));
  return decideJoin(existing, resource.wanted, {
    requested: isOwnershipRequested(resource.policy),
    inherited: idsOf((rule) => holds(rule) || resource.isOwn?.(rule) === true),
    unchanged: idsOf((rule) => owners.ownerOf(rule)?.version === rule.version),
    own: idsOf((rule) => holds(rule) && owners.ownerOf(rule)?.urn === resource.urn),
  });
}

/** Decides how a new resource that owns the whole ruleset takes over the one that exists. */
function decideForWhole(session: Session, resource: NewResource, existing: Ruleset): TakeoverPlan {
  const { target, where, wanted, policy } = resource;
  const own = runRecord(session).rulesBefore(resource);
  const overwrites = own !== undefined && session.onConflict(policy.onConflict) === "overwrite";
  const whenExisting = policy.onExisting ?? (policy.adopts === undefined ? "fail" : "adopt");
  const mode = overwrites ? "empty" : whenExisting;
  const { matches, takeover, ofOthers } = planWholeTakeover({ existing, wanted, mode, own });
  const plan = { target, existing, takeover, matches, requested: isOwnershipRequested(policy) };
  if (!ofOthers.allowed) {
    const text = occupiedText(where, target.scope, existing, ofOthers, mode);
    return { ...plan, refusal: occupiedError(text) };
  }
  const removal = { removed: takeover.dropped, before: existing.rules.length };
  const limited = { where, words: { manages: "ruleset" }, policy } as const;
  return { ...plan, refusal: findLimitError(session, limited, { removal, operation: "takeover" }) };
}
