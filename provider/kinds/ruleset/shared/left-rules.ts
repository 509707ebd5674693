import type { Session } from "../../../engine/session.js";
import type { Desired } from "../desired.js";
import type { HandedOverRule, LeftRule } from "../handed-over-rule.js";
import { findAwaitedOwners } from "./hand-over.js";

/*
 * A resource that is replaced in another ruleset leaves its rules behind, and the engine deletes its old object only when
 * everything else is written. Until then no state that the provider can read says that they belong to the stack. So the new
 * object records those that another resource was to have.
 */

/** The rules of a resource in the ruleset that it leaves. */
interface Leaving extends Pick<Desired, "target"> {
  readonly rulesetId: string;
  readonly rules: readonly Omit<HandedOverRule, "to">[];
}

/** By URN, the resources that this run replaces. */
const leaving = (): Map<string, Leaving> => new Map();

/** Records what a resource has before it is replaced. */
export function noteReplaced(session: Session, urn: string | undefined, before: Leaving): void {
  session.part(leaving).set(urn ?? "", before);
}

/** The state of a resource that was replaced, with the rules that it left for others, which have not written them yet. */
export async function withLeftRules<S extends { readonly rulesetId: string }>(
  session: Session,
  urn: string | undefined,
  state: S,
): Promise<S & { readonly __leftRules?: readonly LeftRule[] }> {
  const before = session.part(leaving).get(urn ?? "");
  if (before === undefined || before.rulesetId === state.rulesetId) return state;
  const { target, rulesetId, rules } = before;
  const versions = new Map(rules.map(({ id, version }) => [id, version]));
  const awaited = await findAwaitedOwners(session, { target, urn }, { id: rulesetId, rules });
  if (awaited.length === 0) return state;
  return {
    ...state,
    __leftRules: awaited.map((rule) => ({ ...rule, version: versions.get(rule.id) ?? "", rulesetId })),
  };
}
