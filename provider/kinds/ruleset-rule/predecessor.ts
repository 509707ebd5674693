import { stateOfKind } from "../../engine/kind.js";
import { byUrn, type KeysOf } from "../../engine/predecessors.js";
import type { Session } from "../../engine/session.js";
import { isObject, type JsonObject } from "../../model/json.js";
import type { DeployedRule } from "../../model/ruleset.js";
import { PHASE_ENTRYPOINT, RULESET } from "../ruleset/description.js";
import { handedOverIn, leftIn, recordOf } from "../ruleset/handed-over-rule.js";
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
  session: Session,
  rulesetId: string,
  { id: ruleId, version }: Pick<DeployedRule, "id" | "version">,
): Promise<RulePredecessor | undefined> {
  const isHere = (state: JsonObject): boolean => typeof recordOf(state, rulesetId)?.__urn === "string";
  for (const by of [byRule, byGivenUpRule])
    for (const kind of [RULESET_RULE.type, PHASE_ENTRYPOINT.type, RULESET.type]) {
      const found = await session.predecessors.find(kind, { by, key: ruleId }, isHere);
      const record = found.kind === "known" ? recordOf(found.state, rulesetId) : undefined;
      if (typeof record?.__urn !== "string") continue;
      const { held, versions } = rulesRecorded(session, record);
      return {
        urn: record.__urn,
        owned: held.has(ruleId),
        unchanged: version !== "" && versions.get(ruleId) === version,
      };
    }
  return undefined;
}

/** Finds states by the IDs of the rules that they have. */
const byRule: KeysOf = ({ ruleIds, ruleId }) => (isObject(ruleIds) ? Object.values(ruleIds) : [ruleId]);
/** The same by rules that they gave up. */
const byGivenUpRule: KeysOf = (state) => [...handedOverIn(state), ...leftIn(state)].map(({ id }) => id);

/** What a state records of rules: the IDs of those that it holds, and versions by ID. */
interface RulesRecorded {
  readonly held: ReadonlySet<string>;
  readonly versions: ReadonlyMap<string, string>;
}

/** By state, worked out once: each rule of a list may get a resource of its own. */
const recordedRules = (): WeakMap<JsonObject, RulesRecorded> => new WeakMap();

function rulesRecorded(session: Session, record: JsonObject): RulesRecorded {
  const all = session.part(recordedRules);
  const known = all.get(record) ?? { held: new Set(heldIds(record)), versions: recordedVersions(record) };
  all.set(record, known);
  return known;
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
