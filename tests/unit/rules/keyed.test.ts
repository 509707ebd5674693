import { diffRules } from "../../../provider/rules/diff.js";
import { keyedRules } from "../../../provider/rules/keyed.js";
import { block } from "../../support/rules.js";

test("a ref that every object inherits is new until it is there", () => {
  const before = keyedRules({ a: block("A", "ssl") }, "a\n");
  const after = keyedRules({ constructor: block("C", "true"), a: block("A", "ssl") }, "constructor\na\n");
  expect(diffRules(before, after)).toMatchObject({ added: ["constructor"], changed: [], unchanged: ["a"] });
});

test("the order names the rules; those it forgets come last, and names without a rule are passed over", () => {
  const rules = { a: block("A", "ssl"), b: block("B", "ssl"), c: block("C", "ssl") };
  expect(keyedRules(rules, "c\ngone\na\n").order).toEqual(["c", "a", "b"]);
  expect(keyedRules({}, "gone\n")).toEqual({ rules: {}, order: [] });
});
