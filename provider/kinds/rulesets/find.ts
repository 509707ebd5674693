import { RulesetsError } from "../../../core/model/errors.js";
import { parseResourceId, type Scope } from "../../../core/model/ids.js";
import { isObject } from "../../../core/model/json.js";
import type { Ruleset, RulesetSummary } from "../../../core/model/ruleset.js";
import { valueIfKnown } from "../../../core/model/unknown.js";
import { fieldsOf, ruleEntries } from "../../../core/rules/keyed.js";
import type { WantedRule } from "../../../core/rules/match.js";
import { isSameMeaning, Rule } from "../../../core/rules/rule.js";
import type { Session } from "../../engine/session.js";
import type { Reach } from "../../ownership/reach.js";
import { occupiedError } from "../../ownership/ruleset-messages.js";
import { ambiguousRulesetText } from "../../ownership/shared-messages.js";
import type { RulesetState } from "./description.js";
import type { Desired, Policy, Target } from "./desired.js";
import { ownersOf, runRecord } from "./run.js";

/* Finds rulesets at the service: where an ID points, and where a resource is or will be. */

/** Where an ID points; the scope of a bare ID comes from the state. */
export interface Address {
  readonly scope: Scope;
  readonly rulesetId?: string;
  readonly phase?: string;
}

export function addressOf(id: string, state: Partial<RulesetState>): Address {
  const parsed = parseResourceId(id);
  if (parsed?.form === "phase") return { scope: parsed.scope, phase: parsed.phase };
  if (parsed?.form === "ruleset") return { scope: parsed.scope, rulesetId: parsed.rulesetId };
  const scope: Scope | undefined =
    state.zoneId !== undefined
      ? { level: "zones", id: state.zoneId }
      : state.accountId !== undefined
        ? { level: "accounts", id: state.accountId }
        : undefined;
  if (parsed?.form === "bare" && scope !== undefined) return { scope, rulesetId: parsed.rulesetId };
  throw new RulesetsError(
    `${JSON.stringify(id)} is not a valid ID of this resource: write zones/<zoneId>/rulesets/<rulesetId> or zones/<zoneId>/phases/<phase>, or the same with accounts/….`,
    { code: "CONFIG_INVALID" },
  );
}

export function readAt(session: Session, address: Address): Promise<Ruleset | undefined> {
  return address.phase === undefined
    ? session.client.rulesets.find(address.scope, address.rulesetId ?? "")
    : session.client.rulesets.findEntrypoint(address.scope, address.phase);
}

/** The ruleset of a resource as this run has just read it, or reads it now. */
export function currentRuleset(
  session: Session,
  id: string,
  state: Partial<RulesetState>,
): Promise<Ruleset | undefined> {
  return currentAt(session, addressOf(id, state));
}

/** The ruleset with an ID, or the entry point of a phase, as this run has just read it, or reads it now. */
export function currentAt({ reads }: Session, { scope, phase, rulesetId }: Address): Promise<Ruleset | undefined> {
  return rulesetId === undefined ? reads.entrypoint(scope, phase ?? "") : reads.byId(scope, rulesetId);
}

/** A resource that will be created, as far as it matters for what exists already. */
export interface NewResource {
  readonly target: Target;
  readonly where: string;
  readonly name: string | undefined;
  readonly reach: Reach;
  readonly policy: Omit<Policy, "onDelete">;
  readonly wanted: readonly WantedRule[];
  readonly urn: string | undefined;
}

export function newResourceOf({ target, where, name, reach, policy, rules, urn }: Desired): NewResource {
  const wanted = (rules?.order ?? []).flatMap((ref) => {
    const rule = rules?.rules[ref];
    return rule === undefined ? [] : [Rule.of({ ...fieldsOf(rule.fields), ref }, rule).fields];
  });
  return { target, where, name: valueIfKnown(name), reach, policy, wanted, urn };
}

/** Finds the ruleset that exists where a resource will be created. */
export async function findExisting(session: Session, resource: NewResource): Promise<Ruleset | undefined> {
  const { target, reach, policy } = resource;
  // Rules of one ruleset share the read of it; lists share that of all rulesets.
  if (reach.manages === "rule") return currentAt(session, target);
  if (policy.adopts !== undefined) return session.reads.byId(target.scope, policy.adopts);
  if (!target.entrypoint && reach.isPart) {
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
  const beside = list.filter(
    (r) => r.kind === target.kind && r.phase === target.phase && (target.entrypoint || r.name === name),
  );
  return ownRulesets(session, target.scope, beside);
}

/** The rulesets of a kind and phase with a name. */
async function listByName(
  session: Session,
  { target, name }: Pick<NewResource, "target" | "name">,
): Promise<readonly RulesetSummary[]> {
  const list = await session.reads.list(target.scope);
  const named = list.filter((r) => r.kind === target.kind && r.phase === target.phase && r.name === name);
  return ownRulesets(session, target.scope, named);
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
        `To take it over instead, set rulesetId: ${JSON.stringify(id)}.`,
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
  const { target, policy } = resource;
  if (policy.adopts !== undefined || target.rulesetId !== undefined || target.entrypoint) return undefined;
  const sameName = await listByName(session, resource);
  if (sameName.length < 2) return undefined;
  const ids = sameName.map(({ id }) => id);
  return occupiedError(ambiguousRulesetText(resource.where, ids));
}

type Rulesets = readonly RulesetSummary[];

/** Without the custom rulesets of its account, which a zone lists together with its own. Only custom rulesets need a request. */
async function withoutRulesetsOf(session: Session, accountId: string, rulesets: Rulesets): Promise<Rulesets> {
  if (rulesets.every(({ kind }) => kind !== "custom")) return rulesets;
  const ofAccount = await session.reads.listOfRun({ level: "accounts", id: accountId });
  const ids = new Set(ofAccount.map(({ id }) => id));
  return rulesets.filter(({ id }) => !ids.has(id));
}

/** Without the custom rulesets of the account, which is not known yet; all of them, where credentials may read the zone alone. */
export async function ownRulesets(session: Session, { level, id }: Scope, rulesets: Rulesets): Promise<Rulesets> {
  if (level === "accounts" || rulesets.every(({ kind }) => kind !== "custom")) return rulesets;
  const zone = await session.zones.find(id);
  if (zone === undefined) return rulesets;
  try {
    return await withoutRulesetsOf(session, zone.accountId, rulesets);
  } catch (error) {
    if (error instanceof RulesetsError) return rulesets;
    throw error;
  }
}
