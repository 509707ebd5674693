import { UNKNOWN } from "../../core/model/unknown.js";
import { isOfType } from "../../provider/engine/named-type.js";
import { PHASE_ENTRYPOINT } from "../../provider/kinds/rulesets/description.js";
import { contentFrom, requireKnown } from "../../provider/kinds/rulesets/plan/change.js";
import { keyedRules } from "../../core/rules/keyed.js";

const { type } = PHASE_ENTRYPOINT.checked.rules;
const rule = { action: "block", expression: "ssl" };

test.each([
  [rule, true],
  [{ ...rule, enabled: false, actionParameters: { newer: 1 }, newer: "field" }, true],
  [{ ...rule, enabled: UNKNOWN, actionParameters: UNKNOWN }, true],
  [UNKNOWN, true],
  [{ ...rule, enabled: "yes" }, false],
  [{ ...rule, expression: 1 }, false],
  [{ ...rule, actionParameters: [] }, false],
  [{ ...rule, actionParameters: { newer: [{ deep: null, missing: undefined }, 1.5, UNKNOWN] } }, true],
  [{ ...rule, actionParameters: { newer: [{ deep: new Date(0) }] } }, false],
  [{ ...rule, actionParameters: { newer: () => 1 } }, false],
  [{ ...rule, actionParameters: { newer: Number.NaN } }, false],
  [{ ...rule, ratelimit: { period: Symbol("x") } }, false],
  [{ ...rule, wire: { newer: new Map() } }, false],
  ["block", false],
])("a state has the rule %j: %s", (value, expected) => {
  expect(isOfType(type, { one: value })).toBe(expected);
});

test("a rule that is not known at all has unknown fields in a preview, and is never sent", () => {
  const rules = keyedRules({ one: UNKNOWN }, "one\n");
  const content = contentFrom({ name: undefined, rules }, "");
  expect(content.rules).toEqual([{ action: UNKNOWN, expression: UNKNOWN, ref: "one" }]);
  expect(() => requireKnown(content)).toThrow("unknown values cannot be written");
});
