import { alignNames } from "../../../core/rules/align.js";
import { assignRefs } from "../../../core/rules/assign-refs.js";
import { deriveRef, slug } from "../../../core/rules/derive-ref.js";
import { movedRefs } from "../../../core/simulator/moves.js";
import { findMatches, matchRules } from "../../../core/rules/match.js";
import { Rule, isSameMeaning } from "../../../core/rules/rule.js";
import type { RulesetRule } from "../../../core/model/generated/rule.js";
import { UNKNOWN } from "../../../core/model/unknown.js";
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
const all = [...refsOf(rules)];
const [admin, scanners, one, two] = all as [string, string, string, string];

describe("a rule keeps its ref", () => {
  const at = (index: number): RulesetRule => rules[index] as RulesetRule;
  const others = rules.slice(1);
  test.each<[string, (RulesetRule | string)[], string[]]>([
    ["when nothing changes", rules, all],
    ["when rules are reversed", rules.toReversed(), [two, one, scanners, admin]],
    ["when one is inserted at the top", [block("New", "ssl"), ...rules], ["new-", ...all]],
    ["when one is removed", [at(0), at(2), at(3)], [admin, one, two]],
    ["when its expression changes", [{ ...at(0), expression: "ssl" }, ...others], all],
    ["when its description changes", [{ ...at(0), description: "Other" }, ...others], all],
    ["when it is disabled", [{ ...at(0), enabled: false }, ...others], all],
    ["when its action changes", [{ ...at(0), action: "managed_challenge" }, ...others], all],
    ["when everything except its place changes", [at(0), block("Else", "ssl"), at(2), at(3)], all],
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

describe("among equal rules, the position decides", () => {
  const rule = block("A", 'http.host eq "a"');
  const other = block("B", 'http.host eq "b"');
  const third = block("C", "ssl");
  const [edited, off] = [
    { ...rule, expression: "ssl" },
    { ...rule, enabled: false },
  ];
  const match = (before: readonly RulesetRule[], after: readonly RulesetRule[]) =>
    matchRules(known(before, refsOf(before)), values(...after));

  test.each<[string, RulesetRule[], RulesetRule[], (number | undefined)[]]>([
    ["the first is edited", [rule, rule], [edited, rule], [0, 1]],
    ["one in the middle is edited", [rule, rule, rule], [rule, { ...rule, description: "C" }, rule], [0, 1, 2]],
    ["all are edited", [rule, rule], [edited, off], [0, 1]],
    ["one becomes equal to another", [rule, other], [other, other], [0, 1]],
    ["the first is removed", [rule, other, rule], [other, rule], [1, 2]],
    ["a copy is added in the middle", [rule, other, rule], [rule, other, rule, rule], [0, 1, undefined, 2]],
    ["one moves to the end", [rule, other, rule, other], [other, rule, other, rule], [1, 2, 3, 0]],
    ["one is edited and moves", [rule, other, rule, third], [other, rule, third, off], [1, 2, 3, 0]],
  ])("when %s", (_, before, after, expected) => {
    const found = match(before, after);
    if (expected.includes(undefined)) expect(found.filter((index) => index !== undefined)).toEqual([0, 1, 2]);
    else expect(found).toEqual(expected);
  });

  /** An edit of one rule by somebody who writes the list by hand. */
  const anyEdit = fc.oneof(
    fc.record({
      kind: fc.constant("change"),
      fields: fc
        .record(
          {
            expression: fc.constantFrom("ssl", 'http.host contains "api"'),
            description: fc.constantFrom("", "admin", "new"),
          },
          { requiredKeys: [] },
        )
        .filter((fields) => Object.keys(fields).length > 0),
    }),
    fc.record({
      kind: fc.constant("change"),
      fields: fc.record(
        { action: fc.constantFrom("js_challenge", "log"), enabled: fc.boolean() },
        { requiredKeys: ["action"] },
      ),
    }),
    fc.record({ kind: fc.constant("remove") }),
    fc.record({ kind: fc.constantFrom("insert", "move"), to: fc.nat(), rule: anyRule }),
  );
  type Edit = typeof anyEdit extends fc.Arbitrary<infer T> ? T : never;

  /** The list after an edit, and which old rule each rule is, as far as that can be seen. */
  function afterEdit(
    rules: readonly RulesetRule[],
    at: number,
    edit: Edit,
  ): readonly [RulesetRule[], (number | undefined)[]] {
    const after = rules.map((rule, index): [RulesetRule, number | undefined] => [rule, index]);
    const chosen = after[at];
    if (chosen === undefined) return [[...rules], after.map(([, index]) => index)];
    if ("fields" in edit) after[at] = [{ ...chosen[0], ...edit.fields }, at];
    else if (edit.kind !== "insert") after.splice(at, 1);
    if ("to" in edit)
      after.splice(edit.to % (after.length + 1), 0, edit.kind === "move" ? chosen : [edit.rule, undefined]);
    return [after.map(([rule]) => rule), after.map(([, index]) => index)];
  }

  test("property: an edit of one rule changes no other, and moves only what was moved", () => {
    fc.assert(
      fc.property(fc.array(anyRule, { minLength: 1, maxLength: 12 }), fc.nat(), anyEdit, (before, random, edit) => {
        const at = random % before.length;
        const [after, truth] = afterEdit(before, at, edit);
        const found = match(before, after);
        if ("fields" in edit) {
          expect(found).toEqual(truth);
          return;
        }
        // Which of several equal rules is the removed, the new or the moved one cannot be seen.
        const contentOf = (index: number | undefined): unknown =>
          index === undefined ? undefined : Rule.of(before[index] as RulesetRule).text;
        expect(found.filter((index) => index === undefined)).toHaveLength(edit.kind === "insert" ? 1 : 0);
        for (const [index, rule] of after.entries()) {
          if (found[index] !== undefined) expect(contentOf(found[index])).toBe(Rule.of(rule).text);
        }
        const order = (list: readonly (number | undefined)[]) =>
          list.flatMap((index) => (index === undefined ? [] : [String(index)]));
        const moves = movedRefs(
          order(before.map((_, index) => index).filter((index) => found.includes(index))),
          order(found),
        );
        expect(moves.length).toBeLessThanOrEqual(edit.kind === "move" ? 1 : 0);
      }),
      { numRuns: runs(1000) },
    );
  });

  test("property: the common order of long lists is found, and grows no faster than they do", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4), { maxLength: 40 }), fc.array(fc.nat(4), { maxLength: 40 }), (before, after) => {
        const pairs = alignNames(before, after);
        for (const [x, y] of pairs) expect(before[x]).toBe(after[y]);
        for (const side of [0, 1] as const) {
          const places = pairs.map((pair) => pair[side]);
          expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
        }
        expect(pairs).toHaveLength(commonLength(before, after));
      }),
    );
    const many = Array.from({ length: 20_000 }, (_, index) => index % 7);
    expect(alignNames(many, many.toReversed()).length).toBeGreaterThanOrEqual(0);
    expect(alignNames(many, [...many.slice(1), 9])).toHaveLength(many.length - 1);
  });

  /** The length of a longest common subsequence, from its definition. */
  function commonLength(before: readonly number[], after: readonly number[]): number {
    let row = new Array<number>(after.length + 1).fill(0);
    for (const name of before) {
      const next = [0];
      after.forEach((other, at) => {
        next.push(name === other ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
      });
      row = next;
    }
    return row.at(-1) ?? 0;
  }
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
    const mine = rules.map((rule, index) => ({ ...rule, ref: `mine-${String(index)}` }));
    expect(carried(rules, mine)).toEqual(["mine-0", "mine-1", "mine-2", "mine-3"]);
  });
  test("identify a rule even when all of it changes", () => {
    const named = (x: string, y: string) => [block(x, "ssl", { ref: "x" }), block(y, "ssl", { ref: "y" })];
    expect(carried(named("A", "B"), named("B", "A"))).toEqual(["x", "y"]);
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
