import { diffRules } from "../../../core/rules/diff.js";
import { keyedRules } from "../../../core/rules/keyed.js";
import { block } from "../../support/rules.js";

test("a ref with the name of an Object.prototype property is new until it is declared", () => {
  const before = keyedRules({ a: block("A", "ssl") }, "a\n");
  const after = keyedRules({ constructor: block("C", "true"), a: block("A", "ssl") }, "constructor\na\n");
  expect(diffRules(before, after)).toMatchObject({ added: ["constructor"], changed: [], unchanged: ["a"] });
});

test("`order` sorts the rules; rules missing from it come last, and refs without a rule are ignored", () => {
  const rules = { a: block("A", "ssl"), b: block("B", "ssl"), c: block("C", "ssl") };
  expect(keyedRules(rules, "c\ngone\na\n").order).toEqual(["c", "a", "b"]);
  expect(keyedRules({}, "gone\n")).toEqual({ rules: {}, order: [] });
});
