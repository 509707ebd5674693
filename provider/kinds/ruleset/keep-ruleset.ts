import type { Session } from "../../engine/session.js";
import type { RulesetState } from "./description.js";
import type { Desired } from "./desired.js";
import { recordPredecessor } from "./predecessor.js";

/**
 * Whether a delete changes nothing, because another resource needs the ruleset or the program says so. Reports the
 * reason.
 */
export function shouldKeepRuleset(
  session: Session,
  { urn, where, policy }: Pick<Desired, "urn" | "where" | "policy">,
  state: RulesetState,
  /** Why another resource of the program needs it. */
  keeper: string | undefined,
): boolean {
  if (keeper !== undefined) recordPredecessor(session, state);
  const reason = keeper ?? (policy.onDelete === "keep" ? 'onDelete is "keep"' : undefined);
  if (reason === undefined) return false;
  session.reporter.info(urn, `${where} was not deleted: ${reason}. No request was sent.`);
  return true;
}
