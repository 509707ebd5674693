import { isError } from "../../../core/language/finding.js";
import { isObject, type JsonObject } from "../../../core/model/json.js";
import type { DeployedRule } from "../../../core/model/ruleset.js";
import { decideTakeover } from "../../../provider/ownership/takeover.js";
import { normaliseRule } from "../../../core/rules/normalise.js";
import { pathText, type Path } from "../../../core/model/path.js";
import { checkRules, findingText, type ArgumentFinding } from "../../../provider/validation/index.js";
import type { FoundRule, FoundRuleset } from "../inventory.js";
import { ruleToWrite } from "./rule.js";
import { secretsOf } from "./secrets.js";
import { withoutCheck } from "./unchecked.js";

/** The rules of a ruleset in a program's notation. */
export interface WrittenRules {
  readonly rules: readonly JsonObject[];
  /** Why parts of them are in `wire`, where a preview does not check them. */
  readonly unchecked: readonly string[];
}

/** What stops a program from taking over a rule unchanged. */
interface Obstacle {
  readonly index: number;
  /** In the rule. */
  readonly path: Path;
  readonly reason: string;
}

/**
 * The rules with which the first `pulumi up` of a program writes nothing; or why there are none: a check that its preview would
 * fail, or a field that a program cannot express.
 * @param isServices whether the service returned the rules: then they are right, and what a check refuses is written unchecked
 */
export function writeRules(ruleset: FoundRuleset, isServices: boolean): WrittenRules | string {
  let rules: readonly JsonObject[] = ruleset.rules.map(ruleToWrite);
  const unchecked: string[] = [];
  for (;;) {
    const [obstacle] = obstaclesTo(ruleset, rules);
    if (obstacle === undefined) return { rules, unchecked };
    const { index, path, reason } = obstacle;
    const rule = rules[index];
    const changed = isServices && rule !== undefined ? withoutCheck(rule, path) : undefined;
    if (changed === undefined) return reason;
    rules = rules.with(index, changed);
    // Without the excerpt of the expression below it.
    unchecked.push(reason.split("\n", 1).join(""));
  }
}

function obstaclesTo(ruleset: FoundRuleset, rules: readonly JsonObject[]): readonly Obstacle[] {
  const refused = checkRules(rules, { phase: ruleset.phase, kind: ruleset.kind }).filter(isError);
  if (refused.length > 0) return refused.map((failure) => refusal(failure, rules));
  const wanted = rules.map((rule) => normaliseRule(rule)).filter(isObject);
  const existing = { ...ruleset, id: ruleset.id ?? "", version: "", rules: ruleset.rules.map(deployed) };
  const { changed, dropped } = decideTakeover(existing, wanted, "adopt");
  return [
    ...changed.map(({ rule, fields }) => obstacleAt(ruleset, rule, fields, fields.join(", "))),
    ...dropped.map((rule) => obstacleAt(ruleset, rule, [], "content")),
  ];
}

function refusal(failure: ArgumentFinding, rules: readonly JsonObject[]): Obstacle {
  const [, index, ...path] = failure.path;
  return { index: Number(index), path, reason: refusalText(failure, rules[Number(index)]) };
}

function obstacleAt({ rules }: FoundRuleset, rule: DeployedRule, path: Path, what: string): Obstacle {
  const index = rules.findIndex((one, at) => deployed(one, at).ref === rule.ref);
  return { index, path, reason: `rules[${String(index)}]: a program cannot express its ${what}` };
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
