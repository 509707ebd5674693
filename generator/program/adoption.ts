import { isObject, type JsonObject } from "../../provider/model/json.js";
import type { DeployedRule } from "../../provider/model/ruleset.js";
import { decideTakeover } from "../../provider/ownership/takeover.js";
import { normaliseRule } from "../../provider/rules/normalise.js";
import { pathText } from "../../provider/model/path.js";
import { checkRules, failureText, type Failure } from "../../provider/validation/index.js";
import type { FoundRule, FoundRuleset } from "../inventory.js";
import { secretsOf } from "./secrets.js";

/**
 * Why a program with these rules could not take the ruleset over as it stands: a check that its preview would make, or a
 * field that a program cannot say. Undefined where the first `pulumi up` sends nothing.
 */
export function hindrance(ruleset: FoundRuleset, rules: readonly JsonObject[]): string | undefined {
  const { failures } = checkRules(rules, { phase: ruleset.phase, kind: ruleset.kind });
  const [failure] = failures;
  if (failure !== undefined) return refusalText(failure, rules[Number(failure.path[1])]);
  const wanted = rules.map((rule) => normaliseRule(rule)).filter(isObject);
  const existing = { ...ruleset, id: ruleset.id ?? "", version: "", rules: ruleset.rules.map(deployed) };
  const { changed, dropped } = decideTakeover(existing, wanted, "adopt");
  const [change] = changed;
  if (change !== undefined)
    return `${place(ruleset, change.rule)}: a program cannot say its ${change.fields.join(", ")} as it is`;
  const [drop] = dropped;
  return drop === undefined ? undefined : `${place(ruleset, drop)}: a program cannot say it as it is`;
}

/** Why a preview refuses a rule. What a check says quotes what it refuses, so that nothing is quoted beside a secret. */
export function refusalText(failure: Failure, rule: JsonObject | undefined): string {
  if (rule === undefined || secretsOf(rule).length === 0) return failureText(failure);
  return `${pathText(failure.path)}: a preview refuses it; the reason is not shown, since the rule holds what looks like a secret`;
}

function deployed(rule: FoundRule, index: number): DeployedRule {
  const id = rule.id ?? `rule ${String(index)}`;
  return { version: "", action: "", ...rule, id, ref: rule.ref === undefined || rule.ref === "" ? id : rule.ref };
}

function place({ rules }: FoundRuleset, rule: DeployedRule): string {
  return `rules[${String(rules.findIndex((one, index) => deployed(one, index).ref === rule.ref))}]`;
}
