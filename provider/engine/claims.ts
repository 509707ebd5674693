import { occupiedError } from "../ownership/messages.js";
import { failure, NO_FINDINGS, type Findings } from "../validation/index.js";
import type { Session } from "./session.js";

/** An object at the service that one resource of a program alone may be in charge of. */
export interface Claim {
  /** The names under which a run knows it. */
  readonly keys: readonly string[];
  /** Why two resources cannot both have it, by the other one's URN. */
  readonly refusal: (other: string) => string;
}

/** Notes that a resource addresses an object, whoever else does. Returns another one that does so, or to parts of it. */
export function claim({ owners }: Session, urn: string | undefined, keys: readonly string[]): string | undefined {
  const others = keys.flatMap((key) => [owners.claim(key, urn ?? ""), owners.otherClaimant(partsOf(key), urn)]);
  return others.find((other) => other !== undefined);
}

/** Notes that a resource owns parts of an object, as others may too. Returns one that is in charge of the whole of it. */
export function claimParts({ owners }: Session, urn: string | undefined, keys: readonly string[]): string | undefined {
  for (const key of keys) owners.claim(partsOf(key), urn ?? "");
  return keys.map((key) => owners.otherClaimant(key, urn)).find((other) => other !== undefined);
}

/** Whether a resource of this run owns parts of an object. */
export function hasClaimedParts({ owners }: Session, urn: string, keys: readonly string[]): boolean {
  return keys.some((key) => owners.isClaimedBy(partsOf(key), urn));
}

/** The name under which a run knows who owns parts of an object. */
function partsOf(key: string): string {
  return `${key}#parts`;
}

/** The same for `check`: another resource that addresses the object is a failure. */
export function checkClaim(session: Session, urn: string | undefined, { keys, refusal }: Claim): Findings {
  if (urn === undefined || urn === "") return NO_FINDINGS;
  const other = claim(session, urn, keys);
  return other === undefined ? NO_FINDINGS : failure([], refusal(other));
}

/** The same where no finding can be told any more. Throws OWNERSHIP_OCCUPIED. */
export function requireClaim(session: Session, urn: string | undefined, { keys, refusal }: Claim): void {
  const other = claim(session, urn, keys);
  if (other !== undefined) throw occupiedError(refusal(other));
}

/** Both names in an order that does not depend on which one came first. */
export function bothUrns(one: string, other: string): string {
  return [one, other].sort().join(" and ");
}

/** Why a delete must not be sent: the program addresses the object, under another resource or under this one again. */
export function stillNeeded(session: Session, keys: readonly string[], urn: string | undefined): string | undefined {
  const names = keys.flatMap((key) => [key, partsOf(key)]);
  const holder = names.map((name) => session.owners.claimantOf(name, urn)).find((found) => found !== undefined);
  if (holder === undefined) return undefined;
  return holder === urn ? "this run creates it again" : `${holder} manages it now`;
}
