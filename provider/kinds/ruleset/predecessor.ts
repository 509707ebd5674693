import type { Scope } from "../../model/ids.js";
import { isList, isObject, type JsonObject } from "../../model/json.js";
import type { DeployedRule, Ruleset } from "../../model/ruleset.js";
import { fromText } from "../../engine/held-as-text.js";
import { stateOfKind } from "../../engine/kind.js";
import { byUrn, CLOUDFLARE_RULESET, type KeysOf } from "../../engine/predecessors.js";
import type { Session } from "../../engine/session.js";
import type { OtherHolder } from "../../ownership/takeover-messages.js";
import type { Desired, Target } from "./desired.js";
import { otherOwnerOf } from "./shared/claims.js";
import { PHASE_ENTRYPOINT, RULESET, type RulesetDescription, type RulesetState } from "./description.js";
import { RULESET_RULE } from "../ruleset-rule/description.js";
import { byRuleset, handedOverIn, recordOf } from "./handed-over-rule.js";
import { upgrade } from "./upgrade.js";

/** A resource of this stack that managed a ruleset before another one took it over. */
export interface RulesetPredecessor {
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
  const ownsAll = (state: JsonObject): boolean => {
    const mine = new Set(heldIds(state));
    return state.ownership !== "shared" || rules.every((rule) => mine.has(rule.id));
  };
  for (const owned of [true, false]) {
    const isSame = (state: JsonObject): boolean =>
      state.rulesetId === rulesetId &&
      typeof state.__urn === "string" &&
      (state.__takenOver !== true && ownsAll(state)) === owned;
    for (const kind of KINDS) {
      const found = await predecessors.find(kind, { by: byRuleset, key: rulesetId }, isSame);
      const urn = found.kind === "known" ? found.state.__urn : undefined;
      if (typeof urn === "string") return { urn, owned };
    }
  }
  return undefined;
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

/** IDs of existing rules that belonged to this stack when a resource is created or gets rules of others. */
export interface Inherited {
  /** Managed by this same resource, which is being recreated, and not claimed by another one that this run has checked. */
  readonly own: ReadonlySet<string>;
  /**
   * Managed by other resources of this stack, and by none that this run has checked: those still have their claims. Or given
   * up by any resource of it, this same one included.
   */
  readonly inherited: ReadonlySet<string>;
}

export async function inheritedRules(
  session: Session,
  { target, urn }: Pick<Desired, "target" | "urn">,
  { id: rulesetId, rules }: Pick<Ruleset, "id" | "rules">,
): Promise<Inherited> {
  const own = new Set<string>();
  const inherited = new Set<string>();
  for (const state of await holdersIn(session, rulesetId)) {
    const ids = state.__urn === urn ? own : inherited;
    for (const id of ownedIds(state)) ids.add(id);
    // Another resource may have had these since.
    for (const { id } of handedOverIn(state)) inherited.add(id);
  }
  const isClaimed = (rule: DeployedRule): boolean =>
    otherOwnerOf(session, { target, urn }, rulesetId, rule) !== undefined;
  for (const rule of rules) {
    if (!(inherited.has(rule.id) || own.has(rule.id)) || !isClaimed(rule)) continue;
    inherited.delete(rule.id);
    own.delete(rule.id);
  }
  return { own, inherited };
}

/** What the states of this stack's resources record of a ruleset. */
async function holdersIn({ predecessors }: Session, rulesetId: string): Promise<readonly JsonObject[]> {
  const states = await predecessors.list([...KINDS, RULESET_RULE.type], { by: byRuleset, key: rulesetId });
  return states.flatMap((state): JsonObject[] => {
    const record = typeof state.__urn === "string" ? recordOf(state, rulesetId) : undefined;
    return record === undefined ? [] : [record];
  });
}

/**
 * By ID, the URNs of other resources of this stack whose states own rules of a ruleset too, and that this run has not
 * checked: after a run that was stopped halfway, or with `--target`, a rule that moved can have two owners.
 */
export async function otherHolders(
  session: Session,
  rulesetId: string,
  urns: readonly (string | undefined)[],
): Promise<ReadonlyMap<string, string>> {
  return ownersOf(await holdersIn(session, rulesetId), (urn) => !urns.includes(urn) && !session.checked.has(urn));
}

/** By ID, the URNs of other resources of this stack that owned rules of a ruleset when the run started. */
export async function ownersInStack(
  session: Session,
  rulesetId: string,
  urn: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  return ownersOf(await holdersIn(session, rulesetId), (holder) => holder !== urn, heldIds);
}

function ownersOf(
  states: readonly JsonObject[],
  counts: (urn: string) => boolean,
  idsIn: (state: JsonObject) => readonly string[] = ownedIds,
): ReadonlyMap<string, string> {
  return new Map(
    states.flatMap((state) => {
      const { __urn: urn } = state;
      return typeof urn === "string" && counts(urn) ? idsIn(state).map((id) => [id, urn] as const) : [];
    }),
  );
}

/** The state that this same resource recorded of a ruleset before it is created again; undefined for a new resource. */
export async function findOwnState(
  { predecessors }: Session,
  rulesetId: string,
  urn: string | undefined,
): Promise<RulesetState | undefined> {
  if (urn === undefined || urn === "") return undefined;
  const isOwn = ({ rulesetId: id }: JsonObject): boolean => id === rulesetId;
  for (const description of [PHASE_ENTRYPOINT, RULESET]) {
    const found = await predecessors.find(description.type, { by: byUrn, key: urn }, isOwn);
    if (found.kind === "known") return readableState(description, found.state);
  }
  return undefined;
}

/** A state of any version of this package; undefined if it cannot be read. */
function readableState(description: RulesetDescription, state: JsonObject): RulesetState | undefined {
  return stateOfKind<RulesetDescription>(description, upgrade(state));
}

/**
 * IDs of rules in a ruleset that other resources of this stack own, or that this or another one gave up while nobody has
 * them yet, and that nobody has changed since the stack last read them. A resource that the program moves such a rule to
 * may change it, as the previous one could have.
 */
export async function unchangedRules(
  session: Session,
  { id: rulesetId, rules }: Pick<Ruleset, "id" | "rules">,
  urn: string | undefined,
): Promise<ReadonlySet<string>> {
  const versions = new Map(rules.map(({ id, version }) => [id, version]));
  const states = await holdersIn(session, rulesetId);
  const idsIn = (state: JsonObject): string[] =>
    state.__urn === urn ? handedOverIn(state).map(({ id }) => id) : heldIds(state);
  return new Set(
    states.flatMap((state) => {
      const recorded = recordedVersions(state);
      return idsIn(state).filter((id) => (versions.get(id) ?? "") !== "" && recorded.get(id) === versions.get(id));
    }),
  );
}

/** By ID, the versions that rules had when a state was recorded, and that rules it gave up had before that. */
export function recordedVersions(state: JsonObject): ReadonlyMap<string, string> {
  const { ruleId, version } = state;
  const own = [...(deployedRulesIn(state) ?? []), { id: ruleId, version }, ...handedOverIn(state)].flatMap((rule) =>
    isObject(rule) && typeof rule.id === "string" && typeof rule.version === "string"
      ? [[rule.id, rule.version] as const]
      : [],
  );
  return new Map(own);
}

/** The deployed rules in a state as the engine provides it; undefined where it has none, as that of a single rule. */
export function deployedRulesIn({ deployedRules }: JsonObject): readonly unknown[] | undefined {
  const rules = fromText(deployedRules);
  return isList(rules) ? rules : undefined;
}

/** IDs of the rules that deleting a resource would delete. */
export function ownedIds({ ruleIds, ruleId, __takenOver: whole, __takenOverRules: taken }: JsonObject): string[] {
  if (whole === true) return [];
  if (typeof ruleId === "string") return [ruleId];
  const left = new Set(isList(taken) ? taken : []);
  return Object.entries(isObject(ruleIds) ? ruleIds : {}).flatMap(([ref, id]) =>
    typeof id !== "string" || left.has(ref) ? [] : [id],
  );
}

/** The same, and the rules that a resource gave up for another one, which may not have them yet. */
export function heldIds(state: JsonObject): string[] {
  return [...ownedIds(state), ...handedOverIn(state).map(({ id }) => id)];
}

/** Hands a ruleset over to the resource that takes it over. */
export function recordPredecessor({ predecessors }: Session, state: RulesetState): void {
  predecessors.record(state.kind === undefined ? PHASE_ENTRYPOINT.type : RULESET.type, { ...state });
}
