import { parse } from "yaml";
import { textOfRulesets, type DeployedRuleset } from "../../../apps/playground/answers/deployed-rules";
import { readRulesText } from "../../../apps/playground/answers/rules-text";
import { fc } from "../../support/properties";

const ID = "0123456789abcdef0123456789abcdef";
const OTHER = "fedcba9876543210fedcba9876543210";

const ruleset = (...rules: DeployedRuleset["rules"]): DeployedRuleset => ({
  id: OTHER,
  name: "default",
  kind: "zone",
  phase: "http_request_firewall_custom",
  rules,
});

test("rules are written as people write them", () => {
  const rule = {
    id: ID,
    ref: ID,
    version: "3",
    last_updated: "2026-11-01T12:00:00Z",
    description: "Block admin",
    action: "block",
    expression: 'http.request.uri.path eq "/admin"',
    enabled: true,
  };
  expect(textOfRulesets([ruleset(rule)])).toBe(
    [
      "- name: default",
      "  kind: zone",
      "  phase: http_request_firewall_custom",
      "  rules:",
      "    - description: Block admin",
      "      action: block",
      '      expression: http.request.uri.path eq "/admin"',
      "",
    ].join("\n"),
  );
});

test("the parameters of a rule have a line each, and are read as they were", () => {
  const parameters = {
    id: OTHER,
    overrides: { action: "log", rules: [{ id: ID, enabled: false }] },
    No: "a: b",
    "1": {},
  };
  const text = textOfRulesets([
    ruleset({ id: ID, action: "execute", expression: "true", action_parameters: parameters }),
  ]);
  expect(text).toContain(
    [
      "      action_parameters:",
      '        "1": {}',
      `        id: '${OTHER}'`.replaceAll("'", ""),
      "        overrides:",
      "          action: log",
      `          rules: [{"id":"${ID}","enabled":false}]`,
      `        "No": 'a: b'`,
      "",
    ].join("\n"),
  );
  expect(parse(text)).toMatchObject([{ rules: [{ action_parameters: parameters }] }]);
});

test("IDs are written where a rule refers to them", () => {
  const skip = {
    id: OTHER.replace("f", "0"),
    action: "skip",
    expression: "ssl",
    action_parameters: { rules: { [OTHER]: [ID] } },
  };
  const text = textOfRulesets([ruleset(skip, { id: ID, ref: "first", action: "block", expression: "ssl" })]);
  expect(text).toContain(`  id: ${OTHER}\n`);
  expect(text).toContain("    - ref: first\n      id: ");
});

test("the lists that rules name are read with their items", () => {
  const block = { id: ID, action: "block", expression: "ip.src in $office or http.host in $many" };
  const text = textOfRulesets(
    [ruleset(block)],
    [
      { name: "office", items: ["203.0.113.0/24"], redirects: [] },
      {
        name: "many",
        items: Array.from({ length: 1001 }, (_, index) => `${String(index)}.example.com`),
        redirects: [],
      },
      { name: "old", items: ["example.com/a"], redirects: [{ redirect: { source_url: "example.com/a" } }] },
    ],
  );
  const [read] = readRulesText(text, "rules").loaded.rulesets;
  expect(read?.input.lists).toMatchObject({
    office: { kind: "ip", items: ["203.0.113.0/24"] },
    old: { kind: "redirect" },
  });
  expect(Object.keys(read?.input.lists ?? {})).toEqual(["office", "old"]);
  expect(text).toContain("# many has 1001 items, too many for this text");
});

test("a text without any list that is small enough can be read", () => {
  const items = Array.from({ length: 1001 }, (_, index) => `${String(index)}.example.com`);
  const text = textOfRulesets(
    [ruleset({ id: ID, action: "block", expression: "http.host in $many" })],
    [{ name: "many", items, redirects: [] }],
  );
  expect(readRulesText(text, "rules").loaded.rulesets).toHaveLength(1);
});

test("any text of a rule is read as it was", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom(..."aZ(:#'\"-[]{} \n\t,&*!|>%@`~0".split("")) }),
    fc.constantFrom("true", "No", "null", "1", "~", "a: b", "a #b", "a:", " a", "a ", "- a", "? a", 'http.host eq "x"'),
  );
  fc.assert(
    fc.property(text, fc.boolean(), (value, enabled) => {
      const written = textOfRulesets([
        ruleset({ id: ID, description: value, action: "block", expression: value, enabled, ratelimit: { period: 60 } }),
      ]);
      const [read] = readRulesText(written, "rules").loaded.rulesets[0]?.input.rules ?? [];
      expect(read?.expression).toBe(value);
      expect(read?.description ?? "").toBe(value);
      expect(read?.enabled ?? true).toBe(enabled);
    }),
  );
});
