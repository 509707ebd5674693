import { perRun } from "./session.js";
import { occupiedError } from "../ownership/ruleset-messages.js";
import { failure, type Findings } from "../../core/model/failure.js";
import type { Session } from "./session.js";

/** An object at the service that only one resource of a program may manage. */
export interface Claim {
  /** The keys that identify it within a run. */
  readonly keys: readonly string[];
  /** Why two resources cannot both manage it, given the URN of the other. */
  readonly refusal: (other: string) => string;
}

/** Which claims to an object count: those to the whole of it, to parts of it, or both. */
type Extent = "whole" | "parts" | "any";

/**
 * The claims of one run. The engine creates first and deletes last, in one process, or deletes first if told to. A delete must
 * not be sent for an object that a resource of the program still manages.
 */
export class Claims {
  private readonly byKey = new Map<string, Set<string>>();

  add(keys: readonly string[], urn: string, extent: Extent = "whole"): void {
    for (const key of namesOf(keys, extent)) this.byKey.set(key, (this.byKey.get(key) ?? new Set()).add(urn));
  }

  /** A resource other than this one that claims one of the objects. */
  other(keys: readonly string[], urn: string | undefined, extent: Extent = "whole"): string | undefined {
    // No more than two entries of each are looked at, however many resources share an object.
    for (const key of namesOf(keys, extent))
      for (const claimant of this.byKey.get(key) ?? []) if (claimant !== urn) return claimant;
    return undefined;
  }

  /** Whether a resource claims one of the objects. */
  has(keys: readonly string[], urn: string | undefined, extent: Extent = "whole"): boolean {
    return urn !== undefined && namesOf(keys, extent).some((key) => this.byKey.get(key)?.has(urn) === true);
  }

  /** Another resource that claims one of the objects, or this one if it does: the program creates it again. */
  keeper(keys: readonly string[], urn: string | undefined, extent: Extent = "whole"): string | undefined {
    return this.other(keys, urn, extent) ?? (this.has(keys, urn, extent) ? urn : undefined);
  }
}

/** The keys under which the claims to objects are recorded. */
function namesOf(keys: readonly string[], extent: Extent): readonly string[] {
  if (extent === "whole") return keys;
  return keys.flatMap((key) => (extent === "any" ? [key, `${key}#parts`] : [`${key}#parts`]));
}

/** The claims of a run. */
export const claimsOf = perRun(() => new Claims());

/**
 * Records that a resource manages an object, even if another one does too. Returns another resource that manages the
 * object or parts of it.
 */
export function claim(session: Session, urn: string | undefined, keys: readonly string[]): string | undefined {
  const claims = claimsOf(session);
  claims.add(keys, urn ?? "");
  return claims.other(keys, urn, "any");
}

/**
 * Records that a resource owns parts of an object, as others may too. Returns a resource that manages the whole object.
 */
export function claimParts(session: Session, urn: string | undefined, keys: readonly string[]): string | undefined {
  const claims = claimsOf(session);
  claims.add(keys, urn ?? "", "parts");
  return claims.other(keys, urn);
}

/** Claims an object in `check`, where another resource that manages it is a failure. */
export function checkClaim(session: Session, urn: string | undefined, { keys, refusal }: Claim): Findings {
  if (urn === undefined || urn === "") return [];
  const other = claim(session, urn, keys);
  return other === undefined ? [] : failure([], refusal(other));
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
  const keeper = claimsOf(session).keeper(keys, urn, "any");
  return keeper === undefined ? undefined : reasonOf(keeper, urn);
}

/** The reason in words, given the URN of the resource that manages the object. */
export function reasonOf(claimant: string, urn: string | undefined): string {
  return claimant === urn ? "this run creates it again" : `${claimant} manages it now`;
}
