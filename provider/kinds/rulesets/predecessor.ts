import type { Scope } from "../../model/ids.js";
import type { JsonObject } from "../../model/json.js";
import { isObserved, type DeployedRule } from "../../model/ruleset.js";
import { stateOfKind } from "../../engine/kind.js";
import { byUrn, CLOUDFLARE_RULESET, type KeysOf } from "../../engine/predecessors.js";
import type { Session } from "../../engine/session.js";
import type { OtherHolder } from "../../ownership/takeover-messages.js";
import type { Target } from "./desired.js";
import { PHASE_ENTRYPOINT, RULESET, type RulesetDescription, type RulesetState } from "./description.js";
import { leaveToSuccessor } from "./ledgers.js";
import { byRuleset, heldIds } from "./records.js";
import { RULESET_RULE } from "./rule/description.js";
import { parseList } from "./single-rule.js";
import { parseState, type ParsedState } from "./state.js";
import { upgrade } from "./old-states.js";

/** A resource of this stack that managed a ruleset before another one took it over. */
interface RulesetPredecessor {
  readonly urn: string;
  /** Whether deleting it would have deleted the ruleset. */
  readonly owned: boolean;
}

/** Finds states by the zone or account of their ruleset. */
const SCOPES: Readonly<Record<Scope["level"], KeysOf>> = {
  zones: ({ zoneId }) => [zoneId],
  accounts: ({ accountId }) => [accountId],
};
const KINDS = [PHASE_ENTRYPOINT.type, RULESET.type];

/**
 * Finds the resource of this stack that managed a ruleset, preferring one that owned it over one that only took it
 * over. A resource that a program merely reads (`get`) has no URN in its state and hands nothing over; one that shared
 * the ruleset owned only its own rules.
 */
export async function findRulesetPredecessor(
  { predecessors }: Session,
  rulesetId: string,
  rules: readonly Pick<DeployedRule, "id">[] = [],
): Promise<RulesetPredecessor | undefined> {
  const states = await predecessors.list(KINDS, { by: byRuleset, key: rulesetId });
  const holders = states.flatMap((state): readonly RulesetPredecessor[] => {
    const { __urn: urn, __takenOver: isTakenOver } = state;
    if (state.rulesetId !== rulesetId || typeof urn !== "string" || isObserved(state)) return [];
    const mine = new Set(heldIds(state));
    const ownsAll = state.ownership !== "shared" || rules.every(({ id }) => mine.has(id));
    return [{ urn, owned: isTakenOver !== true && ownsAll }];
  });
  return holders.find(({ owned }) => owned) ?? holders[0];
}

/** Finds the `@pulumi/cloudflare` resource of this stack that manages a ruleset and would delete it when removed. */
export async function findCloudflareHolder(
  { predecessors }: Session,
  { scope, phase, kind, entrypoint }: Target,
  name: string,
): Promise<OtherHolder> {
  const isSame = (state: JsonObject): boolean =>
    state.phase === phase && state.kind === kind && (entrypoint || state.name === name);
  const found = await predecessors.find(CLOUDFLARE_RULESET, { by: SCOPES[scope.level], key: scope.id }, isSame);
  if (found.kind !== "known") return found;
  const { __urn: urn } = found.state;
  return typeof urn === "string" ? { kind: "known", urn } : { kind: "unknown" };
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
    const state = found.kind === "known" ? readableState(description, found.state) : undefined;
    if (state !== undefined) return parseState(state);
  }
  const found = await predecessors.find(RULESET_RULE.type, { by: byUrn, key: urn }, isOwn);
  const rule = found.kind === "known" ? stateOfKind(RULESET_RULE, found.state) : undefined;
  return rule === undefined ? undefined : parseList(rule);
}

/** A state of any version of this package; undefined if it cannot be read. */
function readableState(description: RulesetDescription, state: JsonObject): RulesetState | undefined {
  return stateOfKind<RulesetDescription>(description, upgrade(state));
}

/** Hands a ruleset over to the resource that takes it over. */
export function recordPredecessor(session: Session, state: RulesetState): void {
  leaveToSuccessor(session, state.kind === undefined ? PHASE_ENTRYPOINT.type : RULESET.type, { ...state });
}
