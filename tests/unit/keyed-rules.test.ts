import { diffRules } from "../../provider/rules/diff.js";
import { keyedRules } from "../../provider/kinds/ruleset/model.js";
import { block } from "../support/rules.js";

test("a ref that every object inherits is new until it is there", () => {
  const before = keyedRules({ rules: { a: block("A", "ssl") }, order: "a\n" });
  const after = keyedRules({
    rules: { constructor: block("C", "true"), a: block("A", "ssl") },
    order: "constructor\na\n",
  });
  expect(diffRules(before, after)).toMatchObject({ added: ["constructor"], changed: [], unchanged: ["a"] });
});

test("the order names the rules; those it forgets come last, and names without a rule are passed over", () => {
  const rules = { a: block("A", "ssl"), b: block("B", "ssl"), c: block("C", "ssl") };
  expect(keyedRules({ rules, order: "c\ngone\na\n" }).order).toEqual(["c", "a", "b"]);
  expect(keyedRules(undefined)).toEqual({ rules: {}, order: [] });
});
