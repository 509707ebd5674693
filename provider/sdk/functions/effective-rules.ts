import { scopeWords, shortRulesetId } from "../../../core/model/ids.js";
import { isObject, type JsonObject } from "../../../core/model/json.js";
import { parseRule } from "../../../core/model/parse-rule.js";
import { inOurNames } from "../../../core/model/spelling.js";
import type { AnyRule } from "../resources/generated/inputs.js";
import { applyOverrides as effective, type EffectiveRule } from "../../../core/managed/apply-overrides.js";
import { checkId } from "../../validation/checks/ids.js";
import { checkSpelling } from "../../validation/checks/spelling.js";
import { failure, type Findings } from "../../../core/model/failure.js";
import { readRulesetById, orIfMissing } from "./rulesets.js";
import { anyObject } from "../../engine/named-type.js";
import { LEVEL, notFound, requireValid, SCOPE, scopeOf, type ScopeArgs } from "./arguments.js";
import { asOutput, isOutput, lookup } from "./lookup.js";
import { EFFECTIVE_RULE, listOf } from "./results.js";

/** Arguments of {@link effectiveRules}. */
export interface EffectiveRulesArgs extends ScopeArgs {
  /** A rule with action `execute`, as in a program, without outputs. */
  readonly rule: AnyRule;
}

/**
 * What each rule of a managed ruleset does when a rule executes the ruleset with overrides: action, whether it is enabled,
 * sensitivity, score threshold, and which override applies. All lookups of a run share one read of the ruleset.
 *
 * @example
 * ```ts
 * const rules = await effectiveRules({ zoneId, rule: owasp({ paranoiaLevel: 2 }) });
 * console.log(rules.filter(({ enabled }) => enabled).length, "rules run");
 * ```
 */
export const effectiveRules = lookup<EffectiveRulesArgs, EffectiveRule[]>(
  {
    name: "effectiveRules",
    text: "What each rule of a managed ruleset does when a rule executes the ruleset with overrides.",
    exactlyOneOf: [LEVEL],
    arguments: {
      ...SCOPE,
      rule: { type: anyObject<JsonObject>("ExecuteRule"), text: "A rule with action `execute`.", required: true },
    },
    result: { rules: listOf(EFFECTIVE_RULE, "The rules.") },
  },
  async (args, via) => {
    // The rule is an input of a program, but its outputs have been resolved.
    const rule = isObject(args.rule) ? inOurNames(args.rule) : args.rule;
    requireValid("effectiveRules", checkSpelling(rule, ["rule"]), checkExecute(rule));
    const { id = "", overrides } = (isObject(rule) ? parseRule(rule).actionParameters : undefined) ?? {};
    const scope = scopeOf(args);
    const rulesetId = shortRulesetId(id);
    const { rules } = await orIfMissing(readRulesetById(via, scope, rulesetId), () =>
      Promise.resolve(
        notFound(`ruleset ${rulesetId}, which the rule executes, is not visible in ${scopeWords(scope)}.`),
      ),
    );
    return effective(rules, overrides);
  },
);

/** {@link effectiveRules} with outputs, in the rule too. */
export const effectiveRulesOutput = asOutput(effectiveRules);

function checkExecute(rule: unknown): Findings {
  if (!isObject(rule) || rule.action !== "execute") return failure(["rule"], 'must be a rule with action "execute"');
  const parameters = isObject(rule.actionParameters) ? rule.actionParameters : {};
  const path = ["rule", "actionParameters", "id"];
  const { id } = parameters;
  if (isOutput(id) || isOutput(rule.actionParameters)) return failure(path, "is an output; use effectiveRulesOutput");
  return checkId(path, typeof id === "string" ? shortRulesetId(id) : id);
}
