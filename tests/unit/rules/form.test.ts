import { contentOf } from "../../../provider/rules/content.js";
import { changedFields, Rule, sameContent, sameForm } from "../../../provider/rules/rule.js";
import { writtenAs } from "../../../provider/rules/form.js";
import { diffRules, isEmptyDiff } from "../../../provider/rules/diff.js";
import { summaryLine } from "../../../provider/rules/summary.js";
import { assignRefs } from "../../../provider/rules/assign-refs.js";
import type { JsonObject } from "../../../provider/model/json.js";
import { keyed } from "../../../provider/rules/keyed.js";
import { UNKNOWN } from "../../../provider/model/unknown.js";
import { block } from "../../support/rules.js";

const value = (expression: string) => ({
  action: "rewrite",
  expression: "true",
  actionParameters: { uri: { path: { expression } }, headers: { "x-a": { operation: "set", expression } } },
});
const limit = (countingExpression: string) => ({
  ...block("A", "ssl"),
  ratelimit: { characteristics: ["ip.src"], period: 60, requestsPerPeriod: 5, countingExpression },
});

describe("rules whose expressions differ in form", () => {
  test.each<[string, JsonObject, JsonObject]>([
    ["white space", block("A", "ssl  and\nssl"), block("A", "ssl and ssl")],
    ["notation", block("A", 'http.host == r"a" && ssl'), block("A", 'http.host eq "a" and ssl')],
    ["redundant brackets", block("A", "((ssl))"), block("A", "ssl")],
    ["order in a set", block("A", "tcp.dstport in {80 443}"), block("A", "tcp.dstport in {443 80}")],
    ["values", value('concat( http.host,"a" )'), value('concat(http.host, r"a")')],
    ["what a rate limit counts", limit("not  ssl"), limit("!ssl")],
    ["a counting expression that is the rule's own", limit("(ssl)"), { ...limit(""), expression: "ssl" }],
  ])("say the same: %s", (_, a, b) => {
    expect(sameContent(a, b)).toBe(true);
    expect(changedFields(a, b)).toEqual([]);
    expect(sameForm(a, b)).toBe(false);
    expect(sameForm(a, { ...a, id: "1" })).toBe(true);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ["order of conditions", block("A", "ssl and cf.client.bot"), block("A", "cf.client.bot and ssl")],
    ["a word in a string", block("A", 'http.host eq "a  b"'), block("A", 'http.host eq "a b"')],
    ["expressions that cannot be read", block("A", "ssl and"), block("A", "ssl  and")],
    ["the description", block("(ssl)", "ssl"), block("ssl", "ssl")],
  ])("do not say the same: %s", (_, a, b) => {
    expect(sameContent(a, b)).toBe(false);
  });

  test("keep their text where they are stored, and their fingerprint", () => {
    expect(contentOf(block("A", "((ssl))"))).toEqual(block("A", "((ssl))"));
    expect(new Rule(block("A", "((ssl))")).fingerprint).not.toBe(new Rule(block("A", "ssl")).fingerprint);
  });

  test("are written as another rule writes them, and only those that mean the same", () => {
    expect(writtenAs(block("B", "(ssl)", { enabled: false }), block("A", "ssl"))).toEqual(
      block("B", "ssl", { enabled: false }),
    );
    expect(writtenAs(block("B", "not ssl"), block("A", "ssl"))).toEqual(block("B", "not ssl"));
    expect(writtenAs(value("lower(http.host )"), value("lower(http.host)"))).toEqual(value("lower(http.host)"));
  });
});

describe("a difference in form", () => {
  const rules = (...expressions: readonly string[]) =>
    keyed(expressions.map((text, index) => ({ ref: `r${String(index)}`, rule: block("A", text) })));

  test("is a difference of its own", () => {
    const diff = diffRules(rules("ssl", "not ssl"), rules("(ssl)", "not ssl"));
    expect(diff).toMatchObject({ changed: [], reformatted: ["r0"], unchanged: ["r1"] });
    expect(isEmptyDiff(diff)).toBe(false);
    expect(summaryLine(diff)).toBe("+0 ~0 -0, 1 formatting only, 1 unchanged");
  });

  test("is none where something is not known yet", () => {
    const pending = keyed([{ ref: "r0", rule: { ...block("A", "ssl"), enabled: UNKNOWN as unknown as boolean } }]);
    expect(diffRules(rules("(ssl)"), pending)).toMatchObject({ reformatted: [] });
  });
});

test("of rules that mean the same, each keeps the ref under which it is written", () => {
  const known = [
    { ref: "a", rule: new Rule(block("", "(ssl)")) },
    { ref: "b", rule: new Rule(block("", "ssl")) },
  ];
  expect(assignRefs(known, [block("", "ssl"), block("", "(ssl)")]).refs).toEqual(["b", "a"]);
  expect(assignRefs(known, [block("", "ssl  "), block("", " (ssl)")]).refs).toEqual(["a", "b"]);
  expect(
    assignRefs([{ ref: "c", rule: new Rule(block("Old", "!ssl")) }], [block("New", "(not ssl)", { action: "log" })])
      .refs,
  ).toEqual(["c"]);
});
