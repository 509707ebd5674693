import { fieldsWithSecrets, maskedPaths, type CurrentRule } from "../../../provider/kinds/rulesets/check/restored.js";
import type { Path } from "../../../core/model/path.js";
import { Secrets } from "../../../client/redaction/secrets.js";

const rule = { action: "block", expression: 'http.host eq "old"', description: "Block it", enabled: false };
const today = (more: object, paths: readonly Path[] = []): CurrentRule => ({ rule: { ...rule, ...more }, paths });
const expression = new Set(["expression"]);

test.each<[string, readonly CurrentRule[], ReadonlySet<string>, readonly string[]]>([
  ["nothing, in a program without secrets", [], new Set(), []],
  ["fields in which the program has secrets elsewhere", [], expression, ["expression"]],
  ["nothing that a current rule has in clear", [today({})], expression, []],
  ["what the current rule has as a secret", [today({}, [["expression"]])], expression, ["expression"]],
  ["everything inside a rule that is a secret", [today({}, [[]])], expression, ["expression"]],
  ["what the current rule does not have", [today({ expression: "ssl" })], expression, ["expression"]],
  ["nothing that one of two current rules has in clear", [today({}, [[]]), today({})], expression, []],
  ["neither the action nor whether it is enabled", [], new Set(Object.keys(rule)), ["expression", "description"]],
])("masks %s", (_, rules, fields, masked) => {
  expect(maskedPaths(rule, rules, fields, new Secrets())).toEqual(masked.map((name) => [name]));
});

test("a copy of a known secret is masked", () => {
  const secrets = new Secrets();
  secrets.add("qxzjvkqxzjvk");
  const copied = { ...rule, actionParameters: { response: { content: "say qxzjvkqxzjvk" } } };
  expect(maskedPaths(copied, [], new Set(), secrets)).toEqual([["actionParameters", "response", "content"]]);
  expect(maskedPaths(copied, [], new Set(["actionParameters"]), secrets)).toEqual([["actionParameters"]]);
});

test("lists the fields with secrets; a rule that is a secret has them in all", () => {
  expect([...fieldsWithSecrets([["expression"], ["actionParameters", "response"]], [rule])]).toEqual([
    "expression",
    "actionParameters",
  ]);
  expect([...fieldsWithSecrets([["expression"], []], [rule])]).toEqual(Object.keys(rule));
});
