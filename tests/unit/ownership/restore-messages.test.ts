import type { DeployedRule } from "../../../core/model/ruleset.js";
import type { RulesetRule } from "../../../core/model/generated/rule.js";
import { restoredText } from "../../../provider/ownership/restore-messages.js";
import { keyedEntries } from "../../../core/rules/keyed.js";

const shown = {
  shows: () => true,
  rule: (rule: DeployedRule) => rule,
  description: (text: string) => text,
  nameOf: () => undefined,
};
const rules = (...list: (RulesetRule & { ref: string })[]) =>
  keyedEntries(list.map(({ ref, ...rule }) => ({ ref, rule })));
const a = { ref: "a", action: "block", expression: "ssl" };
const b = { ref: "b", action: "log", expression: "true" };
const c = { ref: "c", action: "log", expression: "not ssl" };

test("lists the edits that give the program the rules of the version", () => {
  expect(restoredText("4", rules(c, b, a), rules(a, { ...b, expression: "ssl" }, { ...b, ref: "d" }), shown)).toBe(
    [
      "version 4 is used instead of `rules`, which differ from it. From `rules` to version 4: +1 ~1 (expression) -1, 1 moved, 0 unchanged.",
      "To continue: write the rules of version 4 into `rules`, and remove restoreVersion:",
      "  - add, or replace the existing rule with:",
      "    {",
      '      ref: "b",',
      '      action: "log",',
      '      expression: "ssl",',
      "    },",
      "    {",
      '      ref: "d",',
      '      action: "log",',
      '      expression: "true",',
      "    },",
      "  - remove: c",
      "  - order them: a, b, d",
      "Or just remove restoreVersion to go back to `rules`.",
    ].join("\n"),
  );
});

test("recognises a program with the same rules, however they are written", () => {
  expect(restoredText("4", rules(a), rules({ ...a, expression: "(ssl)" }), shown)).toBe(
    "version 4 is used instead of `rules`, which now match it. To continue: remove restoreVersion; no request will be sent.",
  );
});
