import { damagedRule } from "../../support/damaged-rules.js";
import { generateProgram } from "../../../tools/generator/index.js";
import { rulesetFromWire } from "../../../core/model/codec.js";
import { fc, runs } from "../../support/properties.js";

const ZONE = "0123456789abcdef0123456789abcdef";
const ID = "fedcba9876543210fedcba9876543210";
const generated = (phase: string, rules: readonly object[], isNew = false) => {
  const wire = { id: ID, name: "default", description: "", kind: "zone", version: "1", phase };
  const stored = rules.map((rule, index) => ({ id: String(index).repeat(32), version: "1", enabled: true, ...rule }));
  const ruleset = rulesetFromWire(JSON.parse(JSON.stringify({ ...wire, rules: stored })) as never);
  const scope = { scope: { level: "zones", id: ZONE } as const, name: "shop.example.com", hostnames: [] };
  const { id, ...content } = ruleset;
  return generateProgram({ scopes: [{ ...scope, rulesets: [isNew ? content : { id, ...content }] }], leftOut: [] });
};
const textOf = ({ files }: ReturnType<typeof generated>) => files.map(({ text }) => text).join("\n");

test.each<[string, string, object, string, string]>([
  [
    "a parameter",
    "http_request_firewall_managed",
    { action: "skip", expression: "ssl", action_parameters: { rules: { [ID]: [] } } },
    `actionParameters: { wire: { rules: { ${ID}: [] } } }`,
    `rules[0].actionParameters.rules.${ID}: must not be empty; leave it out instead`,
  ],
  [
    "a value expression",
    "http_request_late_transform",
    {
      action: "rewrite",
      expression: "true",
      action_parameters: { headers: { "X-A": { operation: "set", expression: '(ip.src.continent eq "AN")' } } },
    },
    'wire: { headers: { "X-A": {',
    'rules[0].actionParameters.headers["X-A"].expression',
  ],
  [
    "a filter",
    "http_request_firewall_custom",
    { action: "log", expression: "http.host quasi 5" },
    'expression: "http.host quasi 5", wire: { expression: "http.host quasi 5" }',
    "rules[0].expression:11",
  ],
  [
    "a field inside a block that this package does not know",
    "http_request_transform",
    { action: "rewrite", expression: "true", action_parameters: { uri: { path: { value: "/", newer: 1 } } } },
    'wire: { uri: { path: { value: "/", newer: 1 } } }',
    'there is no field "newer"',
  ],
])("%s that a preview refuses is written as the service has it", (_what, phase, rule, code, reason) => {
  const program = generated(phase, [rule]);
  expect(program.leftOut).toEqual([]);
  expect(textOf(program)).toContain(code);
  expect(textOf(program)).toContain("// In `wire` as the service has it, because a preview refuses it: rules[0]");
  expect(program.unchecked).toEqual([
    { where: "shop.example.com", what: phase, reason: expect.stringContaining(reason) as string },
  ]);
  // What the service does not have yet, such as the rules that replace previous features, it may refuse.
  const leftOut = [{ what: phase, reason: expect.stringContaining(reason) as string }];
  expect(generated(phase, [rule], true)).toMatchObject({ declared: [], leftOut, unchecked: [] });
});

test("a rule whose ref a preview refuses is left out for that reason", () => {
  const rule = { action: "block", expression: "ssl", ref: "__reserved" };
  const { declared, leftOut, unchecked } = generated("http_request_firewall_custom", [rule]);
  expect([declared, unchecked]).toEqual([[], []]);
  expect(leftOut).toMatchObject([{ reason: expect.stringMatching(/^rules\[0\]\.ref: /) as string }]);
});

test("a secret in what is not checked is not written either", () => {
  const headers = { Authorization: { operation: "set", value: "Bearer s3cr3tvalue4711", newer: true } };
  const rule = { action: "rewrite", expression: "true", action_parameters: { headers } };
  const program = generated("http_request_late_transform", [rule]);
  expect(program.leftOut).toEqual([]);
  expect(textOf(program)).toContain("wire: { headers: { Authorization: {");
  expect(textOf(program) + JSON.stringify(program.unchecked)).not.toContain("s3cr3tvalue");
  expect(program.secrets).toHaveLength(1);
  const compared = 'http.request.headers["x-origin-key"][0] quasi "hunter22hunter22"';
  const filter = generated("http_request_firewall_custom", [{ action: "log", expression: compared }]);
  expect(textOf(filter)).toContain("wire: { expression:");
  expect(textOf(filter) + JSON.stringify(filter)).not.toContain("hunter22");
});

test("a secret in a field that this version does not know is not written either", () => {
  const parameters = { newer: { auth_token: "s3cr3tvalue4711", mode: "token", list: ["Bearer s3cr3tvalue"] } };
  const rule = { action: "block", expression: "ssl", api_key: "s3cr3tvalue", action_parameters: parameters };
  const program = generated("http_request_firewall_custom", [rule]);
  expect(program.leftOut).toEqual([]);
  expect(textOf(program)).toContain('mode: "token"');
  expect(JSON.stringify(program)).not.toContain("s3cr3t");
  expect(program.secrets).toHaveLength(3);
});

test("nothing that the service returns is left out, whatever is in a rule", () => {
  fc.assert(
    fc.property(damagedRule, ({ phase, rule }) => {
      expect(generated(phase, [rule]).leftOut).toEqual([]);
    }),
    { numRuns: runs(1000) },
  );
});
