import { ruleFromWire, ruleToWire, rulesetFromWire } from "../../../core/model/codec.js";
import type { JsonObject } from "../../../core/model/json.js";
import { definitions, getShape } from "../../../core/model/shapes.js";
import { ACTION_NAMES } from "../../../provider/validation/tables.js";
import { everyAction } from "../../support/every-action.js";

const all = everyAction.flatMap(({ rules }) => rules);

test("the samples use every action", () => {
  expect([...new Set(all.map(({ action }) => action))].sort()).toEqual([...ACTION_NAMES].sort());
});

test.each(all.map((rule, index) => [`${rule.action} #${String(index)}`, rule] as const))(
  "%s round-trips",
  (_, rule) => {
    const wire = JSON.parse(JSON.stringify(ruleToWire(rule))) as JsonObject;
    const {
      id: _id,
      ref: _ref,
      version: _version,
      ...back
    } = ruleFromWire({ ...wire, id: "1", ref: "r", version: "1" });
    expect(JSON.parse(JSON.stringify(back))).toEqual(rule);
  },
);

test("names that are not plain snake_case are sent under the service's name", () => {
  const wire = ruleToWire({
    action: "set_cache_settings",
    expression: "true",
    actionParameters: {
      edgeTtl: { mode: "x", statusCodeTtls: [{ statusCode: 1, value: 2 }] },
      sMaxage: { operation: "set" },
    },
  });
  expect(wire.action_parameters).toEqual({
    edge_ttl: { mode: "x", status_code_ttl: [{ status_code: 1, value: 2 }] },
    "s-maxage": { operation: "set" },
  });
});

test("keys of user maps are not converted", () => {
  const headers = { "X-CamelCase": { operation: "set", value: "1" }, snake_case: { operation: "remove" } };
  expect(
    ruleToWire({ action: "rewrite", expression: "true", actionParameters: { headers } }).action_parameters,
  ).toEqual({ headers });
});

test("raw fields are sent next to the typed ones, and unknown fields of a response come back in wire", () => {
  const rule = {
    action: "execute",
    expression: "true",
    actionParameters: { id: "x", wire: { brand_new: { a_b: 1 } } },
    wire: { later: true },
  };
  const wire = ruleToWire(rule);
  expect(wire).toMatchObject({ later: true, action_parameters: { id: "x", brand_new: { a_b: 1 } } });
  expect(ruleFromWire({ ...wire, id: "1", version: "1" })).toMatchObject(rule);
});

test.each([
  ["*", { all: true }],
  [["a"], { lists: ["a"] }],
  [{ list: ["*"], all: null }, { all: true }],
  [{ list: ["a"], all: false }, { lists: ["a"] }],
])("query parameters of a cache key are read as %j", (include, expected) => {
  const rule = ruleFromWire({
    action: "set_cache_settings",
    action_parameters: { cache_key: { custom_key: { query_string: { include } } } },
  });
  expect(rule.actionParameters?.cacheKey?.customKey?.queryString).toEqual({ include: expected });
});

test("a ruleset without rules has none, and a ref defaults to the id", () => {
  expect(rulesetFromWire({ id: "1", version: 3 }).rules).toEqual([]);
  expect(ruleFromWire({ id: "7", action: "block" }).ref).toBe("7");
  expect(ruleFromWire({ id: 7, action: "block" })).toEqual({ id: "7", ref: "7", version: "", action: "block" });
});

test("a field with a value of another kind than rules have is kept as it came, and sent back", () => {
  const wire = {
    id: "1",
    ref: "r",
    version: "1",
    action: "block",
    expression: "ssl",
    enabled: "yes",
    action_parameters: [1],
  };
  const rule = ruleFromWire({ ...wire, wire: "x", newer: { a_b: 1 } });
  expect(rule).toEqual({
    id: "1",
    ref: "r",
    version: "1",
    action: "block",
    expression: "ssl",
    wire: { enabled: "yes", action_parameters: [1], wire: "x", newer: { a_b: 1 } },
  });
  const { version: _version, ...sent } = wire;
  expect(ruleToWire({ expression: "", ...rule })).toMatchObject(sent);
});

test("every name of the schema has one name on the wire", () => {
  for (const name of Object.keys(definitions)) {
    const wires = getShape(name).fields.map(({ wire }) => wire);
    expect(new Set(wires).size).toBe(wires.length);
  }
});

test("an empty id, version or ref means none, on the way out and on the way back", () => {
  const rule = { id: "", version: "", ref: "", action: "block", expression: "true" };
  expect(ruleToWire(rule)).toEqual({ action: "block", expression: "true" });
  expect(ruleFromWire({ ...rule, id: "1" })).toMatchObject({ id: "1", ref: "1", version: "" });
});

test.each(["*", ["*"]])("all parameters of a query, as %j", (exclude) => {
  const action_parameters = { cache_key: { custom_key: { query_string: { exclude } } } };
  expect(ruleFromWire({ action: "set_cache_settings", expression: "ssl", action_parameters }).actionParameters).toEqual(
    {
      cacheKey: { customKey: { queryString: { exclude: { all: true } } } },
    },
  );
});
