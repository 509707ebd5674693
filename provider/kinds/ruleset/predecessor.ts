import type { JsonObject } from "../../model/json.js";
import type { Session } from "../../engine/session.js";
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
 * no URN of its own in its state, and hands nothing on.
 */
export async function findPredecessor({ predecessors }: Session, rulesetId: string): Promise<Predecessor | undefined> {
  for (const owned of [true, false]) {
    const isSame = (state: JsonObject): boolean =>
      state.rulesetId === rulesetId && typeof state.__urn === "string" && (state.__takenOver !== true) === owned;
    for (const kind of KINDS) {
      const found = await predecessors.find(kind, isSame);
      const urn = found.kind === "known" ? found.state.__urn : undefined;
      if (typeof urn === "string") return { urn, owned };
    }
  }
  return undefined;
}

/** Leaves the right to a ruleset to the resource that takes it over. */
export function leaveTo({ predecessors }: Session, state: RulesetState): void {
  predecessors.leave(state.kind === undefined ? PHASE_ENTRYPOINT.type : RULESET.type, { ...state });
}
