import { assignRefs } from "../../../provider/rules/assign-refs.js";
import { deriveRef, slug } from "../../../provider/rules/derive-ref.js";
import { findMatches, matchRules } from "../../../provider/rules/match.js";
import { Rule, isSameMeaning } from "../../../provider/rules/rule.js";
import type { RulesetRule } from "../../../provider/model/generated/rule.js";
import { UNKNOWN } from "../../../provider/model/unknown.js";
import { anyRule, anyRules } from "../../support/any-rules.js";
import { block } from "../../support/rules.js";
import { fc, runs } from "../../support/properties.js";

const known = (rules: readonly RulesetRule[], refs: readonly string[]) =>
  rules.map((rule, index) => ({ ref: refs[index] ?? "", rule: Rule.of(rule) }));
const values = (...rules: readonly RulesetRule[]) => rules.map((rule) => Rule.of(rule));
const refsOf = (rules: readonly RulesetRule[]): readonly string[] => assignRefs([], rules).refs;
/** The refs of a list that replaces another one. */
const carried = (before: readonly RulesetRule[], after: readonly (RulesetRule | string)[]) =>
  assignRefs(known(before, refsOf(before)), after).refs;

const rules = [
  block("Block admin", 'http.request.uri.path eq "/admin"'),
  block("Block scanners", 'http.user_agent contains "scan"'),
  block("", "ip.src eq 192.0.2.1"),
  block("", "ip.src eq 192.0.2.2", { action: "log" }),
];
const [admin, scanners, one, two] = refsOf(rules) as [string, string, string, string];

describe("a rule keeps its ref", () => {
  const at = (index: number): RulesetRule => rules[index] as RulesetRule;
  test.each<[string, (RulesetRule | string)[], string[]]>([
    ["when nothing changes", rules, [admin, scanners, one, two]],
    ["when rules are reversed", rules.toReversed(), [two, one, scanners, admin]],
    ["when one is inserted at the top", [block("New", "ssl"), ...rules], ["new-", admin, scanners, one, two]],
    ["when one is removed", [at(0), at(2), at(3)], [admin, one, two]],
    ["when its expression changes", [{ ...at(0), expression: "ssl" }, ...rules.slice(1)], [admin, scanners, one, two]],
    [
      "when its description changes",
      [{ ...at(0), description: "Other" }, ...rules.slice(1)],
      [admin, scanners, one, two],
    ],
    ["when it is disabled", [{ ...at(0), enabled: false }, ...rules.slice(1)], [admin, scanners, one, two]],
    [
      "when its action changes",
      [{ ...at(0), action: "managed_challenge" }, ...rules.slice(1)],
      [admin, scanners, one, two],
    ],
    [
      "when everything except its place changes",
      [at(0), block("Else", "ssl"), at(2), at(3)],
      [admin, scanners, one, two],
    ],
    [
      "when it moves and another is edited",
      [at(3), at(0), { ...at(1), expression: "ssl" }, at(2)],
      [two, admin, scanners, one],
    ],
  ])("%s", (_, after, expected) => {
    const refs = carried(rules, after);
    expect(refs).toHaveLength(expected.length);
    refs.forEach((ref, index) => {
      expect(ref.startsWith(expected[index] ?? "?")).toBe(true);
    });
  });

  test("property: whatever the others do: any lists, any mix of refs", () => {
    fc.assert(
      fc.property(anyRules, anyRules, fc.infiniteStream(fc.nat()), (before, others, random) => {
        const refs = refsOf(before);
        const unchanged = before.filter((_, index) => index % 2 === 0);
        const after = [...unchanged, ...others.map(({ ref: _, ...rule }) => rule)];
        for (let index = after.length - 1; index > 0; index -= 1) {
          const swap = (random.next().value as number) % (index + 1);
          [after[index], after[swap]] = [after[swap] as RulesetRule, after[index] as RulesetRule];
        }
        const assigned = assignRefs(known(before, refs), after);
        expect(new Set(assigned.refs).size).toBe(after.length);
        // A content that occurs as often as before keeps all of its refs.
        for (const rule of unchanged) {
          const olds = before.flatMap((old, index) => (isSameMeaning(old, rule) ? [refs[index]] : []));
          const news = after.flatMap((now, index) => (isSameMeaning(now, rule) ? [assigned.refs[index]] : []));
          expect(news.filter((ref) => olds.includes(ref)).length).toBeGreaterThanOrEqual(
            Math.min(olds.length, news.length) - named(before, after),
          );
        }
      }),
      { numRuns: runs(300) },
    );
  });
  /** The number of explicit refs: each may change which of several equal rules gets which ref. */
  const named = (...lists: (readonly RulesetRule[])[]): number =>
    lists.flat().filter(({ ref }) => ref !== undefined).length;

  test("exactly, in any order, where contents differ", () => {
    const distinct = fc.uniqueArray(anyRule, {
      selector: (rule) => JSON.stringify([rule.action, rule.expression, rule.description ?? "", rule.enabled ?? true]),
      maxLength: 12,
    });
    fc.assert(
      fc.property(
        distinct.chain((before) =>
          fc.tuple(fc.constant(before), fc.shuffledSubarray(before), fc.array(anyRule, { maxLength: 3 })),
        ),
        ([before, kept, added]) => {
          const refs = refsOf(before);
          const fresh = added.filter((rule) => !before.some((old) => isSameMeaning(old, rule)));
          const assigned = assignRefs(known(before, refs), [...fresh, ...kept]).refs;
          expect(assigned.slice(fresh.length)).toEqual(kept.map((rule) => refs[before.indexOf(rule)]));
        },
      ),
    );
  });
});

