import type { JsonObject } from "../../../core/model/json.js";
import { parsePendingRule, parseRule } from "../../../core/model/parse-rule.js";
import { UNKNOWN } from "../../../core/model/unknown.js";
import { Rule } from "../../../core/rules/rule.js";

const rule = { action: "block", expression: "ssl", actionParameters: { newer: [1] }, newer: "field" };

test("a rule is the same object, so that what was computed for it is found again", () => {
  expect(parseRule(rule)).toBe(rule);
  expect(Rule.of(parseRule(rule))).toBe(Rule.of(rule));
});

test.each([
  ["enabled", "yes", { enabled: "yes" }],
  ["actionParameters", [1], { action_parameters: [1] }],
  ["expression", 1, { expression: 1 }],
  ["exposedCredentialCheck", true, { exposed_credential_check: true }],
])("a field %s with the value %j moves to the raw fields", (name, value, raw) => {
  const wrong: JsonObject = { ...rule, [name]: value, wire: { other: 1 } };
  const { [name]: _wrong, ...rest } = wrong;
  expect(parseRule(wrong)).toEqual({ ...rest, wire: { other: 1, ...raw } });
});

test("the marker stands for any value", () => {
  const pending = { ...rule, enabled: UNKNOWN, actionParameters: UNKNOWN };
  expect(parsePendingRule(pending)).toBe(pending);
  expect(parsePendingRule(UNKNOWN)).toBe(UNKNOWN);
});
