import { withRuleNames } from "../../provider/engine/rule-findings.js";
import { findingText, warning } from "../../provider/validation/index.js";
import { offlineSession } from "../support/offline.js";

/** The texts of a warning at a path, for a resource with these arguments. */
function textOf(args: object, path: readonly (string | number)[], { secret = "", isRule = false } = {}) {
  const session = offlineSession();
  if (secret !== "") session.secrets.add(secret);
  const found = withRuleNames(warning(path, "why"), { session, args: args as never }, isRule);
  return found.map(findingText).join();
}

const rules = [{ description: "Block admin", action: "block", ref: "admin" }, { action: "log" }];

test.each([
  ["a rule of a list", textOf({ rules }, ["rules", 0, "expression"]), 'rule "Block admin", rules[0].expression: why'],
  ["a rule without a name", textOf({ rules }, ["rules", 1]), "rules[1]: why"],
  ["a secret description", textOf({ rules }, ["rules", 0], { secret: "Block admin" }), 'rule "admin", rules[0]: why'],
  ["a resource that is a rule", textOf(rules[0] ?? {}, [], { isRule: true }), 'rule "Block admin": why'],
  ["another argument", textOf({ rules, phase: "x" }, ["phase"]), "phase: why"],
  ["a rule that is in no list", textOf({ rules }, ["rules", 7]), "rules[7]: why"],
])("a finding on %s names it", (_what, text, expected) => {
  expect(text).toBe(expected);
});
