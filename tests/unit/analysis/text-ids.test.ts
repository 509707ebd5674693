import { containing, oneOf } from "../../../core/analysis/text/literals.js";
import { TextIds } from "../../../core/analysis/text/text-ids.js";

const ids = (...sets: readonly (readonly string[])[]): number[] => {
  const known = new TextIds();
  return sets.map((strings) => known.of(oneOf(new Set(strings))));
};

test("equal sets have equal IDs, whatever the order of their strings", () => {
  expect(ids(["a", "b", "c"], ["c", "a", "b"], ["b", "c", "a"])).toEqual([1, 1, 1]);
});

test.each<[string, readonly string[], readonly string[]]>([
  ["another smallest string", ["a", "c"], ["b", "c"]],
  ["another number of strings", ["a", "b"], ["a"]],
  ["the same number of strings and the same smallest one", ["a", "b"], ["a", "c"]],
  ["none", ["a"], []],
  ["a string that looks like two", ["a", "b"], ["a b"]],
])("sets with %s have different IDs", (_, one, other) => {
  const [a, b, again] = ids(one, other, one);
  expect(a).not.toBe(b);
  expect(again).toBe(a);
});

test("other sets of strings have the ID of their key", () => {
  const known = new TextIds();
  const [a, b, c] = [containing("a"), containing("a"), containing("b")].map((base) => known.of(base));
  expect(b).toBe(a);
  expect(c).not.toBe(a);
});
