import type { RulesetInput } from "./ruleset-input.js";

/**
 * A ruleset in which what only the engine knows is marked, so that what it does to requests is unknown: a rule for rules that are
 * not known at all, and a mark at each rule whose expression is not.
 * @param version what has them: the values of another version may be others
 */
export function withUnknown(ruleset: RulesetInput, isUnknown: boolean, version: string): RulesetInput {
  const name = ruleset.name ?? ruleset.phase;
  const opaque = `${version} ${name}`;
  if (isUnknown) return { ...ruleset, rules: [{ action: "unknown", description: `the rules of ${name}`, opaque }] };
  const rules = ruleset.rules.map((rule, index) =>
    rule.expression === undefined ? { ...rule, opaque: `${opaque} ${String(index)}` } : rule,
  );
  return { ...ruleset, rules };
}
