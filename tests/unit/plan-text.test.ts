import { parsePlan, planText } from "../../provider/engine/plan-text.js";
import type { PreviewPlan } from "../../provider/engine/preview-plan.js";
import { anyText, fc } from "../support/properties.js";

const plan = (part: Partial<PreviewPlan>): PreviewPlan => ({ writes: [], rules: {}, unseen: [], ...part });
const put = { call: "PUT /zones/z1/rulesets/r1" };
const post = { call: "POST /zones/z1/rulesets/r1/rules", unless: "the same rule, or an equal one, exists" };

describe("a plan as a message", () => {
  const cases: readonly (readonly [string, Partial<PreviewPlan>, string])[] = [
    ["no write", {}, "plan: sends nothing"],
    ["one", { writes: [put] }, "plan: sends PUT /zones/z1/rulesets/r1"],
    [
      "how many rules change",
      { counts: "+0 ~1 (enabled, expression) -0, 1 moved, 2 unchanged", writes: [put] },
      "plan: +0 ~1 (enabled, expression) -0, 1 moved, 2 unchanged; sends PUT /zones/z1/rulesets/r1",
    ],
    [
      "several, in one line",
      {
        writes: [
          put,
          { call: "DELETE /zones/z1/rulesets/r1/rules/x" },
          { call: "DELETE /zones/z1/rulesets/r1/rules/x" },
        ],
      },
      "plan: sends PUT /zones/z1/rulesets/r1, DELETE /zones/z1/rulesets/r1/rules/x (2 times)",
    ],
    [
      "equal ones, with a condition",
      { writes: [put, post, post] },
      "plan: sends PUT /zones/z1/rulesets/r1\n" +
        "plan: sends POST /zones/z1/rulesets/r1/rules (2 times), unless the same rule, or an equal one, exists",
    ],
    [
      "the version that its ruleset has",
      { writes: [put, post], replaces: "3" },
      "plan: sends PUT /zones/z1/rulesets/r1; the ruleset has version 3\n" +
        "plan: sends POST /zones/z1/rulesets/r1/rules, unless the same rule, or an equal one, exists",
    ],
    [
      "a ruleset that is taken over",
      { ruleset: { id: "r1", changes: true } },
      "plan: sends nothing\nplan: takes over and changes ruleset r1",
    ],
    [
      "rules that are taken over",
      { rules: { 'a "b"': { id: "x1", changes: false } } },
      'plan: sends nothing\nplan: takes over rule x1 as "a \\"b\\""',
    ],
    [
      "what a comparison of states does not show",
      { unseen: ["changes by others", { notRead: "whether it\nis free", why: "GET /zones: 503\ntry again" }] },
      "plan: sends nothing\nplan: undoes changes by others\nplan: could not find out whether it is free, because GET /zones: 503 try again",
    ],
  ];
  test.each(cases)("has %s", (_, part, text) => {
    expect(planText(plan(part))).toBe(text);
  });

  test("parses back to the same plan", () => {
    const taken = fc.record({ id: fc.stringMatching(/^[0-9a-z]{1,8}$/), changes: fc.boolean() });
    const write = fc.record({ call: fc.constantFrom(put.call, post.call) }, { noNullPrototype: true });
    const any = fc.record(
      {
        writes: fc.array(fc.oneof(write, fc.constant(post))),
        ruleset: taken,
        rules: fc.dictionary(anyText({ minLength: 1 }), taken, { noNullPrototype: true }),
        replaces: fc.stringMatching(/^[1-9][0-9]{0,3}$/),
        counts: fc.constantFrom("+0 ~1 (expression) -0, 2 unchanged", "+1 ~0 -0, 0 unchanged"),
        unseen: fc.array(
          fc.constantFrom("changes by others" as const, { notRead: "it" }, { notRead: "it", why: "no, because it is" }),
        ),
      },
      { requiredKeys: ["writes", "rules", "unseen"], noNullPrototype: true },
    );
    fc.assert(
      fc.property(any, (given) => {
        // Without a write there is nothing to replace.
        const { replaces, ...plan } = given;
        expect(parsePlan(planText(given))).toEqual(plan.writes.length === 0 || replaces === undefined ? plan : given);
      }),
    );
  });

  test.each([
    "",
    "takes over 1 rule",
    "plan: does something that only a later version knows",
    "plan: sends nothing\nmore",
  ])("is not %j", (text) => {
    expect(parsePlan(text)).toBeUndefined();
  });
});
