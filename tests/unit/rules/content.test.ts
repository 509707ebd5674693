import { KNOWN_DEFAULTS } from "../../../core/rules/defaults.js";
import { contentOf, overlay } from "../../../core/rules/content.js";
import { mayBeSame, isSameMeaning, Rule } from "../../../core/rules/rule.js";
import type { JsonObject } from "../../../core/model/json.js";
import { UNKNOWN } from "../../../core/model/unknown.js";
import { anyRule } from "../../support/any-rules.js";
import { block } from "../../support/rules.js";
import { fc } from "../../support/properties.js";

const limit = { characteristics: ["ip.src", "cf.colo.id"], period: 60, requestsPerPeriod: 5 };

/** One case for each known default: what a program writes, and what the service returns. */
const cases: Record<string, [JsonObject, JsonObject]> = {
  "id, ref, version, lastUpdated and categories are outputs": [
    block("A", "ssl"),
    { ...block("A", "ssl"), id: "1", ref: "1", version: "3", lastUpdated: "2026", categories: [] },
  ],
  "an empty description equals none": [{ action: "block", expression: "ssl" }, block("", "ssl")],
  "an empty expression equals none": [{ action: "block" }, { action: "block", expression: "" }],
  "rules are enabled": [block("A", "ssl"), block("A", "ssl", { enabled: true })],
  "skip rules log": [
    { action: "skip", expression: "ssl", actionParameters: { ruleset: "current" } },
    { action: "skip", expression: "ssl", actionParameters: { ruleset: "current" }, logging: { enabled: true } },
  ],
  "rate limits count at the edge, by the rule's own expression, and throttle": [
    { ...block("A", "ssl"), ratelimit: limit },
    {
      ...block("A", "ssl"),
      ratelimit: {
        ...limit,
        characteristics: ["cf.colo.id", "ip.src"],
        requestsToOrigin: false,
        countingExpression: "ssl",
        mitigationTimeout: 0,
      },
    },
  ],
  "execute runs the latest version": [
    { action: "execute", expression: "true", actionParameters: { id: "x" } },
    { action: "execute", expression: "true", actionParameters: { id: "x", wire: { version: "latest" } } },
  ],
  "redirects drop the query string": [
    { action: "redirect", expression: "true", actionParameters: { fromValue: { targetUrl: { value: "x" } } } },
    {
      action: "redirect",
      expression: "true",
      actionParameters: { fromValue: { targetUrl: { value: "x" }, preserveQueryString: false } },
    },
  ],
  "responses say whether a rewrite reaches the origin": [
    { action: "rewrite", expression: "true", actionParameters: { uri: { path: { value: "/" } } } },
    { action: "rewrite", expression: "true", actionParameters: { uri: { path: { value: "/" }, origin: false } } },
  ],
  "logged headers are logged once": [
    { action: "log_custom_field", expression: "true", actionParameters: { responseFields: [{ name: "x" }] } },
    {
      action: "log_custom_field",
      expression: "true",
      actionParameters: { responseFields: [{ name: "x", preserveDuplicates: false }] },
    },
  ],
  "the order of skipped phases, products and rulesets is irrelevant": [
    { action: "skip", expression: "true", actionParameters: { products: ["waf", "bic"] } },
    { action: "skip", expression: "true", actionParameters: { products: ["bic", "waf"] } },
  ],
  "a field in wire is the field with the typed name": [
    { action: "skip", expression: "true", actionParameters: { rules: { a: [] } } },
    { action: "skip", expression: "true", wire: { action_parameters: { rules: { a: [] } } } },
  ],
  "an empty list equals none": [
    { action: "execute", expression: "true", actionParameters: { overrides: { enabled: false } } },
    { action: "execute", expression: "true", actionParameters: { overrides: { enabled: false, categories: [] } } },
  ],
  "an empty object equals none": [block("A", "ssl"), { ...block("A", "ssl"), actionParameters: {} }],
};

test.each(KNOWN_DEFAULTS.map(({ what }) => what))("is no difference: %s", (what) => {
  const [written, answered] = cases[what] ?? [{}, { missing: "case" }];
  expect(isSameMeaning(written, answered)).toBe(true);
});

test("what a rule does is a difference", () => {
  const rule = block("A", "ssl");
  for (const other of [
    { expression: "not ssl" },
    { enabled: false },
    { action: "log" },
    { description: "B" },
    { logging: { enabled: true } },
  ]) {
    expect(isSameMeaning(rule, { ...rule, ...other })).toBe(false);
  }
});

test("stripping twice changes nothing", () => {
  fc.assert(
    fc.property(anyRule, (rule) => {
      expect(contentOf(contentOf(rule))).toEqual(contentOf(rule));
    }),
  );
});

describe("drift is what differs from the last response", () => {
  const declared = { action: "block", response: { statusCode: 403 }, list: [1, 2] };
  const last = { action: "block", response: { statusCode: 403, extra: true }, list: [1, 2], added: "by the service" };
  test("values added by the service are ignored", () => {
    expect(overlay(declared, last, last)).toEqual(declared);
  });
  test("values changed by others are shown, declared or not", () => {
    expect(overlay(declared, last, { ...last, action: "log" })).toEqual({ ...declared, action: "log" });
    expect(overlay(declared, last, { ...last, added: "changed" })).toEqual({ ...declared, added: "changed" });
    expect(overlay(declared, last, { ...last, more: 1 })).toEqual({ ...declared, more: 1 });
    expect(overlay(declared, last, { ...last, response: { statusCode: 404, extra: true } })).toEqual({
      ...declared,
      response: { statusCode: 404 },
    });
  });
  test("values removed by others are dropped", () => {
    const { response: _response, ...rest } = last;
    expect(overlay(declared, last, rest)).toEqual({ action: "block", list: [1, 2] });
  });
});

test("unknown values match anything", () => {
  expect(mayBeSame({ a: UNKNOWN, b: 1 }, { a: { c: 1 }, b: 1 })).toBe(true);
  expect(mayBeSame({ a: UNKNOWN, b: 1 }, { a: 1, b: 2 })).toBe(false);
  expect(mayBeSame([1, UNKNOWN], [1, 2])).toBe(true);
  expect(mayBeSame([1], [1, 2])).toBe(false);
});

test("an override whose rule is not known yet may be any of those that exist, wherever it stands", () => {
  const overriding = (...ids: readonly string[]) => {
    const rules = ids.map((id) => ({ id, enabled: false }));
    return Rule.of({ action: "execute", expression: "true", actionParameters: { id: "e", overrides: { rules } } });
  };
  const existing = overriding("b", "a");
  for (const known of ["a", "b"]) {
    expect(overriding(UNKNOWN, known).mayMeanSameAs(existing)).toBe(true);
    expect(overriding(known, UNKNOWN).mayMeanSameAs(existing)).toBe(true);
  }
  expect(overriding("c", UNKNOWN).mayMeanSameAs(existing)).toBe(false);
  expect(overriding(UNKNOWN).mayMeanSameAs(existing)).toBe(false);
});
