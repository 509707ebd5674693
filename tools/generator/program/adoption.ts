import { isError } from "../../../core/language/finding.js";
import { isObject, type JsonObject } from "../../../core/model/json.js";
import type { DeployedRule } from "../../../core/model/ruleset.js";
import { decideTakeover } from "../../../provider/ownership/takeover.js";
import { normaliseRule } from "../../../core/rules/normalise.js";
import { pathText, type Path } from "../../../core/model/path.js";
import { checkRules, findingText, type ArgumentFinding } from "../../../provider/validation/index.js";
import { obstacleOf, withoutChecks, type Obstacle } from "../../../provider/validation/unchecked.js";
import type { FoundRule, FoundRuleset } from "../inventory.js";
import { ruleToWrite } from "./rule.js";
import { secretsOf } from "./secrets.js";

/** The rules of a ruleset in a program's notation. */
export interface WrittenRules {
  readonly rules: readonly JsonObject[];
  /** Why parts of them are in `wire`, where a preview does not check them. */
  readonly unchecked: readonly string[];
}

interface Reason extends Obstacle {
  readonly reason: string;
}

/**
 * The rules with which the first `pulumi up` of a program writes nothing; or why there are none: a field that a program cannot express,
 * or, of rules that the service does not have yet, a check that a preview would fail. What the service has is right, so what a check
 * refuses of it is written unchecked.
 */
export function writeRules(ruleset: FoundRuleset): WrittenRules | string {
  const written = ruleset.rules.map(ruleToWrite);
  const [first] = ruleset.id === undefined ? obstaclesTo(ruleset, written) : [];
  if (first !== undefined) return first.reason;
  const { rules, moved, left } = withoutChecks(written, (now) => obstaclesTo(ruleset, now));
  return left === undefined ? { rules, unchecked: reasonsOf(moved) } : left.reason;
}

/** By rule, without the excerpts of expressions below them. */
function reasonsOf(obstacles: readonly Reason[]): readonly string[] {
  const sorted = obstacles.toSorted((one, other) => one.index - other.index);
  return sorted.map(({ reason }) => reason.split("\n", 1).join(""));
}

function obstaclesTo(ruleset: FoundRuleset, rules: readonly JsonObject[]): readonly Reason[] {
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

function refusal(failure: ArgumentFinding, rules: readonly JsonObject[]): Reason {
  const obstacle = obstacleOf(failure);
  return { ...obstacle, reason: refusalText(failure, rules[obstacle.index]) };
}

function obstacleAt({ rules }: FoundRuleset, rule: DeployedRule, path: Path, what: string): Reason {
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
