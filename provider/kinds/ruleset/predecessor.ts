import { isObject, type Json, type JsonObject } from "../../model/json.js";
import type { DeployedRule } from "../../model/ruleset.js";
import { VENDOR_RULESET } from "../../engine/predecessors.js";
import type { Session } from "../../engine/session.js";
import type { OtherHolder } from "../../ownership/takeover-words.js";
import type { Target } from "./desired.js";
import { PHASE_ENTRYPOINT, RULESET, type RulesetState } from "./description.js";

/** A resource of this stack that held a ruleset before another one took it over. */
export interface Predecessor {
  readonly urn: string;
  /** Whether a delete of it would have taken the ruleset away. */
  readonly owned: boolean;
}

const KINDS = [PHASE_ENTRYPOINT.type, RULESET.type];

/**
 * Who of this stack held a ruleset: rather who owned it than who only took it over. What a program merely reads (`get`) has
 * no URN of its own in its state, and hands nothing on; who shared it owned its own rules alone.
 */
export async function findPredecessor(
  { predecessors }: Session,
  rulesetId: string,
  rules: readonly Pick<DeployedRule, "id">[] = [],
): Promise<Predecessor | undefined> {
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

/** The vendor's resource of this stack that holds a ruleset, which it would delete when it is removed. */
export async function findVendorHolder(
  { predecessors }: Session,
  { scope, phase, kind, entrypoint }: Target,
  name: string,
): Promise<OtherHolder> {
  const isSame = (state: JsonObject): boolean =>
    (scope.level === "zones" ? state.zoneId : state.accountId) === scope.id &&
    state.phase === phase &&
    state.kind === kind &&
    (entrypoint || state.name === name);
  const found = await predecessors.find(VENDOR_RULESET, isSame);
  if (found.kind !== "known") return found;
  const { __urn: urn } = found.state;
  return typeof urn === "string" ? { kind: "known", urn } : { kind: "unknown" };
}

/** Ids of rules that a resource finds of its own in a ruleset when it is created there. */
export interface Inherited {
  /** Held by this very resource, which is made anew. */
  readonly own: ReadonlySet<string>;
  /** Held by others of this stack that this run has not met: they have been renamed or taken out, or come later. */
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

/** Ids of the rules that a delete of a resource would take away. */
export function ownedIds({ ruleIds, ruleId, __takenOver: whole, __takenOverRules: taken }: JsonObject): string[] {
  if (whole === true) return [];
  if (typeof ruleId === "string") return [ruleId];
  const left = new Set(Array.isArray(taken) ? (taken as Json[]) : []);
  return Object.entries(isObject(ruleIds) ? ruleIds : {}).flatMap(([ref, id]) =>
    typeof id !== "string" || left.has(ref) ? [] : [id],
  );
}

/** Leaves the right to a ruleset to the resource that takes it over. */
export function leaveTo({ predecessors }: Session, state: RulesetState): void {
  predecessors.leave(state.kind === undefined ? PHASE_ENTRYPOINT.type : RULESET.type, { ...state });
}
