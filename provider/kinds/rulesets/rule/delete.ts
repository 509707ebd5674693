import type { Session } from "../../../engine/session.js";
import { remove } from "../lifecycle.js";
import { desiredList, listId, parseList } from "../single-rule.js";
import type { RuleState } from "./description.js";
import { recordPredecessor, recordReplacedRule } from "./takeover.js";

/** Deletes a rule, unless another resource of this run still needs it. The ruleset stays. */
export async function deleteRule(session: Session, _id: string, state: RuleState): Promise<void> {
  const desired = desiredList(state);
  await remove(session, listId(state), desired, parseList(state), () => {
    recordPredecessor(session, state);
    // With `deleteBeforeReplace`, it is created again after this.
    if (session.checked.has(desired.urn ?? "")) recordReplacedRule(session, desired.urn, state);
  });
}
