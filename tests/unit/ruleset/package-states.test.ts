import { upgrade } from "../../../provider/kinds/rulesets/resources.js";
import type { JsonObject } from "../../../core/model/json.js";
import type { DeployedRuleInfo } from "../../../core/model/ruleset.js";
import { contentOf } from "../../../core/rules/content.js";

/** A state of Cloudflare's own package with one rule. */
const stateOf = (rule: object) => ({ zoneId: "z", kind: "zone", name: "default", phase: "p", rules: [rule] });
/** The only rule after the upgrade, and what is recorded as the service's response. */
const upgraded = (rule: object) => {
  const { rules, ruleIds, deployedRules, __answers: answers } = upgrade(stateOf(rule)) as Record<string, JsonObject>;
  const [[ref, only] = ["", {}]] = Object.entries(rules ?? {});
  return { ref, rule: only as JsonObject, ruleIds, deployedRules, answers };
};

test("inputs and states of this package stay as they are", () => {
  const own = { zoneId: "z", phase: "p", rules: { a: { action: "block", expression: "ssl" } }, order: "a\n" };
  expect(upgrade(own)).toBe(own);
});

test.each<[string, object, object]>([
  [
    "nulls, empty texts and what Pulumi records about defaults",
    {
      action: "block",
      expression: "ssl",
      description: "",
      ref: "",
      enabled: null,
      logging: null,
      ratelimit: null,
      actionParameters: { response: { statusCode: 403, content: "no", contentType: "text/plain", __defaults: [] } },
      exposedCredentialCheck: null,
      __defaults: ["enabled"],
    },
    {
      action: "block",
      expression: "ssl",
      actionParameters: { response: { statusCode: 403, content: "no", contentType: "text/plain" } },
    },
  ],
  [
    "zeros that stand for nothing",
    {
      action: "block",
      expression: "ssl",
      ratelimit: {
        characteristics: ["ip.src"],
        period: 60,
        requestsPerPeriod: 5,
        scorePerPeriod: 0,
        mitigationTimeout: 0,
      },
    },
    {
      action: "block",
      expression: "ssl",
      ratelimit: { characteristics: ["ip.src"], period: 60, requestsPerPeriod: 5 },
    },
  ],
  [
    "blocks as lists of one, and headers with names, as up to version 4",
    {
      action: "rewrite",
      expression: "true",
      actionParameters: [
        { headers: [{ name: "X-A", operation: "set", value: "1", expression: "" }], uri: [{ query: [{ value: "" }] }] },
      ],
      logging: [],
    },
    {
      action: "rewrite",
      expression: "true",
      actionParameters: { headers: { "X-A": { operation: "set", value: "1" } }, uri: { query: { value: "" } } },
    },
  ],
  [
    "lists of rules in one text, as up to version 4",
    {
      action: "skip",
      expression: "ssl",
      actionParameters: { rules: { m: "r1, r2" }, phases: [] },
      logging: { enabled: true },
    },
    { action: "skip", expression: "ssl", actionParameters: { rules: { m: ["r1", "r2"] } } },
  ],
  [
    "a status instead of enabled, as up to version 4",
    {
      action: "execute",
      expression: "true",
      actionParameters: {
        id: "m",
        version: "latest",
        overrides: { status: "", rules: [{ id: "r", status: "disabled" }] },
      },
    },
    {
      action: "execute",
      expression: "true",
      actionParameters: { id: "m", overrides: { rules: [{ id: "r", enabled: false }] } },
    },
  ],
  [
    "a pinned version of a managed ruleset",
    { action: "execute", expression: "true", actionParameters: { id: "m", version: "3" } },
    { action: "execute", expression: "true", actionParameters: { id: "m", wire: { version: "3" } } },
  ],
  [
    "a field that this package does not know",
    { action: "block", expression: "ssl", actionParameters: { newField: { a_b: 1 } } },
    { action: "block", expression: "ssl", actionParameters: { wire: { new_field: { a_b: 1 } } } },
  ],
])("a rule of Cloudflare's own package with %s", (_, given, content) => {
  const id = "0123";
  const { ref, rule, ruleIds, answers } = upgraded({ ...given, id, version: "2" });
  expect(contentOf(rule)).toEqual(content);
  expect(answers).toEqual({ [id]: content });
  expect(ruleIds).toEqual({ [ref]: id });
});

test.each<[string, object, RegExp, RegExp]>([
  ["set by the program", { ref: "mine" }, /^mine$/, /^mine$/],
  ["that is its ID, which no program sets", { ref: "0123" }, /^admin-/, /^0123$/],
  ["that is missing", {}, /^admin-/, /^admin-/],
])("keeps the identity of a rule with a ref %s", (_, more, ref, known) => {
  const rule = { action: "block", description: "Admin", expression: "ssl", id: "0123", version: "7", ...more };
  const found = upgraded({ ...rule, lastUpdated: "2026-01-01T00:00:00Z" });
  expect(found.ref).toMatch(ref);
  const [info] = found.deployedRules as unknown as readonly DeployedRuleInfo[];
  expect(info).toMatchObject({ id: "0123", version: "7", lastUpdated: "2026-01-01T00:00:00Z" });
  expect(info?.ref).toMatch(known);
});
