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

/** Notes that a resource addresses an object, whoever else does. */
export function hold({ owners }: Session, urn: string | undefined, keys: readonly string[]): string | undefined {
  const others = keys.map((key) => owners.hold(key, urn ?? ""));
  return others.find((other) => other !== undefined);
}

/** The same for `check`: another resource that addresses the object is a failure. */
export function claim(session: Session, urn: string | undefined, { keys, refusal }: Claim): Findings {
  if (urn === undefined || urn === "") return NO_FINDINGS;
  const other = hold(session, urn, keys);
  return other === undefined ? NO_FINDINGS : failure([], refusal(other));
}

/** The same where no finding can be told any more. Throws OWNERSHIP_OCCUPIED. */
export function requireClaim(session: Session, urn: string | undefined, { keys, refusal }: Claim): void {
  const other = hold(session, urn, keys);
  if (other !== undefined) throw occupiedError(refusal(other));
}

/** Both names in an order that does not depend on which one came first. */
export function bothUrns(one: string, other: string): string {
  return [one, other].sort().join(" and ");
}

/** Why a delete must not be sent: the program addresses the object, under another resource or under this one again. */
export function stillNeeded(session: Session, keys: readonly string[], urn: string | undefined): string | undefined {
  const holder = keys.map((key) => session.owners.holderOf(key, urn)).find((found) => found !== undefined);
  if (holder === undefined) return undefined;
  return holder === urn ? "it is created again over itself" : `${holder} holds it now`;
}
