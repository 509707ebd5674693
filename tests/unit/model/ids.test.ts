import {
  parseResourceId,
  parseRuleId,
  phaseResourceId,
  rulesetResourceId,
  shortRulesetId,
} from "../../../core/model/ids.js";
import { parsePath, pathText, valueAt, withValueAt } from "../../../core/model/path.js";
import { unwrapSecrets, wrapSecretsAt } from "../../../core/model/secret.js";

const ID = "0123456789abcdef0123456789abcdef";
const scope = { level: "zones", id: "z1" } as const;

test.each([
  [rulesetResourceId(scope, "r1"), { form: "ruleset", scope, rulesetId: "r1" }],
  [phaseResourceId(scope, "http_ratelimit"), { form: "phase", scope, phase: "http_ratelimit" }],
  ["accounts/a1/rulesets/r1", { form: "ruleset", scope: { level: "accounts", id: "a1" }, rulesetId: "r1" }],
  [`zones/z1/${ID}`, { form: "ruleset", scope, rulesetId: ID }],
  [`zone/z1/${ID}`, { form: "ruleset", scope, rulesetId: ID }],
  [`account/a1/${ID}`, { form: "ruleset", scope: { level: "accounts", id: "a1" }, rulesetId: ID }],
  [ID, { form: "bare", rulesetId: ID }],
  ["nonsense", undefined],
  ["zones/z1", undefined],
])("parses %s", (id, expected) => {
  expect(parseResourceId(id)).toEqual(expected);
});

test("shortens a full resource ID and leaves anything else unchanged", () => {
  expect(shortRulesetId(`zones/z1/rulesets/${ID}`)).toBe(ID);
  expect(shortRulesetId(ID)).toBe(ID);
  expect(shortRulesetId("zones/z1/phases/x")).toBe("zones/z1/phases/x");
});

test.each(["constructor", "toString", "__proto__"])(
  "a path to %s finds nothing unless it is an own property",
  (key) => {
    expect(valueAt({ a: {} }, ["a", key])).toBeUndefined();
    expect(valueAt(withValueAt({ a: {} }, ["a", key], 1), ["a", key])).toBe(1);
    expect(withValueAt({ a: {} }, ["a", key, "b"], 1)).toEqual({ a: {} });
  },
);

test("paths are written as Pulumi writes them", () => {
  expect(pathText(["rules", 2, "actionParameters", "headers", "x-a", "value"])).toBe(
    'rules[2].actionParameters.headers["x-a"].value',
  );
  expect(valueAt({ a: [{ b: 1 }] }, ["a", 0, "b"])).toBe(1);
  expect(valueAt({ a: 1 }, ["a", "b"])).toBeUndefined();
  expect(withValueAt({ a: [{ b: 1 }] }, ["a", 0, "b"], 2)).toEqual({ a: [{ b: 2 }] });
  expect(withValueAt({ a: 1, b: 2 }, ["b"], undefined)).toEqual({ a: 1 });
  expect(withValueAt({ a: 1 }, ["x", "y"], 2)).toEqual({ a: 1 });
});

test.each([
  ["rules", ["rules"]],
  ["rules.a-b.enabled", ["rules", "a-b", "enabled"]],
  ['rules["a.b"].ratelimit', ["rules", "a.b", "ratelimit"]],
  ['rules["say \\"x\\""][3]', ["rules", 'say "x"', 3]],
  ["rules.1c2bf1c8", ["rules", "1c2bf1c8"]],
  ['["rules"].a', ["rules", "a"]],
])("the path %s parses, and is written back unchanged", (text, path) => {
  expect(parsePath(text)).toEqual(path);
  expect(parsePath(pathText(path))).toEqual(path);
});
test.each(["", ".rules", "rules.", "rules..a", "rules[", 'rules["a', "rules[a]", "rules[*]", "rules a", "*", "a]"])(
  "%j is not a valid path",
  (text) => {
    expect(parsePath(text)).toBeUndefined();
  },
);

test("only the values at the paths become secrets, and are restored", () => {
  const value = { rules: { a: { x: "s", y: "t" } } };
  const wrapped = wrapSecretsAt(value, [
    ["rules", "a", "x"],
    ["rules", "b", "x"],
  ]);
  expect(JSON.stringify(wrapped)).toContain('"y":"t"');
  expect(JSON.stringify(wrapped)).toContain("1b47061264138c4ac30d75fd1eb44270");
  expect(unwrapSecrets(wrapped)).toEqual(value);
});

test.each([
  [
    "zones/z/phases/p/rules/block-admin",
    { ruleset: { form: "phase", scope: { level: "zones", id: "z" }, phase: "p" }, ref: "block-admin" },
  ],
  [
    "accounts/a/rulesets/r/rules/a ref/of: any kind",
    { ruleset: { form: "ruleset", scope: { level: "accounts", id: "a" }, rulesetId: "r" }, ref: "a ref/of: any kind" },
  ],
  ["zones/z/phases/p", undefined],
  ["zones/z/phases/p/rules/", undefined],
  ["rules/x", undefined],
])("parses the rule ID %s", (id, expected) => {
  expect(parseRuleId(id)).toEqual(expected);
});
