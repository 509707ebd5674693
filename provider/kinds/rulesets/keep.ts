import { displayFor } from "../../engine/display.js";
import type { DeployedRule, Ruleset } from "../../model/ruleset.js";
import { keptForOthersText } from "../../ownership/shared-messages.js";
import { ledgerOf } from "./ledgers.js";
import type { ParsedState } from "./state.js";
import type { Session } from "../../engine/session.js";
import type { Desired } from "./desired.js";

/**
 * Whether a delete changes nothing, because another resource needs the ruleset or the program says so. Reports the
 * reason.
 */
export function shouldKeepRuleset(
  session: Session,
  { urn, words, policy }: Pick<Desired, "urn" | "words" | "policy">,
  /** Why another resource of the program needs it. */
  keeper: string | undefined,
): boolean {
  const reason = keeper ?? (policy.onDelete === "keep" ? 'onDelete is "keep"' : undefined);
  if (reason === undefined) return false;
  session.reporter.info(urn, `${words.subject} was not deleted: ${reason}. No request was sent.`);
  return true;
}

/** The rules that other resources of the stack own too, and that therefore stay. Reports them. */
export async function ownedElsewhere(
  session: Session,
  { target, urn, where }: Pick<Desired, "target" | "urn" | "where">,
  { state }: Pick<ParsedState, "state">,
  { id: rulesetId, rules }: Pick<Ruleset, "id" | "rules">,
): Promise<readonly DeployedRule[]> {
  const ledger = await ledgerOf(session, { target }, rulesetId);
  const found = rules.flatMap((rule) => {
    const owner = ledger.otherOwnerOf(rule, { urn });
    return owner === undefined ? [] : [{ rule, to: owner }];
  });
  if (found.length > 0) session.reporter.info(urn, `${where}: ${keptForOthersText(found, displayFor(session, state))}`);
  return found.map(({ rule }) => rule);
}
