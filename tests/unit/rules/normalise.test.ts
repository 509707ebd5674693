import { normaliseRule } from "../../../core/rules/normalise.js";
import type { JsonObject } from "../../../core/model/json.js";
import { UNKNOWN } from "../../../core/model/unknown.js";

const ID = "0123456789abcdef0123456789abcdef";
const FULL = `zones/z1/rulesets/${ID}`;
const rule = (actionParameters: JsonObject) => ({ action: "skip", expression: "true", actionParameters });

test("a full resource ID is shortened wherever a ruleset ID is expected", () => {
  expect(normaliseRule(rule({ id: FULL }))).toEqual(rule({ id: ID }));
  expect(normaliseRule(rule({ rulesets: [FULL, ID, UNKNOWN] }))).toEqual(rule({ rulesets: [ID, ID, UNKNOWN] }));
  expect(normaliseRule(rule({ rules: { [FULL]: ["r"] } }))).toEqual(rule({ rules: { [ID]: ["r"] } }));
});

test("null, empty lists and empty objects are the same as absent fields", () => {
  const empty = { ...rule({ overrides: { categories: [], rules: null } }), wire: {}, description: "" };
  expect(normaliseRule(empty)).toEqual({ action: "skip", expression: "true", description: "" });
});

test("empty values that have a meaning are kept", () => {
  expect(normaliseRule(rule({ linkMaze: {} }))).toEqual(rule({ linkMaze: {} }));
});

test("invalid rules and unknown values are unchanged", () => {
  expect([normaliseRule("x"), normaliseRule(UNKNOWN), normaliseRule(3)]).toEqual(["x", UNKNOWN, 3]);
});