describe("a rule with the same behaviour and another description", () => {
  const old = [
    block("3am", "ip.src eq 203.0.113.9", {
      actionParameters: { response: { statusCode: 403, contentType: "text/plain", content: "no" } },
    }),
    block("Else", "ssl"),
  ].map((rule, index) => ({ ref: String(index), rule: Rule.of(rule) }));
  const reworded = {
    actionParameters: { response: { statusCode: 403, contentType: "text/plain", content: "no" } },
    enabled: true,
    expression: "ip.src eq 203.0.113.9",
    description: "Scanner of last night",
    action: "block",
  };
  test("is matched with certainty, whatever the order of its keys and with defaults written out", () => {
    expect(matchRules(old, values(reworded), { onlySure: true })).toEqual([0]);
    expect(matchRules(old, values(block("New", "true"), reworded))).toEqual([undefined, 0]);
  });
  test("is not matched when anything else differs", () => {
    for (const other of [
      { ...reworded, enabled: false },
      { ...reworded, action: "log" },
      { ...reworded, expression: "ip.src eq 203.0.113.8" },
      { ...reworded, actionParameters: { response: { statusCode: 404, contentType: "text/plain", content: "no" } } },
      { ...reworded, ref: "mine" },
    ])
      expect(matchRules(old, values(other), { onlySure: true })).toEqual([undefined]);
  });
  test("comes after an equal one, and each rule is matched once", () => {
    const equal = old[0]?.rule.fields as RulesetRule;
    expect(matchRules(old, values(reworded, equal), { onlySure: true })).toEqual([undefined, 0]);
    expect(matchRules(old, values(reworded, reworded), { onlySure: true })).toEqual([0, undefined]);
  });
});

test("property: sure matches and all of them do not depend on which are read first", () => {
  const anyWanted = fc.array(
    fc.tuple(anyRule, fc.constantFrom("known", "pending", "unknown")).map(([rule, how]) => {
      if (how === "unknown") return Rule.of<unknown>(UNKNOWN);
      return Rule.of<unknown>(how === "pending" ? { ...rule, expression: UNKNOWN } : rule);
    }),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(anyRules, anyWanted, (before, wanted) => {
      const old = known(before, refsOf(before));
      const matches = findMatches(old, wanted);
      expect(matches.all).toEqual(matchRules(old, wanted));
      expect(matches.sure).toEqual(matchRules(old, wanted, { onlySure: true }));
    }),
  );
});

describe("refs of the program", () => {
  test("are used", () => {
    expect(
      carried(
        rules,
        rules.map((rule, index) => ({ ...rule, ref: `mine-${String(index)}` })),
      ),
    ).toEqual(["mine-0", "mine-1", "mine-2", "mine-3"]);
  });
  test("identify a rule even when all of it changes", () => {
    const before = [
      { ...block("A", "ssl"), ref: "x" },
      { ...block("B", "ssl"), ref: "y" },
    ];
    expect(
      carried(before, [
        { ...block("B", "ssl"), ref: "x" },
        { ...block("A", "ssl"), ref: "y" },
      ]),
    ).toEqual(["x", "y"]);
  });
  test("that replace a derived one are reported, with the existing ref", () => {
    const after = [{ ...(rules[0] as RulesetRule), ref: "mine" }, ...rules.slice(1)];
    expect(assignRefs(known(rules, refsOf(rules)), after).changes).toEqual([{ index: 0, ref: "mine", present: admin }]);
  });
});

