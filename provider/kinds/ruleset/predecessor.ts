import { isObject, type Json, type JsonObject } from "../../model/json.js";
import type { DeployedRule, Ruleset } from "../../model/ruleset.js";
import { CLOUDFLARE_RULESET } from "../../engine/predecessors.js";
import type { Session } from "../../engine/session.js";
import type { OtherHolder } from "../../ownership/takeover-messages.js";
import type { Target } from "./desired.js";
import { PHASE_ENTRYPOINT, RULESET, type RulesetState } from "./description.js";

/** A resource of this stack that managed a ruleset before another one took it over. */
export interface RulesetPredecessor {
  readonly urn: string;
  /** Whether deleting it would have deleted the ruleset. */
  readonly owned: boolean;
}

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
    const mine = new Set(ownedIds(state));
    return state.ownership !== "shared" || rules.every((rule) => mine.has(rule.id));
  };
  for (const owned of [true, false]) {
    const isSame = (state: JsonObject): boolean =>
      state.rulesetId === rulesetId &&
      typeof state.__urn === "string" &&
      (state.__takenOver !== true && ownsAll(state)) === owned;
    for (const kind of KINDS) {
      const found = await predecessors.find(kind, isSame);
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
    (scope.level === "zones" ? state.zoneId : state.accountId) === scope.id &&
    state.phase === phase &&
    state.kind === kind &&
    (entrypoint || state.name === name);
  const found = await predecessors.find(CLOUDFLARE_RULESET, isSame);
  if (found.kind !== "known") return found;
  const { __urn: urn } = found.state;
  return typeof urn === "string" ? { kind: "known", urn } : { kind: "unknown" };
}

/** IDs of existing rules that belonged to this stack when a resource is created. */
export interface Inherited {
  /** Managed by this same resource, which is being recreated. */
  readonly own: ReadonlySet<string>;
  /**
   * Managed by other resources of this stack that this run has not checked: they were renamed or removed, or are
   * checked later.
   */
  readonly inherited: ReadonlySet<string>;
}

export async function inheritedRules(session: Session, rulesetId: string, urn: string | undefined): Promise<Inherited> {
  const idsOf = async (isBefore: (holder: string) => boolean): Promise<Set<string>> => {
    const isSame = ({ __urn, rulesetId: id, __takenOver }: JsonObject): boolean =>
      id === rulesetId && __takenOver !== true && typeof __urn === "string" && isBefore(__urn);
    const lists = await Promise.all([...KINDS, "RulesetRule"].map((kind) => session.predecessors.list(kind, isSame)));
    return new Set(lists.flat().flatMap(ownedIds));
  };
  return {
    own: await idsOf((holder) => holder === urn),
    inherited: await idsOf((holder) => holder !== urn && !session.checked.has(holder)),
  };
}

/** The state that this same resource recorded of a ruleset before it is created again; undefined for a new resource. */
export async function findOwnState(
  { predecessors }: Session,
  rulesetId: string,
  urn: string | undefined,
): Promise<RulesetState | undefined> {
  if (urn === undefined || urn === "") return undefined;
  const isOwn = ({ __urn: holder, rulesetId: id }: JsonObject): boolean => holder === urn && id === rulesetId;
  for (const kind of KINDS) {
    const found = await predecessors.find(kind, isOwn);
    if (found.kind === "known") return found.state as unknown as RulesetState;
  }
  return undefined;
}

/**
 * IDs of rules in a ruleset that other resources of this stack own, and that nobody has changed since the stack last read
 * them. A resource that the program moves such a rule to may change it, as the previous one could have.
 */
export async function unchangedRules(
  { predecessors }: Session,
  { id: rulesetId, rules }: Pick<Ruleset, "id" | "rules">,
  urn: string | undefined,
): Promise<ReadonlySet<string>> {
  const isOther = ({ __urn: holder, rulesetId: id }: JsonObject): boolean =>
    id === rulesetId && typeof holder === "string" && holder !== urn;
  const lists = await Promise.all([...KINDS, "RulesetRule"].map((kind) => predecessors.list(kind, isOther)));
  const versions = new Map(rules.map(({ id, version }) => [id, version]));
  const states = lists.flat();
  return new Set(states.flatMap((state) => ownedIds(state).filter((id) => knowsVersion(state, id, versions.get(id)))));
}

/** Whether a state was recorded when a rule had a version. */
export function knowsVersion(
  { ruleId, version: last, deployedRules }: JsonObject,
  id: string,
  version: string | undefined,
): boolean {
  if (version === undefined || version === "") return false;
  if (ruleId === id) return last === version;
  const infos = Array.isArray(deployedRules) ? (deployedRules as Json[]) : [];
  return infos.some((info) => isObject(info) && info.id === id && info.version === version);
}

/** IDs of the rules that deleting a resource would delete. */
export function ownedIds({ ruleIds, ruleId, __takenOver: whole, __takenOverRules: taken }: JsonObject): string[] {
  if (whole === true) return [];
  if (typeof ruleId === "string") return [ruleId];
  const left = new Set(Array.isArray(taken) ? (taken as Json[]) : []);
  return Object.entries(isObject(ruleIds) ? ruleIds : {}).flatMap(([ref, id]) =>
    typeof id !== "string" || left.has(ref) ? [] : [id],
  );
}

/** Hands a ruleset over to the resource that takes it over. */
export function recordPredecessor({ predecessors }: Session, state: RulesetState): void {
  predecessors.record(state.kind === undefined ? PHASE_ENTRYPOINT.type : RULESET.type, { ...state });
}
