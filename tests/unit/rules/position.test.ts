import { placeFor, currentPosition, positionStatus } from "../../../core/rules/placing/position.js";

const rules = ["a", "b", "c"].map((ref) => ({ ref, id: `id-${ref}` }));

test.each([
  [{ before: "" }, ["satisfied", "elsewhere", "elsewhere"]],
  [{ after: "" }, ["elsewhere", "elsewhere", "satisfied"]],
  [{ before: "b" }, ["satisfied", "elsewhere", "elsewhere"]],
  [{ before: "c" }, ["satisfied", "satisfied", "elsewhere"]],
  [{ after: "id-a" }, ["elsewhere", "satisfied", "satisfied"]],
  [{ index: 2 }, ["elsewhere", "satisfied", "elsewhere"]],
  [{ index: 7 }, ["elsewhere", "elsewhere", "satisfied"]],
  [{ before: "x" }, ["missing", "missing", "missing"]],
] as const)("%j is judged for each of three rules", (position, expected) => {
  expect(rules.map(({ id }) => positionStatus(rules, id, position))).toEqual(expected);
});

test.each([
  [{ before: "" }, { before: "" }, { index: 2 }],
  [{ after: "" }, { after: "" }, { index: 2 }],
  [{ before: "a" }, { before: "id-a" }, { after: "a" }],
  [{ after: "c" }, { after: "id-c" }, { before: "c" }],
  [{ index: 1 }, { index: 1 }, { index: 2 }],
  [{ index: 9 }, { index: 3 }, { index: 2 }],
] as const)("%j moves a rule in the middle to %j, and reads %j until then", (position, place, now) => {
  expect(placeFor(rules, position, "id-b")).toEqual(place);
  expect(currentPosition(rules, "id-b", position)).toEqual(now);
});

test("a position that refers to no existing rule has no place", () => {
  expect(placeFor(rules, { before: "x" })).toBeUndefined();
  expect(placeFor(rules, { before: "b" }, "id-b")).toBeUndefined();
});
