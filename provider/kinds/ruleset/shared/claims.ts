import { hold, share } from "../../../engine/claims.js";
import type { Session } from "../../../engine/session.js";
import type { Ownership } from "../../../model/options.js";

/** Notes that a resource addresses a ruleset, alone or beside others. Returns another one that cannot do so beside it. */
export function address(
  session: Session,
  urn: string | undefined,
  keys: readonly string[],
  ownership: Ownership,
): string | undefined {
  return ownership === "shared" ? share(session, urn, keys) : hold(session, urn, keys);
}
