import { occupiedError } from "../ownership/ruleset-messages.js";
import { failure, NO_FINDINGS, type Findings } from "../validation/failure.js";
import type { Session } from "./session.js";

/** An object at the service that only one resource of a program may manage. */
export interface Claim {
  /** The keys that identify it within a run. */
  readonly keys: readonly string[];
  /** Why two resources cannot both manage it, given the URN of the other. */
  readonly refusal: (other: string) => string;
}

/** Which resources of a program claim which objects in this run. */
export interface ClaimsOfRun {
  /** A resource other than this one that claims one of the objects. */
  readonly other: (keys: readonly string[], urn: string | undefined) => string | undefined;
  /** Whether a resource claims one of the objects. */
  readonly has: (keys: readonly string[], urn: string | undefined) => boolean;
}

/**
 * The claims of one run. The engine creates first and deletes last, in one process, or deletes first if told to. A delete must
 * not be sent for an object that a resource of the program still manages.
 */
export class Claims implements ClaimsOfRun {
  private readonly byKey = new Map<string, Set<string>>();

  add(key: string, urn: string): void {
    const claimants = this.byKey.get(key) ?? new Set();
    this.byKey.set(key, claimants.add(urn));
  }

  other(keys: readonly string[], urn: string | undefined): string | undefined {
    // No more than two entries of each are looked at, however many resources share an object.
    for (const key of keys) for (const claimant of this.byKey.get(key) ?? []) if (claimant !== urn) return claimant;
    return undefined;
  }

  has(keys: readonly string[], urn: string | undefined): boolean {
    return urn !== undefined && keys.some((key) => this.byKey.get(key)?.has(urn) === true);
  }
}

const newClaims = (): Claims => new Claims();

export function claimsOf(session: Session): ClaimsOfRun {
  return session.part(newClaims);
}

/**
 * Records that a resource manages an object, even if another one does too. Returns another resource that manages the
 * object or parts of it.
 */
export function claim(session: Session, urn: string | undefined, keys: readonly string[]): string | undefined {
  const claims = session.part(newClaims);
  for (const key of keys) claims.add(key, urn ?? "");
  return claims.other(namesOf(keys, { parts: true }), urn);
}

/**
 * Records that a resource owns parts of an object, as others may too. Returns a resource that manages the whole object.
 */
export function claimParts(session: Session, urn: string | undefined, keys: readonly string[]): string | undefined {
  const claims = session.part(newClaims);
  for (const key of keys) claims.add(partsOf(key), urn ?? "");
  return claims.other(keys, urn);
}

/** Whether a resource of this run owns parts of an object. */
export function hasClaimedParts(session: Session, urn: string, keys: readonly string[]): boolean {
  return session.part(newClaims).has(keys.map(partsOf), urn);
}

/** Which claims to an object count: those to the whole of it, or also those to a part. */
interface Extent {
  readonly parts: boolean;
}

/** Another resource of this run that manages an object. */
export function otherClaimant(
  session: Session,
  urn: string | undefined,
  keys: readonly string[],
  extent: Extent,
): string | undefined {
  return session.part(newClaims).other(namesOf(keys, extent), urn);
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
  const names = namesOf(keys, extent);
  const claims = session.part(newClaims);
  const claimant = claims.other(names, urn) ?? (claims.has(names, urn) ? urn : undefined);
  return claimant === undefined ? undefined : reasonOf(claimant, urn);
}

/** The reason in words, given the URN of the resource that manages the object. */
export function reasonOf(claimant: string, urn: string | undefined): string {
  return claimant === urn ? "this run creates it again" : `${claimant} manages it now`;
}
