import type { Session } from "../../../engine/session.js";
import { ruleResourceId } from "../../../model/ids.js";
import { changePartialState } from "../../../engine/recover.js";
import type { RulesetState } from "../description.js";
import { beginCreate } from "../ledgers.js";
import { withReleasedElsewhere } from "../released.js";
import { createShared } from "../shared/create.js";
import { createdHalfway, desiredList, listId, listInputs, ruleState } from "../single-rule.js";
import type { RuleInputs, RuleState } from "./description.js";
import { placeOfRule } from "./takeover.js";
import { asRule, requireRule } from "./update.js";

/** Adds a rule to a ruleset, creating the entry point if there is none, or takes over the rule that has its ref. */
export async function create(
  session: Session,
  inputs: RuleInputs,
): Promise<{ readonly id: string; readonly state: RuleState }> {
  const desired = desiredList(inputs);
  const { urn, words } = desired;
  beginCreate(session, urn);
  const complete = (list: RulesetState): Promise<RulesetState> => withReleasedElsewhere(session, urn, list);
  const make = async (): Promise<RulesetState> =>
    (await createShared(session, placeOfRule(session, inputs), desired, listInputs(inputs))).state;
  const id = ruleResourceId(listId(inputs), inputs.ref);
  const list = await asRule(
    id,
    async () => complete(await changePartialState(make, complete)),
    (half) => createdHalfway(inputs, half),
  );
  return { id, state: requireRule(words.subject, ruleState(inputs, list)) };
}
