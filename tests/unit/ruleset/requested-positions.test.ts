import type { Position } from "../../../provider/model/position.js";
import { Session } from "../../../provider/engine/session.js";
import { checkPositions } from "../../../provider/kinds/rulesets/shared/positions.js";
import { failureText } from "../../../provider/validation/index.js";

const silent = { info: () => undefined, warn: () => undefined, status: () => undefined };
const client = (): never => {
  throw new Error("nothing is asked of the service");
};

/** Checks a single rule. */
const checkRule = (session: Session, urn: string, ref: string, position: Position) =>
  checkPositions(session, "ruleset", {
    ...{ urn, order: [ref], positions: new Map([[ref, position]]) },
    manages: "rule",
  });

/** Checks rules of one program in turn, by ref with their positions. Returns the last failure. */
function check(...rules: (readonly [string, Position])[]): string | undefined {
  const session = new Session({ client, reporter: silent });
  const found = rules.map(([ref, position]) => checkRule(session, `urn:${ref}`, ref, position));
  return found.at(-1)?.failures.map(failureText).join();
}

test("positions that contradict each other are refused by naming the rules in their order", () => {
  const rules: (readonly [string, Position])[] = [
    ["b", { before: "c" }],
    ["beside", { after: "b" }],
    ["a", { before: "b" }],
    ["c", { before: "a" }],
  ];
  expect(check(...rules.slice(0, 3))).toBe("");
  expect(check(...rules)).toBe(
    "position.before: cannot be satisfied: the positions in this program require c before a before b before c",
  );
  expect(check(["a", { before: "a" }])).toBe("position.before: must name another rule, not the rule itself");
});

test("only one rule can be in a place", () => {
  expect(check(["a", { index: 1 }], ["b", { index: 2 }])).toBe("");
  expect(check(["a", { index: 1 }], ["b", { index: 1 }])).toBe(
    'position: {"index":1} is also the position of urn:a; only one rule can be there',
  );
});

describe.each([
  ["the first rule first", (index: number) => index],
  ["the last rule first", (index: number, count: number) => count - 1 - index],
])("a long chain that is declared with %s", (_, placeOf) => {
  const count = 300;
  const name = (place: number): string => `r${String(place)}`;
  const chain = (by: "before" | "after"): (readonly [string, Position])[] =>
    Array.from({ length: count }, (_item, index) => {
      const place = placeOf(index, count);
      return [name(place), by === "after" ? { after: name(place - 1) } : { before: name(place + 1) }] as const;
    });

  test.each(["before", "after"] as const)("takes a few lookups for each rule, with %s", (by) => {
    const get = jest.spyOn(Map.prototype, "get");
    const failures = check(...chain(by));
    const lookUps = get.mock.calls.length;
    get.mockRestore();
    expect(failures).toBe("");
    expect(lookUps).toBeLessThanOrEqual(30 * count);
  });

  test("is a cycle when its end comes before its start", () => {
    const rules = chain("after").filter(([ref]) => ref !== "r0");
    expect(check(...rules, ["r0", { after: name(count - 1) }])).toContain("the positions in this program require");
    expect(check(["r0", { after: name(count - 1) }], ...rules)).toContain("the positions in this program require");
  });
});

test("many rules on both sides of one rule take a few lookups each", () => {
  const count = 300;
  const sides = ["after", "before"].flatMap((side) =>
    Array.from({ length: count / 2 }, (_, index) => [`${side}-${String(index)}`, { [side]: "middle" }] as const),
  );
  const set = jest.spyOn(Map.prototype, "set");
  const failures = check(...(sides as (readonly [string, Position])[]));
  const writes = set.mock.calls.length;
  set.mockRestore();
  expect(failures).toBe("");
  expect(writes).toBeLessThanOrEqual(30 * count);
});

test("the order of a list counts where its rules have positions", () => {
  const session = new Session({ client, reporter: silent });
  checkRule(session, "urn:x", "x", { before: "a" });
  const list = { urn: "urn:list", order: ["a", "b"], manages: "rules" as const };
  const found = (positions: readonly (readonly [string, Position])[]): string =>
    checkPositions(session, "ruleset", { ...list, positions: new Map(positions) })
      .failures.map(failureText)
      .join();
  expect(found([["b", { after: "x" }]])).toBe("");
  expect(found([["b", { before: "x" }]])).toBe(
    "positions.b.before: cannot be satisfied: the positions in this program require b before x before a before b",
  );
  expect(found([["b", { after: "a" }]])).toContain("must name a rule of somebody else");
  expect(found([["c", { after: "x" }]])).toBe("positions.c: is not the ref of a rule in `rules`");
});
