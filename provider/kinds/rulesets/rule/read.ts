import type { Session } from "../../../engine/session.js";
import { RulesetsError } from "../../../model/errors.js";
import { parseRuleId, scopeArguments } from "../../../model/ids.js";
import type { RuleState } from "./description.js";
import { targetOf, type RuleTarget } from "./desired.js";
import { findAnchor } from "../position.js";
import { refreshState, stateOfUnmanaged, type Refreshed } from "./state.js";
import { currentRuleset } from "./ruleset.js";

/**
 * Reads the rule in the form of the program's inputs; undefined if it no longer exists. Sends one GET for all rules of
 * a ruleset.
 */
export async function read(
  session: Session,
  id: string,
  state: RuleState | undefined,
  given: Partial<RuleState>,
): Promise<Refreshed | undefined> {
  const { target, ref } = addressOf(id);
  const ruleset = await currentRuleset(session, target);
  if (ruleset === undefined) return undefined;
  if (state === undefined) {
    const rule = findAnchor(ruleset.rules, ref);
    if (rule === undefined) return undefined;
    const whole = stateOfUnmanaged({ ...given, ...placeIn(target) }, ruleset, rule, session.secrets);
    return { inputs: whole, state: whole };
  }
  const rule =
    ruleset.rules.find((each) => each.id === state.ruleId) ?? ruleset.rules.find((each) => each.ref === state.ref);
  return rule === undefined ? undefined : refreshState(state, ruleset, rule, session.secrets);
}

function addressOf(id: string): { readonly target: RuleTarget; readonly ref: string } {
  const parsed = parseRuleId(id);
  if (parsed === undefined)
    throw new RulesetsError(
      `${JSON.stringify(id)} is not a valid ID of this resource: write zones/<zoneId>/phases/<phase>/rules/<ref> or ` +
        "zones/<zoneId>/rulesets/<rulesetId>/rules/<ref>, or the same with accounts/….",
      { code: "CONFIG_INVALID" },
    );
  const { ruleset, ref } = parsed;
  return { target: targetOf(argumentsOf(ruleset)), ref };
}

function argumentsOf(ruleset: NonNullable<ReturnType<typeof parseRuleId>>["ruleset"]) {
  const { scope } = ruleset;
  const level = scopeArguments(scope);
  return ruleset.form === "phase"
    ? { ...level, phase: ruleset.phase }
    : { ...level, rulesetId: ruleset.rulesetId, __byId: true };
}

/** The inputs that identify the ruleset of a rule. */
function placeIn({ scope, rulesetId }: RuleTarget): Partial<RuleState> {
  return {
    ...scopeArguments(scope),
    ...(rulesetId === undefined ? {} : { rulesetId, __byId: true }),
  };
}
