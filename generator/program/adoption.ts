import { isError } from "../../language/finding.js";
import { isObject, type JsonObject } from "../../provider/model/json.js";
import type { DeployedRule } from "../../provider/model/ruleset.js";
import { decideTakeover } from "../../provider/ownership/takeover.js";
import { normaliseRule } from "../../provider/rules/normalise.js";
import { pathText } from "../../provider/model/path.js";
import { checkRules, findingText, type ArgumentFinding } from "../../provider/validation/index.js";
import type { FoundRule, FoundRuleset } from "../inventory.js";
import { secretsOf } from "./secrets.js";

/**
 * Why a program with these rules could not take over the ruleset unchanged: a check that its preview would fail, or a field
 * that a program cannot express. Undefined if the first `pulumi up` would write nothing.
 */
export function reasonNotAdoptable(ruleset: FoundRuleset, rules: readonly JsonObject[]): string | undefined {
  const failure = checkRules(rules, { phase: ruleset.phase, kind: ruleset.kind }).find(isError);
  if (failure !== undefined) return refusalText(failure, rules[Number(failure.path[1])]);
  const wanted = rules.map((rule) => normaliseRule(rule)).filter(isObject);
  const existing = { ...ruleset, id: ruleset.id ?? "", version: "", rules: ruleset.rules.map(deployed) };
  const { changed, dropped } = decideTakeover(existing, wanted, "adopt");
  const [change] = changed;
  if (change !== undefined)
    return `${place(ruleset, change.rule)}: a program cannot express its ${change.fields.join(", ")}`;
  const [drop] = dropped;
  return drop === undefined ? undefined : `${place(ruleset, drop)}: a program cannot express it`;
}

/**
 * Why a preview rejects a rule. Messages of checks quote the rejected value, so they are not shown if the rule contains a
 * secret.
 */
export function refusalText(failure: ArgumentFinding, rule: JsonObject | undefined): string {
  if (rule === undefined || secretsOf(rule).length === 0) return findingText(failure);
  return `${pathText(failure.path)}: a preview rejects it; the reason is not shown, because the rule contains what looks like a secret`;
}

function deployed(rule: FoundRule, index: number): DeployedRule {
  const id = rule.id ?? `rule ${String(index)}`;
  return { version: "", action: "", ...rule, id, ref: rule.ref === undefined || rule.ref === "" ? id : rule.ref };
}

function place({ rules }: FoundRuleset, rule: DeployedRule): string {
  return `rules[${String(rules.findIndex((one, index) => deployed(one, index).ref === rule.ref))}]`;
}
