import { sameJson, type JsonObject } from "../model/json.js";
import { byUrn } from "./predecessors.js";
import type { Session } from "./session.js";

/** URNs of resources that are checked as new, and whose create has not begun. */
const pendingCreates = (): Set<string> => new Set();

/** Records that a resource is to be created, whether it is new or replaces itself. */
export function expectCreate(session: Session, urn: string): void {
  session.part(pendingCreates).add(urn);
}

/** Records that the create of a resource has begun. */
export function beginCreate(session: Session, urn: string | undefined): void {
  session.part(pendingCreates).delete(urn ?? "");
}

/**
 * Whether a delete comes before this run creates the resource again, as with `deleteBeforeReplace`. An old object that an
 * earlier run replaced is no longer in the state of the stack; where that cannot be read, it is not told apart.
 */
export async function isDeletedFirst(session: Session, urn: string | undefined, state: JsonObject): Promise<boolean> {
  if (!session.part(pendingCreates).has(urn ?? "")) return false;
  const resources = await session.predecessors.inStack({ by: byUrn, key: urn ?? "" });
  return resources?.some(({ state: known }) => sameJson(identityOf(known), identityOf(state))) ?? true;
}

function identityOf({ rulesetId, version, ruleIds, ruleId }: JsonObject): readonly unknown[] {
  return [rulesetId, version, ruleIds, ruleId];
}
