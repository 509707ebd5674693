import { occupiedError } from "../ownership/ruleset-messages.js";
import { failure, NO_FINDINGS, type Findings } from "../validation/index.js";
import type { Session } from "./session.js";

/** An object at the service that only one resource of a program may manage. */
export interface Claim {
  /** The keys that identify it within a run. */
  readonly keys: readonly string[];
  /** Why two resources cannot both manage it, given the URN of the other. */
  readonly refusal: (other: string) => string;
}

/**
 * Records that a resource manages an object, even if another one does too. Returns another resource that manages the
 * object or parts of it.
 */
export function claim({ owners }: Session, urn: string | undefined, keys: readonly string[]): string | undefined {
  const others = keys.flatMap((key) => [owners.claim(key, urn ?? ""), owners.otherClaimant(partsOf(key), urn)]);
  return others.find((other) => other !== undefined);
}

/**
 * Records that a resource owns parts of an object, as others may too. Returns a resource that manages the whole object.
 */
export function claimParts({ owners }: Session, urn: string | undefined, keys: readonly string[]): string | undefined {
  for (const key of keys) owners.claim(partsOf(key), urn ?? "");
  return keys.map((key) => owners.otherClaimant(key, urn)).find((other) => other !== undefined);
}

/** Whether a resource of this run owns parts of an object. */
export function hasClaimedParts({ owners }: Session, urn: string, keys: readonly string[]): boolean {
  return keys.some((key) => owners.isClaimedBy(partsOf(key), urn));
}

/** Whether another resource of this run manages the whole of an object, or with `parts` also a part of it. */
export function isManagedElsewhere(
  { owners }: Session,
  urn: string | undefined,
  keys: readonly string[],
  { parts }: { readonly parts: boolean },
): boolean {
  const names = parts ? keys.flatMap((key) => [key, partsOf(key)]) : keys;
  return names.some((name) => owners.otherClaimant(name, urn) !== undefined);
}

/** The key under which the owners of parts of an object are recorded. */
function partsOf(key: string): string {
  return `${key}#parts`;
}

/** Claims an object in `check`, where another resource that manages it is a failure. */
export function checkClaim(session: Session, urn: string | undefined, { keys, refusal }: Claim): Findings {
  if (urn === undefined || urn === "") return NO_FINDINGS;
  const other = claim(session, urn, keys);
  return other === undefined ? NO_FINDINGS : failure([], refusal(other));
}

/** Claims an object where no finding can be reported any more. Throws OWNERSHIP_OCCUPIED. */
export function requireClaim(session: Session, urn: string | undefined, { keys, refusal }: Claim): void {
  const other = claim(session, urn, keys);
  if (other !== undefined) throw occupiedError(refusal(other));
}

/** Both URNs, in an order that does not depend on which came first. */
export function bothUrns(one: string, other: string): string {
  return [one, other].sort().join(" and ");
}

/** Why a delete must not be sent: the program manages the object with another resource, or with this one again. */
export function reasonToKeep(session: Session, keys: readonly string[], urn: string | undefined): string | undefined {
  const names = keys.flatMap((key) => [key, partsOf(key)]);
  const holder = names.map((name) => session.owners.claimantOf(name, urn)).find((found) => found !== undefined);
  if (holder === undefined) return undefined;
  return holder === urn ? "this run creates it again" : `${holder} manages it now`;
}
