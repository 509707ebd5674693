import { claim, claimParts, claimsOf } from "../../engine/claims.js";
import { byUrn, type StackResource } from "../../engine/predecessors.js";
import type { Session } from "../../engine/session.js";
import { stateOfKind } from "../../engine/kind.js";
import type { Props } from "../../engine/lifecycle.js";
import type { JsonObject } from "../../model/json.js";
import { isObserved } from "../../model/ruleset.js";
import type { Ownership } from "../../model/options.js";
import type { KeyedRules } from "../../rules/keyed.js";
import { RULESET_RULE } from "./rule/description.js";
import { PHASE_ENTRYPOINT, RULESET, type RulesetDescription, type RulesetState } from "./description.js";
import { objectKeys, type Desired, type Policy } from "./desired.js";
import { Ledger, NO_ORPHANS, type OrphanedRules, type Place, type ProgramLedger, type StackRecords } from "./ledger.js";
import { byRuleset, recordOf, releasedHere } from "./records.js";
import { RunRecord } from "./run-record.js";
import { parseList } from "./single-rule.js";
import { parseState, type ParsedState } from "./state.js";
import { upgrade } from "./package-states.js";

/* Feeds the ledgers of a run, and reads for them what the state of the stack says. */

const newRunRecord = (): RunRecord => new RunRecord();

/** What this run does with rules. */
export function runRecord(session: Session): RunRecord {
  return session.part(newRunRecord);
}

/** Who owns the rules of a ruleset by the program and this run alone. Nothing is read. */
export function programLedger(session: Session, { target }: Place, rulesetId: string): ProgramLedger {
  return makeLedger(session, objectKeys(target, rulesetId), rulesetId);
}

/** By the keys of a ruleset, the ledgers that know the state of the stack. */
const ledgers = (): Map<string, Promise<Ledger>> => new Map();

/** Who owns the rules of a ruleset, by the state of the stack too, which is read once in a run. */
export function ledgerOf(session: Session, { target }: Place, rulesetId: string): Promise<Ledger> {
  return readLedger(session, objectKeys(target, rulesetId), rulesetId);
}

/** The same of a ruleset that is known by its ID alone: not what the program claims there. */
export function ledgerById(session: Session, rulesetId: string): Promise<Ledger> {
  return readLedger(session, [], rulesetId);
}

function readLedger(session: Session, rulesets: readonly string[], rulesetId: string): Promise<Ledger> {
  const key = [rulesetId, ...rulesets].join();
  const known = session.part(ledgers);
  const ledger =
    known.get(key) ?? stackRecords(session, rulesetId).then((stack) => makeLedger(session, rulesets, rulesetId, stack));
  known.set(key, ledger);
  return ledger.then((read) => {
    // What cannot be read now may be readable later.
    if (!read.isRead && known.get(key) === ledger) known.delete(key);
    return read;
  });
}

function makeLedger(session: Session, rulesets: readonly string[], rulesetId: string, stack?: StackRecords): Ledger {
  return new Ledger({
    rulesets,
    rulesetId,
    claims: claimsOf(session),
    run: runRecord(session),
    isChecked: (urn) => session.checked.has(urn),
    ...(stack === undefined ? {} : { stack }),
  });
}

/** The kinds of resources that manage rules. */
const KINDS = [RULESET_RULE.type, PHASE_ENTRYPOINT.type, RULESET.type];

async function stackRecords(session: Session, rulesetId: string): Promise<StackRecords> {
  const states = await session.predecessors.list(KINDS, { by: byRuleset, key: rulesetId });
  const resources = await session.predecessors.all();
  let holders: ReadonlySet<unknown> | undefined;
  return {
    records: states.flatMap((state) => recordOf(state, rulesetId) ?? []),
    isRead: resources !== undefined,
    exists: (urn) => (holders ??= holdersAmong(resources ?? [])).has(urn),
  };
}

