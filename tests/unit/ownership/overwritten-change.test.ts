import { findUndoneChange, isSameRuleset, versionsBetween } from "../../../provider/ownership/overwritten-change.js";
import { isConflict } from "../../../provider/ownership/conflict.js";

const rule = (ref: string, more: object = {}) => ({
  id: `id-${ref}`,
  ref,
  version: "1",
  action: "block",
  expression: "true",
  ...more,
});
const at = (version: string, rules = [rule("a")], more: object = {}) => ({
  id: "r",
  version,
  description: "",
  rules,
  ...more,
});

test.each([
  ["the next version", at("7"), at("8"), []],
  ["an unchanged version", at("7"), at("7"), []],
  ["a lower version", at("7"), at("3"), []],
  ["one in between", at("7"), at("9"), ["8"]],
  ["several, the newest first", at("9"), at("13"), ["12", "11", "10"]],
  ["versions that are not numbers", at("a"), at("c"), []],
  ["numbers too large to compare", at("1"), at("9007199254740993"), []],
  ["nothing existed, and the write created it", undefined, at("1"), []],
  ["nothing existed, and someone else created it first", undefined, at("3"), ["2", "1"]],
  ["another ruleset in its place", at("7"), at("2", [], { id: "other" }), ["1"]],
])("versions between: %s", (_, before, answer, between) => {
  expect([...versionsBetween(before, answer)]).toEqual(between);
});

test.each([
  ["a rule that still exists", [rule("a"), rule("b")], [rule("a"), rule("b")], false],
  ["a rule that was deleted", [rule("a"), rule("b", { expression: "ssl" })], [rule("a")], true],
  ["a rule with what was written as well", [rule("a"), rule("x")], [rule("a"), rule("a2", { id: "n" })], false],
  [
    "a rule whose ref was overwritten",
    [rule("a"), rule("x", { id: "theirs", expression: "ssl" })],
    [rule("a"), rule("x")],
    true,
  ],
  ["an edit that is still there", [rule("a", { enabled: false })], [rule("a", { enabled: false })], false],
  ["an edit that was reverted", [rule("a", { enabled: false })], [rule("a")], true],
  ["an edit of a rule that was removed", [rule("a", { enabled: false })], [], true],
  ["a deletion that is still in effect", [], [], false],
  ["a deletion that was reverted", [], [rule("a", { id: "new" })], true],
])("undone: %s", (_, between, answer, expected) => {
  expect(isConflict(findUndoneChange(at("1"), at("2", between), at("3", answer)))).toBe(expected);
});

test("undone: a move and a description", () => {
  const before = at("1", [rule("a"), rule("b", { expression: "ssl" })]);
  const moved = at("2", [...before.rules].reverse(), { description: "Theirs" });
  expect(findUndoneChange(before, moved, { ...before, version: "3" })).toMatchObject({
    moved: [expect.any(String)],
    description: "Theirs",
  });
});

test("compares rules, their order and the description, and ignores IDs and versions", () => {
  expect(isSameRuleset(at("1"), at("9", [rule("a", { id: "other", version: "4" })]))).toBe(true);
  expect(isSameRuleset(at("1"), at("1", [rule("b")]))).toBe(false);
  expect(isSameRuleset(at("1"), at("1", [rule("a"), rule("b")]))).toBe(false);
  expect(isSameRuleset(at("1"), at("1", [rule("a")], { description: "x" }))).toBe(false);
});