describe("rules with unknown values", () => {
  test("take the ref of the old rule that they could be", () => {
    const after = [
      rules[0] as RulesetRule,
      { ...(rules[1] as RulesetRule), expression: UNKNOWN },
      rules[2] as RulesetRule,
      rules[3] as RulesetRule,
    ];
    expect(carried(rules, after)).toEqual([admin, scanners, one, two]);
    expect(carried(rules, [UNKNOWN, ...rules.slice(1)])).toEqual([admin, scanners, one, two]);
  });
  test("leave an old rule unmatched only when none of them could be it", () => {
    expect(carried(rules, [UNKNOWN, UNKNOWN])).toEqual([admin, scanners]);
    expect(carried(rules, [{ action: "skip", expression: UNKNOWN }])[0]).toMatch(/^skip-/);
  });
});

describe("rules that are not known at all yet", () => {
  const unknown = (count: number): string[] => Array.from({ length: count }, () => UNKNOWN);
  const named = (...numbers: readonly number[]): RulesetRule[] =>
    numbers.map((number) => ({ ...block("", `http.host eq "${String(number)}"`), ref: `rule-${String(number)}` }));

  test("get their number in the list, or the next one that is free", () => {
    expect(assignRefs([], unknown(3)).refs).toEqual(["rule-1", "rule-2", "rule-3"]);
    const mixed = [...unknown(2), ...named(1, 2, 4), ...unknown(3)];
    const refs = ["rule-3", "rule-5", "rule-1", "rule-2", "rule-4", "rule-6", "rule-7", "rule-8"];
    expect(assignRefs([], mixed).refs).toEqual(refs);
    expect(assignRefs([], [...named(9), ...unknown(1), ...named(3), ...unknown(1)]).refs.slice(1)).toEqual([
      "rule-2",
      "rule-3",
      "rule-4",
    ]);
  });

  test("skip numbers in use once, so the work grows with the number of rules, not of pairs", () => {
    const count = 500;
    const rules = [...unknown(count), ...named(...Array.from({ length: count }, (_, index) => index + 1))];
    const has = jest.spyOn(Set.prototype, "has");
    const { refs } = assignRefs([], rules);
    const lookUps = has.mock.calls.length;
    has.mockRestore();
    expect(refs[0]).toBe(`rule-${String(count + 1)}`);
    expect(refs[count - 1]).toBe(`rule-${String(2 * count)}`);
    expect(lookUps).toBeLessThanOrEqual(40 * count);
  });
});

describe("a derived ref", () => {
  const derive = (rule: RulesetRule, secretFields: string[] = [], taken: string[] = []) =>
    deriveRef({ rule, secretFields }, (ref) => taken.includes(ref));
  test("resembles its rule and is the same in every run", () => {
    expect(derive(block("Block /admin, everywhere!", "ssl"))).toBe(derive(block("Block /admin, everywhere!", "ssl")));
    expect(derive(block("Block /admin, everywhere!", "ssl"))).toMatch(/^block-admin-everywhere-[0-9a-f]{4}$/);
    expect(derive(block("", "ssl"))).toMatch(/^block-[0-9a-f]{4}$/);
  });
  test("contains nothing that may be secret", () => {
    const secret = derive(block("hunter2", "ip.src eq 192.0.2.1"), ["description", "expression"]);
    expect(secret).toMatch(/^block-[0-9a-f]{4}$/);
    expect(secret).toBe(derive(block("else", "ssl"), ["description", "expression"]));
  });
  test("avoids existing refs", () => {
    const first = derive(block("A", "ssl"));
    expect(derive(block("A", "ssl"), [], [first])).not.toBe(first);
  });
  test("is short and plain", () => {
    expect(slug("  Ünïcode & <b>very</b> ".repeat(9)).length).toBeLessThanOrEqual(40);
    expect(slug("Ünïcode")).toBe("unicode");
    expect(slug("日本")).toBe("");
  });
});
