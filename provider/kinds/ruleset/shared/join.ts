import { valueIfKnown, type Pending } from "../../../model/unknown.js";
import { mapFrom } from "../../../model/json.js";
import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import type { JoinedRule } from "../../../ownership/join.js";
import { parseRule } from "../../../model/parse-rule.js";
import { contentOf } from "../../../rules/content.js";
import { orderText } from "../../../rules/keyed.js";
import type { RulesetDescription, RulesetInputs, RulesetState } from "../description.js";
import { desiredFrom } from "../desired.js";
import { Plan } from "../plan/plan.js";
import { parseState, stateOfUnmanaged } from "../state.js";

/**
 * The plan of a resource that is created in a ruleset that others share: planned like a change, from a state that
 * contains the existing rules that it keeps.
 */
export function planJoin(
  type: RulesetDescription["type"],
  inputs: Pending<RulesetInputs>,
  existing: Ruleset,
  kept: readonly NamedJoinedRule[],
): Plan {
  return new Plan(parseState(stateBefore(type, inputs, existing, kept)), desiredFrom(inputs));
}

/** A rule that is kept, with the program's ref. */
export interface NamedJoinedRule extends Pick<JoinedRule, "rule" | "grounds"> {
  readonly ref: string;
}

function stateBefore(
  type: RulesetDescription["type"],
  inputs: Pending<RulesetInputs>,
  existing: Ruleset,
  kept: readonly NamedJoinedRule[],
): RulesetState {
  const refOf = new Map(kept.map(({ ref, rule }) => [rule.id, ref]));
  const own = existing.rules.flatMap((rule): (readonly [string, DeployedRule])[] => {
    const ref = refOf.get(rule.id);
    return ref === undefined ? [] : [[ref, rule]];
  });
  const {
    __serviceName: _name,
    __serviceDescription: _description,
    ...stranger
  } = stateOfUnmanaged(type, {}, existing);
  const secrets = valueIfKnown(inputs.__secretPaths);
  return {
    ...stranger,
    ownership: "shared",
    rules: mapFrom(own.map(([ref, rule]) => [ref, parseRule(contentOf(rule))] as const)),
    order: orderText(own.map(([ref]) => ref)),
    ruleIds: mapFrom(own.map(([ref, { id }]) => [ref, id] as const)),
    // Every existing rule is stored with its content here; the state after the write leaves out rules that are not the
    // program's.
    __answers: mapFrom(existing.rules.map((rule) => [rule.id, contentOf(rule)] as const)),
    __takenOverRules: kept.flatMap(({ ref, grounds }) => (grounds === "equal" ? [ref] : [])),
    ...(secrets === undefined ? {} : { __secretPaths: secrets }),
  };
}
