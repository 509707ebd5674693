import { occupiedError } from "../ownership/ruleset-messages.js";
import { failure, NO_FINDINGS, type Findings } from "../validation/failure.js";
import { Owners } from "./owners.js";
import type { Session } from "./session.js";

/** An object at the service that only one resource of a program may manage. */
export interface Claim {
  /** The keys that identify it within a run. */
  readonly keys: readonly string[];
  /** Why two resources cannot both manage it, given the URN of the other. */
  readonly refusal: (other: string) => string;
}

/** Who manages what in this run. Only this file uses it. */
const ownersOfRun = (): Owners => new Owners();

/**
 * Records that a resource manages an object, even if another one does too. Returns another resource that manages the
 * object or parts of it.
 */
export function claim(session: Session, urn: string | undefined, keys: readonly string[]): string | undefined {
  const owners = session.part(ownersOfRun);
  const others = keys.flatMap((key) => [owners.claim(key, urn ?? ""), owners.otherClaimant(partsOf(key), urn)]);
  return others.find((other) => other !== undefined);
}

/**
 * Records that a resource owns parts of an object, as others may too. Returns a resource that manages the whole object.
 */
export function claimParts(session: Session, urn: string | undefined, keys: readonly string[]): string | undefined {
  const owners = session.part(ownersOfRun);
  for (const key of keys) owners.claim(partsOf(key), urn ?? "");
  return keys.map((key) => owners.otherClaimant(key, urn)).find((other) => other !== undefined);
}

/** Whether a resource of this run owns parts of an object. */
export function hasClaimedParts(session: Session, urn: string, keys: readonly string[]): boolean {
  const owners = session.part(ownersOfRun);
  return keys.some((key) => owners.isClaimedBy(partsOf(key), urn));
}

/** Which owners of an object count: those of the whole of it, or also those of a part. */
export interface Extent {
  readonly parts: boolean;
}

/** Another resource of this run that manages an object. */
export function otherManagerOf(
  session: Session,
  urn: string | undefined,
  keys: readonly string[],
  extent: Extent,
): string | undefined {
  const owners = session.part(ownersOfRun);
  const others = namesOf(keys, extent).map((name) => owners.otherClaimant(name, urn));
  return others.find((other) => other !== undefined);
}

function namesOf(keys: readonly string[], { parts }: Extent): readonly string[] {
  return parts ? keys.flatMap((key) => [key, partsOf(key)]) : keys;
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
export function reasonToKeep(
  session: Session,
  keys: readonly string[],
  urn: string | undefined,
  extent: Extent = { parts: true },
): string | undefined {
  const owners = session.part(ownersOfRun);
  const holders = namesOf(keys, extent).map((name) => owners.claimantOf(name, urn));
  const holder = holders.find((found) => found !== undefined);
  return holder === undefined ? undefined : reasonOf(holder, urn);
}

/** The reason in words, given the URN of the resource that manages the object. */
export function reasonOf(holder: string, urn: string | undefined): string {
  return holder === urn ? "this run creates it again" : `${holder} manages it now`;
}
