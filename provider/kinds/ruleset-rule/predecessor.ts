import { stateOfKind } from "../../engine/kind.js";
import { byUrn } from "../../engine/predecessors.js";
import type { Session } from "../../engine/session.js";
import type { JsonObject } from "../../model/json.js";
import { leaveToSuccessor, runRecord } from "../ruleset/ledgers.js";
import { RULESET_RULE, type RuleState } from "./description.js";

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
