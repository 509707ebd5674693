import type { Position } from "../../../core/model/position.js";
import { Session } from "../../../provider/engine/session.js";
import { checkPositions } from "../../../provider/kinds/rulesets/positions.js";
import { findingText } from "../../../provider/validation/index.js";

const silent = { info: () => undefined, warn: () => undefined, status: () => undefined };
const client = (): never => {
  throw new Error("nothing is asked of the service");
};

/** Checks single rules of one program in turn, by ref with their positions. Returns the last failure. */
function check(...rules: (readonly [string, Position])[]): string | undefined {
  const session = new Session({ client, reporter: silent });
  const found = rules.map(([ref, position]) =>
    checkPositions(session, "ruleset", {
      ...{ urn: `urn:${ref}`, order: [ref], positions: new Map([[ref, position]]) },
      manages: "rule",
    }),
  );
  return found.at(-1)?.map(findingText).join();
}

test("a rule is not placed beside itself", () => {
  expect(check(["a", { before: "a" }])).toBe("position.before: must name another rule, not the rule itself");
});

test("only one rule can be in a place", () => {
  expect(check(["a", { index: 1 }], ["b", { index: 2 }])).toBe("");
  expect(check(["a", { index: 1 }], ["b", { index: 1 }])).toBe(
    'position: {"index":1} is also the position of urn:a; only one rule can be there',
  );
});

test("rules of a list are placed beside rules of others", () => {
  const session = new Session({ client, reporter: silent });
  const list = { urn: "urn:list", order: ["a", "b"], manages: "rules" as const };
  const found = (positions: readonly (readonly [string, Position])[]): string =>
    checkPositions(session, "ruleset", { ...list, positions: new Map(positions) })
      .map(findingText)
      .join();
  expect(found([["b", { after: "x" }]])).toBe("");
  expect(found([["b", { after: "a" }]])).toContain("must name a rule of somebody else");
  expect(found([["c", { after: "x" }]])).toBe("positions.c: is not the ref of a rule in `rules`");
});
