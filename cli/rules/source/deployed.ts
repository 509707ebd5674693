import type { DeployedRule } from "../../../provider/client/index.js";
import type { RuleInput } from "../../../simulator/index.js";

/** A rule of an answer as a program would write it: what only the service knows is gone, but for ID and ref. */
export function withoutServerFields(rule: DeployedRule): RuleInput {
  const { version: _version, lastUpdated: _time, categories: _tags, ...written } = rule;
  return written;
}