/** The URNs of resources that manage rules. */
function holdersAmong(resources: readonly StackResource[]): ReadonlySet<unknown> {
  return new Set(resources.flatMap(({ state }) => (typeof state.rulesetId === "string" ? [state.__urn] : [])));
}

/** The rules that a state records as released and that now belong to nobody in the stack, as far as its state can be read. */
export async function orphanedRules(
  session: Session,
  { target, urn }: Pick<Desired, "target" | "urn">,
  { __released, __urn: formerUrn, rulesetId }: Pick<RulesetState, "__released" | "__urn" | "rulesetId">,
): Promise<OrphanedRules> {
  const released = releasedHere(__released);
  if (released.length === 0) return NO_ORPHANS;
  return (await ledgerOf(session, { target }, rulesetId)).orphansAmong(released, { urn, formerUrn });
}

/** The state of a ruleset; undefined if it cannot be read. */
export function stateOfRuleset(description: RulesetDescription, props: Props): RulesetState | undefined {
  return stateOfKind<RulesetDescription>(description, upgrade(props));
}

/** The state that this same resource recorded of a ruleset before it is created again; undefined for a new resource. */
export async function findOwnState(
  { predecessors }: Session,
  rulesetId: string,
  urn: string | undefined,
): Promise<ParsedState | undefined> {
  if (urn === undefined || urn === "") return undefined;
  const isOwn = (state: JsonObject): boolean => state.rulesetId === rulesetId && !isObserved(state);
  for (const description of [PHASE_ENTRYPOINT, RULESET]) {
    const found = await predecessors.find(description.type, { by: byUrn, key: urn }, isOwn);
    const state = found.kind === "known" ? stateOfRuleset(description, found.state) : undefined;
    if (state !== undefined) return parseState(state);
  }
  const found = await predecessors.find(RULESET_RULE.type, { by: byUrn, key: urn }, isOwn);
  const rule = found.kind === "known" ? stateOfKind(RULESET_RULE, found.state) : undefined;
  return rule === undefined ? undefined : parseList(rule);
}

/** Keeps the state of a resource that is deleted while its rules stay, for the resource that takes them over. */
export function releaseToSuccessor(session: Session, type: string, state: JsonObject): void {
  session.predecessors.record(type, state);
  session.part(ledgers).clear();
}

/** Records that a resource manages a ruleset, alone or sharing it. Returns another resource that conflicts with it. */
export function claimRuleset(
  session: Session,
  urn: string | undefined,
  keys: readonly string[],
  ownership: Ownership,
): string | undefined {
  return ownership === "shared" ? claimParts(session, urn, keys) : claim(session, urn, keys);
}

/** Records the rules that a resource declares in a ruleset that it shares; one that owns the whole has all of them. */
export function declareRules(
  session: Session,
  { target, urn = "", policy }: Pick<Desired, "target" | "urn"> & { readonly policy: Pick<Policy, "ownership"> },
  rulesetId: string | undefined,
  rules: KeyedRules | undefined,
): void {
  if (policy.ownership !== "shared" || rules === undefined) return;
  runRecord(session).declare(objectKeys(target, rulesetId), urn, rules);
}

/** What the resource that is checked wanted in the last run; undefined if it is new. */
export function lastWanted<Inputs extends object>(
  { session, urn, olds }: { readonly session: Session; readonly urn: string; readonly olds: Inputs | undefined },
  desiredOf: (olds: Inputs) => Desired,
): Desired | undefined {
  if (olds === undefined) return undefined;
  const { wantedBefore } = runRecord(session);
  const known = wantedBefore.get(urn);
  if (known?.from === olds) return known.desired;
  const desired = desiredOf(olds);
  wantedBefore.set(urn, { from: olds, desired });
  return desired;
}

/** Records that the state of a resource has rules from now on. */
export function noteApplied(session: Session, urn: string | undefined, ids: Iterable<string>): void {
  for (const id of ids) runRecord(session).applied.set(id, urn ?? "");
}
