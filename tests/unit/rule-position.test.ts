import { placeFor, currentPosition, positionStatus } from "../../core/rules/placing/position.js";
import { refOf } from "../../provider/kinds/rulesets/rule/new-rule.js";

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

test.each([{ before: "a" }, { after: "a" }, { index: 2 }, { before: "" }, { after: "" }])(
  "a rule that has been placed at %j is there",
  (position) => {
    const place = placeFor(rules, position, "id-c") ?? { before: "" };
    const others = rules.slice(0, 2);
    const indexOf = (id: string) => others.findIndex((rule) => rule.id === id);
    const edge = "before" in place ? (place.before === "" ? 0 : indexOf(place.before)) : -1;
    const index =
      "index" in place
        ? place.index - 1
        : "after" in place
          ? place.after === ""
            ? 2
            : indexOf(place.after) + 1
          : edge;
    const moved = others.toSpliced(index, 0, { ref: "c", id: "id-c" });
    expect(positionStatus(moved, "id-c", position)).toBe("satisfied");
  },
);

test("a position that refers to no existing rule has no place", () => {
  expect(placeFor(rules, { before: "x" })).toBeUndefined();
  expect(placeFor(rules, { before: "b" }, "id-b")).toBeUndefined();
});

const urn = (stack: string, name: string) =>
  `urn:pulumi:${stack}::p::pulumi-nodejs:dynamic/rulesets:RulesetRule::${name}`;
test("a ref looks like the resource name, is the same in every run, and different in every stack", () => {
  expect(refOf(urn("dev", "Block /admin"))).toMatch(/^block-admin-[0-9a-f]{8}$/);
  expect(refOf(urn("dev", "Block /admin"))).toBe(refOf(urn("dev", "Block /admin")));
  expect(refOf(urn("dev", "a"))).not.toBe(refOf(urn("prod", "a")));
  expect(refOf(urn("dev", "規則"))).toMatch(/^rule-[0-9a-f]{8}$/);
});
