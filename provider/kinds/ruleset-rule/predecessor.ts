import { stateOfKind } from "../../engine/kind.js";
import { byUrn } from "../../engine/predecessors.js";
import type { Session } from "../../engine/session.js";
import { isObject, type JsonObject } from "../../model/json.js";
import type { DeployedRule } from "../../model/ruleset.js";
import { PHASE_ENTRYPOINT, RULESET } from "../ruleset/description.js";
import { byRuleset, handedOverIn, recordOf } from "../ruleset/handed-over-rule.js";
import { heldIds, recordedVersions } from "../ruleset/predecessor.js";
import { othersWantRules } from "../ruleset/shared/wanted-rules.js";
import { RULESET_RULE, type RuleState } from "./description.js";

/** A resource of this stack that managed a rule before another one took it over. */
export interface RulePredecessor {
  readonly urn: string;
  /** Whether deleting it would have deleted the rule. */
  readonly owned: boolean;
  /** Whether nobody has changed the rule since the stack last read it. */
  readonly unchanged: boolean;
}

/**
 * Finds the resource of this stack that managed a rule, by itself or as part of a ruleset, preferring one that has it over
 * one that gave it up for another one.
 */
export async function findRulePredecessor(
  { predecessors }: Session,
  rulesetId: string,
  { id: ruleId, version }: Pick<DeployedRule, "id" | "version">,
): Promise<RulePredecessor | undefined> {
  const hasRule = (state: JsonObject): boolean =>
    (isObject(state.ruleIds) ? Object.values(state.ruleIds) : [state.ruleId]).includes(ruleId);
  const gaveUp = (state: JsonObject): boolean => handedOverIn(state).some(({ id }) => id === ruleId);
  for (const managesRule of [hasRule, gaveUp])
    for (const kind of [RULESET_RULE.type, PHASE_ENTRYPOINT.type, RULESET.type]) {
      const isSame = (state: JsonObject): boolean => {
        const record = recordOf(state, rulesetId);
        return record !== undefined && typeof record.__urn === "string" && managesRule(record);
      };
      const found = await predecessors.find(kind, { by: byRuleset, key: rulesetId }, isSame);
      const record = found.kind === "known" ? recordOf(found.state, rulesetId) : undefined;
      if (typeof record?.__urn === "string")
        return {
          urn: record.__urn,
          owned: heldIds(record).includes(ruleId),
          unchanged: version !== "" && recordedVersions(record).get(ruleId) === version,
        };
    }
  return undefined;
}

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
  if (urn === "" || !othersWantRules(session, urn)) return undefined;
  const isOld = (state: JsonObject): boolean => state.rulesetId === rulesetId && state.ref !== ref;
  const found = await session.predecessors.find(RULESET_RULE.type, { by: byUrn, key: urn }, isOld);
  return found.kind === "known" ? stateOfKind(RULESET_RULE, found.state) : undefined;
}

/** Hands a rule over to the resource that takes it over. */
export function recordPredecessor({ predecessors }: Session, state: RuleState): void {
  predecessors.record(RULESET_RULE.type, { ...state });
}
