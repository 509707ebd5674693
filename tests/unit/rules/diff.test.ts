import { movedRefs } from "../../../core/simulator/moves.js";
import { diffRules, isEmptyDiff } from "../../../core/rules/diff.js";
import { removalWarning, summaryLine } from "../../../core/rules/summary.js";
import { assignRefs } from "../../../core/rules/assign-refs.js";
import type { RulesetRule } from "../../../core/model/generated/rule.js";
import { UNKNOWN } from "../../../core/model/unknown.js";
import { anyRules } from "../../support/any-rules.js";
import { block } from "../../support/rules.js";
import { keyedEntries, type KeyedRules } from "../../../core/rules/keyed.js";
import { NO_RULE } from "../../../core/rules/rule.js";
import { fc, runs } from "../../support/properties.js";

const follow = (rules: readonly RulesetRule[], before?: KeyedRules): KeyedRules => {
  const known = before?.order.map((ref) => ({ ref, rule: before.rules[ref] ?? NO_RULE })) ?? [];
  const { refs } = assignRefs(known, rules);
  return keyedEntries(rules.map((rule, index) => ({ ref: refs[index] ?? "", rule })));
};

test("property: any two lists of rules converge: after one update nothing is left to do", () => {
  fc.assert(
    fc.property(anyRules, anyRules, (before, later) => {
      const first = follow(before);
      const second = follow(later, first);
      expect(second.order).toHaveLength(later.length);
      expect(isEmptyDiff(diffRules(second, follow(later, second)))).toBe(true);
      const diff = diffRules(first, second);
      const all = [
        ...diff.added,
        ...diff.removed,
        ...diff.unchanged,
        ...new Set([...diff.changed.map(({ ref }) => ref), ...diff.moved]),
      ];
      expect(new Set(all).size).toBe(all.length);
      expect(new Set(all)).toEqual(new Set([...first.order, ...second.order]));
    }),
    { numRuns: runs(300) },
  );
});

test("moves as few rules as possible", () => {
  expect(movedRefs(["a", "b", "c", "d"], ["d", "a", "b", "c"])).toEqual(["d"]);
  expect(movedRefs(["a", "b", "c", "d"], ["d", "c", "b", "a"])).toHaveLength(3);
  expect(movedRefs(["a", "b"], ["a", "b"])).toEqual([]);
});

test("one rule before two hundred others is one added rule", () => {
  const many = Array.from({ length: 200 }, (_, index) =>
    block(`Rule ${String(index)}`, `ip.src eq 10.0.0.${String(index)}`),
  );
  const before = follow(many);
  const diff = diffRules(before, follow([block("New", "ssl"), ...many], before));
  expect(summaryLine(diff)).toBe("+1 ~0 -0, 200 unchanged");
});

test("the summary line lists what changed and what moved", () => {
  const rules = [block("A", "ssl"), block("B", "ip.src eq 192.0.2.1"), block("C", "ip.src eq 192.0.2.2")];
  const before = follow(rules);
  const [a, b, c] = rules as [RulesetRule, RulesetRule, RulesetRule];
  const later = follow([c, { ...a, enabled: false }, { ...b, expression: "not ssl" }], before);
  expect(summaryLine(diffRules(before, later))).toBe("+0 ~2 (enabled, expression) -0, 1 moved, 0 unchanged");
});

test("a rule with unknown values counts as changed only when it might differ", () => {
  const before = follow([block("A", "ssl")]);
  const ref = before.order[0] ?? "";
  const diff = diffRules(before, keyedEntries([{ ref, rule: block("A", UNKNOWN) }]));
  expect(diff.unchanged).toEqual([ref]);
  expect(diffRules(before, keyedEntries([{ ref, rule: block("B", UNKNOWN) }])).changed).toEqual([{ ref, fields: [] }]);
});

test("warns when all rules are removed, or more than half", () => {
  const rules = [block("A", "ssl"), block("B", "not ssl"), block("C", "ip.src eq 192.0.2.2")];
  const before = follow(rules);
  const without = (count: number) => diffRules(before, follow(rules.slice(count), before));
  expect(removalWarning(without(3), 3)).toContain("removes every rule (3)");
  expect(removalWarning(without(2), 3)).toContain("removes 2 of 3 rules");
  expect(removalWarning(without(1), 3)).toBeUndefined();
});
