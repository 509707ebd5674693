import { plural } from "../../model/words.js";
import type { RulesetRule } from "../../model/generated/rule.js";
import { managedRulesetName, managedRulesets, SCORING_RULE } from "../../managed/rulesets.js";
import type { CoreLevel } from "../mapping/core-rule-set.js";

/**
 * Score thresholds of the new core ruleset by their names in the dashboard:
 * https://developers.cloudflare.com/waf/managed-rules/reference/owasp-core-ruleset/concepts/.
 */
const THRESHOLDS: Readonly<Record<number, string>> = { 25: "high", 40: "medium", 60: "low" };

/** Level, threshold and action of a rule that executes the core ruleset; undefined for any other rule. */
export function coreLevel(rule: RulesetRule): CoreLevel | undefined {
  if (rule.actionParameters?.id !== managedRulesets.owaspCore) return undefined;
  const { categories = [], rules = [] } = rule.actionParameters.overrides ?? {};
  const off = new Set(categories.filter(({ enabled }) => enabled === false).map(({ category }) => category));
  const levels = [4, 3, 2, 1].filter((level) => !off.has(`paranoia-level-${String(level)}`));
  const scoring = rules.find(({ id }) => id === SCORING_RULE);
  return {
    paranoiaLevel: levels[0] ?? 0,
    ...(scoring?.scoreThreshold === undefined ? {} : { scoreThreshold: scoring.scoreThreshold }),
    ...(scoring?.action === undefined ? {} : { action: scoring.action }),
  };
}

/** `PL2, score threshold 40 (medium), action log`. */
export function coreWords({ paranoiaLevel, scoreThreshold, action }: CoreLevel): string {
  const name = scoreThreshold === undefined ? undefined : THRESHOLDS[scoreThreshold];
  const threshold =
    scoreThreshold === undefined
      ? []
      : [`score threshold ${String(scoreThreshold)}${name === undefined ? "" : ` (${name})`}`];
  return [`PL${String(paranoiaLevel)}`, ...threshold, ...(action === undefined ? [] : [`action ${action}`])].join(", ");
}

/** A rule in one line: action, target and condition. */
export function plannedWords(rule: RulesetRule): string {
  const description = (rule.description ?? "") === "" ? "" : ` ${JSON.stringify(rule.description)}`;
  const off = rule.enabled === false ? " (disabled)" : "";
  const when = rule.expression === "true" ? "on all requests" : `when ${rule.expression}`;
  return `${actionWords(rule)}${off}${description} ${when}`;
}

function actionWords(rule: RulesetRule): string {
  const { action, actionParameters } = rule;
  if (action === "skip") return `skip ${skippedWords(rule)}`;
  if (action !== "execute" || actionParameters?.id === undefined) return action;
  const level = coreLevel(rule);
  const details = level === undefined ? overrideWords(rule) : coreWords(level);
  return `execute ${rulesetWords(actionParameters.id)}${details === "" ? "" : ` (${details})`}`;
}

/** What a skip rule skips, in its own ruleset or elsewhere. */
function skippedWords({ actionParameters = {} }: RulesetRule): string {
  const { ruleset, rulesets = [], rules = {}, phases = [], products = [], phase } = actionParameters;
  const parts = [
    ...(ruleset === undefined ? [] : ["the rules after it"]),
    ...rulesets.map(rulesetWords),
    ...Object.entries(rules).map(([id, list]) => `${plural(list.length, "rule")} of ${rulesetWords(id)}`),
    ...(phases.length === 0 ? [] : [`phases ${phases.join(", ")}`]),
    ...(phase === undefined ? [] : ["the rest of the phase"]),
    ...(products.length === 0 ? [] : [`products ${products.join(", ")}`]),
  ];
  return parts.join(" and ");
}

function rulesetWords(id: string): string {
  return managedRulesetName(id) ?? `ruleset ${id}`;
}

function overrideWords(rule: RulesetRule): string {
  const { action, enabled, categories = [], rules = [] } = rule.actionParameters?.overrides ?? {};
  const overridden = (list: readonly unknown[], what: string): string[] =>
    list.length === 0 ? [] : [`${plural(list.length, what)} overridden`];
  return [
    ...(action === undefined ? [] : [`all set to ${action}`]),
    ...(enabled === undefined ? [] : [enabled ? "all enabled" : "all disabled"]),
    ...overridden(categories, "tag"),
    ...overridden(rules, "rule"),
  ].join(", ");
}
