import type { Session } from "./session.js";

/** Why a delete must not be sent: the program addresses the object, under another resource or under this one again. */
export function stillNeeded(session: Session, keys: readonly string[], urn: string | undefined): string | undefined {
  const holder = keys.map((key) => session.owners.holderOf(key, urn)).find((found) => found !== undefined);
  if (holder === undefined) return undefined;
  return holder === urn ? "it is created again over itself" : `${holder} holds it now`;
}
