import { stateOfKind } from "../../../engine/kind.js";
import { byUrn } from "../../../engine/predecessors.js";
import type { Session } from "../../../engine/session.js";
import type { JsonObject } from "../../../model/json.js";
import { leaveToSuccessor, runRecord, ledgerOf } from "../ledgers.js";
import { RULESET_RULE, type RuleState } from "./description.js";
import type { Position } from "../../../client/index.js";
import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import type { ReleasedRule } from "../records.js";
import { rulesetTarget, type Desired } from "./desired.js";

/** The state that this same resource recorded of its rule before it is created again; undefined for a new resource. */
export async function findOwnState(
  { predecessors }: Session,
  rulesetId: string,
  { urn, ref }: { readonly urn: string | undefined; readonly ref: string },
): Promise<RuleState | undefined> {
  if (urn === undefined || urn === "") return undefined;
  const isOwn = (state: JsonObject): boolean => state.rulesetId === rulesetId && state.ref === ref;
  const found = await predecessors.find(RULESET_RULE.type, { by: byUrn, key: urn }, isOwn);
  return found.kind === "known" ? stateOfKind(RULESET_RULE, found.state) : undefined;
}

/**
 * The state of this same resource before it is replaced by a rule with another ref. With `--replace`, the engine does not show
 * it to `diff`. The state of the stack is not read where no other resource is to be written.
 */
export async function findOldState(
  session: Session,
  rulesetId: string,
  { urn = "", ref }: { readonly urn: string | undefined; readonly ref: string },
): Promise<RuleState | undefined> {
  if (urn === "" || !runRecord(session).othersWrite(urn)) return undefined;
  const isOld = (state: JsonObject): boolean => state.rulesetId === rulesetId && state.ref !== ref;
  const found = await session.predecessors.find(RULESET_RULE.type, { by: byUrn, key: urn }, isOld);
  return found.kind === "known" ? stateOfKind(RULESET_RULE, found.state) : undefined;
}

/** Hands a rule over to the resource that takes it over. */
export function recordPredecessor(session: Session, state: RuleState): void {
  leaveToSuccessor(session, RULESET_RULE.type, { ...state });
}

/** By URN, the states of rules that this run replaces with others in the same ruleset. */
const replacedRules = (): Map<string, RuleState> => new Map();

/** Records that a rule gets another ref: the new rule goes where the old one is. */
export function recordReplacedRule(session: Session, urn: string | undefined, state: RuleState): void {
  session.part(replacedRules).set(urn ?? "", state);
}

/** The position right before the rule that is replaced; undefined if that rule no longer exists. */
export function positionOfReplacedRule(
  session: Session,
  urn: string | undefined,
  rules: readonly DeployedRule[],
): Position | undefined {
  const { ruleId: id } = session.part(replacedRules).get(urn ?? "") ?? {};
  return id === undefined || !rules.some((rule) => rule.id === id) ? undefined : { before: id };
}

/**
 * The rule that is replaced, if the program moves it to another resource that has not written it yet, and those that the
 * replaced resource had released in the same way.
 */
export async function releasedByReplacement(
  session: Session,
  { target, urn, ref: newRef }: Desired,
  ruleset: Ruleset,
): Promise<readonly ReleasedRule[]> {
  const state =
    session.part(replacedRules).get(urn ?? "") ?? (await findOldState(session, ruleset.id, { urn, ref: newRef }));
  if (state === undefined) return [];
  const { ruleId, ref, version, __handedOver: given = [], __secretPaths: secretPaths } = state;
  const replaced = { id: ruleId, ref, version, ...(secretPaths === undefined ? {} : { secretPaths }) };
  const ledger = await ledgerOf(session, { target: rulesetTarget(target, ruleset.kind) }, ruleset.id);
  return [...given, replaced].flatMap((rule) =>
    ledger.pendingAmong([rule], { urn }).map(({ to }) => ({ ...rule, to })),
  );
}
