import type { DeployedRule } from "../model/ruleset.js";
import type { RuleInput } from "../../simulator/index.js";

/**
 * Converts a deployed rule to the form a program would use: without the fields that only the service sets, except ID and ref.
 */
export function withoutServerFields(rule: DeployedRule): RuleInput {
  const { version: _version, lastUpdated: _time, categories: _tags, ...written } = rule;
  return written;
}
