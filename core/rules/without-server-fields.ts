import type { DeployedRule, Ruleset } from "../model/ruleset.js";
import type { RuleInput, RulesetInput } from "../simulator/index.js";

/**
 * Converts a deployed rule to the form a program would use: without the fields that only the service sets, except ID and ref.
 */
export function withoutServerFields(rule: DeployedRule): RuleInput {
  const { version: _version, lastUpdated: _time, categories: _tags, ...written } = rule;
  return written;
}

/** Converts a deployed ruleset to what the analysis and the simulator take. */
export function rulesetInput({ id, name, kind, phase, rules }: Ruleset): RulesetInput {
  return { id, name, kind, phase, rules: rules.map(withoutServerFields) };
}
