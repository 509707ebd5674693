import type { RulesetInput } from "../simulator/index.js";
import type { SourceRuleset } from "./loaded.js";

/** The rules of a version in which what only the engine knows is marked: in another version, it may be something else. */
export function withUnknown({ input, isUnknown = false }: SourceRuleset, version: string): RulesetInput {
  const name = input.name ?? input.phase;
  const opaque = `${version} ${name}`;
  if (isUnknown) return { ...input, rules: [{ action: "unknown", description: `the rules of ${name}`, opaque }] };
  const rules = input.rules.map((rule, index) =>
    rule.expression === undefined ? { ...rule, opaque: `${opaque} ${String(index)}` } : rule,
  );
  return { ...input, rules };
}
