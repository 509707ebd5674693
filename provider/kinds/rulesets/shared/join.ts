import { mapFrom } from "../../../model/json.js";
import { parseRule } from "../../../model/parse-rule.js";
import { deployedRuleInfo, type DeployedRule, type Ruleset } from "../../../model/ruleset.js";
import type { Join, JoinedRule } from "../../../ownership/join.js";
import { contentOf } from "../../../rules/content.js";
import { orderText } from "../../../rules/keyed.js";
import type { RulesetState } from "../description.js";
import type { Desired } from "../desired.js";
import { OwnRulesPlan } from "../plan/own-rules.js";
import { parseState } from "../state.js";

/**
 * The plan of a resource that is created in a ruleset that others share: planned like a change, from a state that
 * contains the existing rules that it keeps.
 * @param dropped its own rules that the program no longer declares, and that are to be deleted
 */
export function planJoin(
  desired: Desired,
  existing: Ruleset,
  { kept }: Pick<Join, "kept">,
  dropped: readonly DeployedRule[] = [],
): OwnRulesPlan {
  const order = desired.rules?.order ?? [];
  const named = kept.flatMap(({ index, ...each }) => {
    const ref = order[index];
    return ref === undefined ? [] : [{ ...each, ref }];
  });
  const left = dropped.map((rule) => ({ ref: rule.ref, rule, grounds: "inherited" as const }));
  return new OwnRulesPlan(parseState(stateBefore(desired, existing, [...named, ...left])), desired);
}

/** A rule that is kept, with the program's ref. */
interface NamedJoinedRule extends Pick<JoinedRule, "rule" | "grounds"> {
  readonly ref: string;
}

function stateBefore(
  { secrets: { __secretPaths: secrets }, words }: Desired,
  existing: Ruleset,
  kept: readonly NamedJoinedRule[],
): RulesetState {
  const refOf = new Map(kept.map(({ ref, rule }) => [rule.id, ref]));
  const own = existing.rules.flatMap((rule): (readonly [string, DeployedRule])[] => {
    const ref = refOf.get(rule.id);
    return ref === undefined ? [] : [[ref, rule]];
  });
  const { id, name, phase, description, version, lastUpdated = "" } = existing;
  // The rules around a list say where a rule of it was.
  const rules = words.declaredIn === "list" ? existing.rules : own.map(([, rule]) => rule);
  return {
    name,
    phase,
    description,
    ownership: "shared",
    rules: mapFrom(own.map(([ref, rule]) => [ref, parseRule(contentOf(rule))] as const)),
    order: orderText(own.map(([ref]) => ref)),
    rulesetId: id,
    version,
    lastUpdated,
    deployedRules: rules.map(deployedRuleInfo),
    ruleIds: mapFrom(own.map(([ref, { id: ruleId }]) => [ref, ruleId] as const)),
    // Every existing rule is stored with its content here; the state after the write leaves out rules that are not the
    // program's.
    __answers: mapFrom(rules.map((rule) => [rule.id, contentOf(rule)] as const)),
    __takenOverRules: kept.flatMap(({ ref, grounds }) => (grounds === "equal" ? [ref] : [])),
    ...(secrets === undefined ? {} : { __secretPaths: secrets }),
  };
}
