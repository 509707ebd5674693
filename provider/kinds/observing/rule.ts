import type { Checked, CheckRequest } from "../../engine/kind.js";
import { inputsIn } from "../../engine/inputs.js";
import type { Session } from "../../engine/session.js";
import { ruleResourceId } from "../../model/ids.js";
import type { DeployedRule, Ruleset } from "../../model/ruleset.js";
import type { Pending } from "../../model/unknown.js";
import { differencesIn, differencesOf, reportObserved, type Observer } from "./observe.js";
import { currentAt } from "../rulesets/read.js";
import { findAnchor, positionStatus } from "../../rules/placing/position.js";
import { desiredList, inputsOf, listId } from "../rulesets/single-rule.js";
import { checkedRuleInputs, inspectRuleset } from "../rulesets/rule/check.js";
import { RULESET_RULE, type RuleInputs } from "../rulesets/rule/description.js";

/** A single rule that is only observed. */
export const ruleObserver: Observer<typeof RULESET_RULE> = {
  check: checkObserved,
  observe: async (session, inputs) => {
    const ruleset = await readNow(session, inputs);
    const { id: ruleId = inputs.ref, version = "", lastUpdated = "" } = ruleIn(ruleset, inputs) ?? {};
    const state = { ...inputs, ruleId, rulesetId: ruleset?.id ?? inputs.rulesetId ?? "", version, lastUpdated };
    return { id: ruleResourceId(listId(inputs), inputs.ref), state };
  },
  inputsOf: (state) => (state.__byId === true ? inputsIn(RULESET_RULE, state) : inputsOf(state)),
  again: async (session, inputs) => withDifferences(session, inputs, await readNow(session, inputs)),
};

function readNow(session: Session, inputs: RuleInputs): Promise<Ruleset | undefined> {
  return currentAt(session, desiredList(inputs).target);
}

function ruleIn(ruleset: Ruleset | undefined, { ref }: Pending<RuleInputs>): DeployedRule | undefined {
  return typeof ref === "string" ? findAnchor(ruleset?.rules ?? [], ref) : undefined;
}

async function checkObserved(request: CheckRequest<typeof RULESET_RULE>): Promise<Checked<typeof RULESET_RULE>> {
  const { session, urn, olds } = request;
  const { isRead, ruleset, findings } = await inspectRuleset({ ...request, olds: undefined });
  const plain = checkedRuleInputs(request, ruleset);
  const inputs = isRead ? withDifferences(session, plain, ruleset) : { ...plain, ...differencesIn(olds) };
  reportObserved(session, urn, desiredList(plain).words.subject, { isRead, ...differencesIn(inputs) });
  return { inputs, findings };
}

function withDifferences<I extends Pending<RuleInputs>>(
  session: Session,
  inputs: I,
  ruleset: Ruleset | undefined,
): I & { readonly differences: readonly string[] } {
  const desired = desiredList(inputs);
  const rule = ruleIn(ruleset, inputs);
  const found = differencesOf(session, desired, ruleset);
  const position = desired.positions.get(rule?.ref ?? "");
  const isElsewhere =
    ruleset !== undefined &&
    rule !== undefined &&
    position !== undefined &&
    positionStatus(ruleset.rules, rule.id, position) === "elsewhere";
  return { ...inputs, differences: isElsewhere ? [...found, "it is in another place than its position"] : found };
}
