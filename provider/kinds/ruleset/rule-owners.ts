import type { StackResource } from "../../engine/predecessors.js";
import type { Session } from "../../engine/session.js";
import { isObject } from "../../model/json.js";
import { ownedIds } from "./predecessor.js";

/** Which resources of the stack own a rule, by the state that the stack had when this run first read it. */
export class RuleOwners {
  private readonly urns = new Map<string, Set<string>>();
  private readonly resources = new Set<string>();
  /** By URN, the rulesets that resources own as a whole. */
  private readonly whole = new Map<string, string>();

  constructor(resources: readonly StackResource[]) {
    for (const { state } of resources) {
      const { __urn: urn, rulesetId } = state;
      if (typeof urn !== "string" || typeof rulesetId !== "string") continue;
      this.resources.add(urn);
      if (state.ownership !== "shared" && isObject(state.ruleIds)) this.whole.set(urn, rulesetId);
      for (const id of ownedIds(state)) {
        const key = keyOf(rulesetId, id);
        const known = this.urns.get(key);
        if (known === undefined) this.urns.set(key, new Set([urn]));
        else known.add(urn);
      }
    }
  }

  /** Whether a resource that manages rules exists. */
  has(urn: string): boolean {
    return this.resources.has(urn);
  }

  /** Whether a resource manages a whole ruleset. */
  manages(urn: string, rulesetId: string): boolean {
    return this.whole.get(urn) === rulesetId;
  }

  /** The owners of a rule other than one resource. */
  others(rulesetId: string, id: string, urn: string | undefined): readonly string[] {
    return [...(this.urns.get(keyOf(rulesetId, id)) ?? [])].filter((owner) => owner !== urn);
  }
}

function keyOf(rulesetId: string, id: string): string {
  return `${rulesetId}/${id}`;
}

const owners = (session: Session): Promise<RuleOwners | undefined> =>
  session.predecessors.all().then((resources) => (resources === undefined ? undefined : new RuleOwners(resources)));

/** The owners of rules, worked out once in a run; undefined if the state of the stack cannot be read. */
export function ruleOwners(session: Session): Promise<RuleOwners | undefined> {
  return session.part(owners);
}

/** URNs of resources that this run has deleted, whose rules no longer have an owner in them. */
const deleted = (): Set<string> => new Set();

/** Records that a resource was deleted. */
export function noteDeleted(session: Session, urn: string | undefined): void {
  if (urn !== undefined) session.part(deleted).add(urn);
}

/** Whether this run has deleted a resource. */
export function isDeleted(session: Session, urn: string): boolean {
  return session.part(deleted).has(urn);
}

/**
 * Another resource of the stack that owns a rule too, and that this run neither checks nor has deleted: after a run that
 * was stopped halfway, or with `--target`, a rule that moved can have two owners. Undefined if there is none, or if the
 * state of the stack cannot be read.
 */
export async function otherOwnerInStack(
  session: Session,
  { rulesetId, urn }: { readonly rulesetId: string; readonly urn: string | undefined },
  id: string,
): Promise<string | undefined> {
  const known = await ruleOwners(session);
  const gone = session.part(deleted);
  return known?.others(rulesetId, id, urn).find((owner) => !gone.has(owner) && !session.checked.has(owner));
}
