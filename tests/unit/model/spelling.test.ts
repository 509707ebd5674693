import { pathText, type Path } from "../../../core/model/path.js";
import { inOurNames, pathInOurNames } from "../../../core/model/spelling.js";
import type { JsonObject } from "../../../core/model/json.js";

test.each<[string, JsonObject, JsonObject]>([
  [
    "names of the service",
    { action_parameters: { response: { status_code: 403 } } },
    { actionParameters: { response: { statusCode: 403 } } },
  ],
  [
    "a mixture, at any depth",
    { actionParameters: { response: { status_code: 403, contentType: "a" } }, ratelimit: { requests_per_period: 1 } },
    { actionParameters: { response: { statusCode: 403, contentType: "a" } }, ratelimit: { requestsPerPeriod: 1 } },
  ],
  [
    "our names inside of one of the service",
    { action_parameters: { response: { statusCode: 403 } } },
    { actionParameters: { response: { statusCode: 403 } } },
  ],
  [
    "names of headers, which people choose",
    { action_parameters: { headers: { status_code: { operation: "remove" }, statusCode: { operation: "remove" } } } },
    { actionParameters: { headers: { status_code: { operation: "remove" }, statusCode: { operation: "remove" } } } },
  ],
  [
    "raw fields, beside newer ones of the service",
    { action_parameters: { newer_field: 1, wire: { status_code: { camelCase: 2 } } } },
    { actionParameters: { wire: { status_code: { camelCase: 2 }, newer_field: 1 } } },
  ],
  ["a field that is unknown, without a name of the service", { new_field: 1 }, { new_field: 1 }],
  [
    "null, which is omitted",
    { action_parameters: { id: "a" }, actionParameters: null },
    { actionParameters: { id: "a" } },
  ],
  ["what only the service sets", { version: "1", last_updated: "t", categories: ["a"], ref: "r" }, { ref: "r" }],
  [
    "what only the service sets in parameters",
    { action_parameters: { uri: { query: { value: "" }, origin: true } } },
    { actionParameters: { uri: { query: { value: "" } } } },
  ],
  [
    "a value that the service never sets",
    { actionParameters: { uri: { origin: 1 } } },
    { actionParameters: { uri: { origin: 1 } } },
  ],
  [
    "a field with both names",
    { actionParameters: { id: "a" }, action_parameters: { id: "b" } },
    { actionParameters: { id: "a" }, action_parameters: { id: "b" } },
  ],
  [
    "a nested one with both names",
    { actionParameters: { cacheKey: { customKey: { queryString: { include: { list: ["a"], lists: ["b"] } } } } } },
    { actionParameters: { cacheKey: { customKey: { queryString: { include: { list: ["a"], lists: ["b"] } } } } } },
  ],
])("%s", (_what, rule, expected) => {
  expect(inOurNames(rule)).toEqual(expected);
});

test.each<[JsonObject, Path, string]>([
  [
    { action_parameters: { headers: {} } },
    ["action_parameters", "headers", "status_code"],
    "actionParameters.headers.status_code",
  ],
  [
    { actionParameters: { response: { status_code: 1 } } },
    ["actionParameters", "response", "status_code"],
    "actionParameters.response.statusCode",
  ],
  [{ action_parameters: { newer: 1 } }, ["action_parameters", "newer", 0], "actionParameters.wire.newer[0]"],
  [{ action_parameters: { wire: {} } }, ["action_parameters", "wire", "newer"], "actionParameters.wire.newer"],
  [{ new_field: 1 }, ["new_field"], "new_field"],
])("a path in %j follows its value", (rule, path, expected) => {
  expect(pathText(pathInOurNames(rule, path))).toBe(expected);
});
