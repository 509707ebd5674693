import { changedFields, Rule, isSameMeaning, isSameForm } from "../../../core/rules/rule.js";
import { writtenAs } from "../../../core/rules/form.js";
import { diffRules } from "../../../core/rules/diff.js";
import { assignRefs } from "../../../core/rules/assign-refs.js";
import type { JsonObject } from "../../../core/model/json.js";
import { keyedEntries } from "../../../core/rules/keyed.js";
import { UNKNOWN } from "../../../core/model/unknown.js";
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

describe("rules whose expressions are formatted differently", () => {
  test.each<[string, JsonObject, JsonObject]>([
    ["white space", block("A", "ssl  and\nssl"), block("A", "ssl and ssl")],
    ["notation", block("A", 'http.host == r"a" && ssl'), block("A", 'http.host eq "a" and ssl')],
    ["redundant parentheses", block("A", "((ssl))"), block("A", "ssl")],
    ["order in a set", block("A", "tcp.dstport in {80 443}"), block("A", "tcp.dstport in {443 80}")],
    ["values", value('concat( http.host,"a" )'), value('concat(http.host, r"a")')],
    ["the counting expression of a rate limit", limit("not  ssl"), limit("!ssl")],
    ["a counting expression equal to the rule's own", limit("(ssl)"), { ...limit(""), expression: "ssl" }],
  ])("are equal: %s", (_, a, b) => {
    expect(isSameMeaning(a, b)).toBe(true);
    expect(changedFields(a, b)).toEqual([]);
    expect(isSameForm(a, b)).toBe(false);
    expect(isSameForm(a, { ...a, id: "1" })).toBe(true);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ["order of conditions", block("A", "ssl and cf.client.bot"), block("A", "cf.client.bot and ssl")],
    ["a word in a string", block("A", 'http.host eq "a  b"'), block("A", 'http.host eq "a b"')],
    ["expressions that cannot be parsed", block("A", "ssl and"), block("A", "ssl  and")],
    ["the description", block("(ssl)", "ssl"), block("ssl", "ssl")],
  ])("are not equal: %s", (_, a, b) => {
    expect(isSameMeaning(a, b)).toBe(false);
  });

  test("are written in the format of another rule, but only when they have the same meaning", () => {
    expect(writtenAs(block("B", "(ssl)", { enabled: false }), block("A", "ssl"))).toEqual(
      block("B", "ssl", { enabled: false }),
    );
    expect(writtenAs(block("B", "not ssl"), block("A", "ssl"))).toEqual(block("B", "not ssl"));
    expect(writtenAs(value("lower(http.host )"), value("lower(http.host)"))).toEqual(value("lower(http.host)"));
  });
});

describe("a difference in formatting", () => {
  const rules = (...expressions: readonly string[]) =>
    keyedEntries(expressions.map((text, index) => ({ ref: `r${String(index)}`, rule: block("A", text) })));

  test("is not reported where a value is unknown", () => {
    const pending = keyedEntries([
      { ref: "r0", rule: { ...block("A", "ssl"), enabled: UNKNOWN as unknown as boolean } },
    ]);
    expect(diffRules(rules("(ssl)"), pending)).toMatchObject({ reformatted: [] });
  });
});

test("of equal rules, each keeps the ref of the one that is formatted the same", () => {
  const known = [
    { ref: "a", rule: Rule.of(block("", "(ssl)")) },
    { ref: "b", rule: Rule.of(block("", "ssl")) },
  ];
  expect(assignRefs(known, [block("", "ssl"), block("", "(ssl)")]).refs).toEqual(["b", "a"]);
  expect(assignRefs(known, [block("", "ssl  "), block("", " (ssl)")]).refs).toEqual(["a", "b"]);
  expect(
    assignRefs([{ ref: "c", rule: Rule.of(block("Old", "!ssl")) }], [block("New", "(not ssl)", { action: "log" })])
      .refs,
  ).toEqual(["c"]);
});
