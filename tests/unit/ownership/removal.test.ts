import type { DeployedRule } from "../../../core/model/ruleset.js";
import { UNKNOWN } from "../../../core/model/unknown.js";
import { findRemoved, isWithinLimit, removalError } from "../../../provider/ownership/removal.js";

const rule = (ref: string, expression = `http.host eq "${ref}"`): DeployedRule => ({
  ...{ id: ref, ref, version: "1", action: "block", description: ref, expression },
});
const there = ["a", "b", "c"].map((ref) => rule(ref));
const [a, b, c] = there as [DeployedRule, DeployedRule, DeployedRule];

test.each<[string, readonly Partial<DeployedRule>[], string]>([
  ["nothing", there, ""],
  ["what is no longer declared", [a], "b c"],
  ["every rule", [], "a b c"],
  ["no rule that changes under its ref", [{ ...a, expression: "true" }, { ...b, enabled: false }, c], ""],
  ["no rule that moves", [c, a, b], ""],
  ["no rule that gets another ref", [{ ...a, ref: "x" }, b, c], ""],
  ["no rule that gets another ref and description", [{ ...a, ref: "x", description: "other" }, b, c], ""],
  ["a rule replaced by a different one", [{ ...a, ref: "x", expression: "ssl" }, b, c], "a"],
  ["one rule while another gets a new ref", [{ ...a, ref: "x" }, c], "b"],
  ["a rule when one with only unknown values is added", [b, c, { ref: "x", expression: UNKNOWN }], "a"],
])("removes %s", (_, after, removed) => {
  expect(findRemoved(there, after)).toEqual({
    removed: there.filter(({ ref }) => removed.split(" ").includes(ref)),
    before: 3,
  });
});

test("one remaining rule counts for one of two equal rules", () => {
  const twins = [rule("a", "ssl"), rule("b", "ssl")];
  expect(findRemoved(twins, [rule("x", "ssl")]).removed).toEqual([twins[1]]);
});

test.each<[number, number, number | undefined, boolean]>([
  [4, 4, undefined, true],
  [4, 4, 100, true],
  [4, 4, 99.9, false],
  [1, 1, 99, false],
  [2, 4, 50, true],
  [3, 4, 50, false],
  [0, 4, 0, true],
  [1, 1000, 0, false],
  [0, 0, 0, true],
])("%d of %d under a limit of %p: %p", (count, before, limit, allowed) => {
  const removed = Array.from({ length: count }, (_, index) => rule(String(index)));
  expect(isWithinLimit({ removed, before }, limit)).toBe(allowed);
});

test.each([
  ["change", "put them back into `rules`", "`RULESETS_MAX_REMOVED_PERCENT=100 pulumi up`"],
  ["takeover", "`npx pulumi-rulesets versions show` prints them", "`RULESETS_MAX_REMOVED_PERCENT=100 pulumi up`"],
  ["replacement", "leave the zone, the phase and the name", "`RULESETS_MAX_REMOVED_PERCENT=100 pulumi up`"],
  ["delete", 'onDelete: "keep" first', "`RULESETS_MAX_REMOVED_PERCENT=100 pulumi destroy` (or `up`)"],
] as const)("a stopped %s explains how to keep the rules, and how to continue", (doing, keep, command) => {
  const shown = {
    shows: () => true,
    rule: (one: DeployedRule) => one,
    description: (text: string) => text,
    nameOf: () => undefined,
  };
  const { message } = removalError("x", { removed: there, before: 3 }, { maxPercent: 0, operation: doing }, shown);
  expect(message).toContain(`this ${doing} removes every rule (3), 100 percent`);
  for (const part of [keep, command]) expect(message).toContain(part);
});

test("the message shows each rule with its secrets hidden, and the lowest limit that allows the run", () => {
  const shown = {
    shows: () => true,
    rule: (one: DeployedRule) => ({ ...one, expression: "[secret]" }),
    description: (text: string) => text,
    nameOf: () => undefined,
  };
  const { code, message } = removalError(
    "http_ratelimit of zone z",
    { removed: [a, b], before: 3 },
    { maxPercent: 20, operation: "change" },
    shown,
  );
  expect(code).toBe("REMOVAL_STOPPED");
  expect(message).toBe(
    [
      "http_ratelimit of zone z: this change removes 2 of 3 rules, 66 percent, and maxRemovedPercent is 20:",
      '  - block "a" when [secret] [ref a]',
      '  - block "b" when [secret] [ref b]',
      "Nothing was written. To continue:",
      "  - keep them: put them back into `rules`; a list that is read from elsewhere may be incomplete",
      "  - remove them, for this one run: `RULESETS_MAX_REMOVED_PERCENT=67 pulumi up`",
    ].join("\n"),
  );
});
