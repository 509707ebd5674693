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
  const rules = ruleset.rules.map(ruleToWrite);
  const found: Obstacle[] = [];
  for (;;) {
    // One of each rule at a time: the next ones may be gone with it.
    const obstacles = firstOfEachRule(obstaclesTo(ruleset, rules));
    if (obstacles.length === 0) return { rules, unchecked: reasonsOf(found) };
    for (const { index, path, reason } of obstacles) {
      const rule = rules[index];
      const changed = isServices && rule !== undefined ? withoutCheck(rule, path) : undefined;
      if (changed === undefined) return reason;
      rules[index] = changed;
    }
    found.push(...obstacles);
  }
}

function firstOfEachRule(obstacles: readonly Obstacle[]): readonly Obstacle[] {
  return [...Map.groupBy(obstacles, ({ index }) => index).values()].flatMap(([first]) => first ?? []);
}

/** By rule, without the excerpts of expressions below them. */
function reasonsOf(obstacles: readonly Obstacle[]): readonly string[] {
  const sorted = obstacles.toSorted((one, other) => one.index - other.index);
  return sorted.map(({ reason }) => reason.split("\n", 1).join(""));
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
