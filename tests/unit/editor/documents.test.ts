import { kindOf } from "../../../tools/editor/edited-document.js";
import { diagnosticsOf } from "../../../tools/editor/diagnostics.js";
import { applied, documentOf, findings } from "./support.js";

const RULES = `{ "phase": "http_request_firewall_custom", "rules": [{ "action": "block", "expression": "ssl" }] }`;

test.each<[string, string, string | undefined]>([
  ["file:///a/b.firewall.yaml", "", "tests"],
  ["b.invariants.yml", "", "invariants"],
  ["waivers.yaml", "", "waivers"],
  ["shop.waivers.json", "", "waivers"],
  ["rules.json", RULES, "rules"],
  ["rules.json", RULES.replace("http_request_firewall_custom", "htp_request_firewall_custom"), "rules"],
  ["rules.json", RULES.replace("http_request_firewall_custom", "x"), undefined],
  ["package.json", "{}", undefined],
  ["index.ts", 'import { expression } from "pulumi-rulesets";', "program"],
  ["index.ts", 'import { expression } from "other";', undefined],
  ["Pulumi.yaml", "resources:\n  a:\n    type: rulesets:PhaseEntrypoint\n", "yaml-program"],
  ["Pulumi.yaml", "name: a\nruntime: nodejs\n", undefined],
])("%s is known by its name or its text", (name, text, kind) => {
  expect(kindOf(name, text)).toBe(kind);
});

const inRules = (expression: string, others = ""): string =>
  `phase: http_request_firewall_custom\nrules:\n  - action: block\n    expression: ${expression}\n${others}`;

test.each<[string, string, string[]]>([
  ["plain", `http.hots eq "a"`, ["http.hots: unknown-field → http.host"]],
  ["in double quotes", `"http.host eq \\"a\\" or http.hots eq \\"b\\""`, ["http.hots: unknown-field → http.host"]],
  ["in single quotes", `'http.host eq "it''s" or http.hots eq "b"'`, ["http.hots: unknown-field → http.host"]],
  ["folded", `http.host eq "a"\n      or http.hots eq "b"`, ["http.hots: unknown-field → http.host"]],
  ["in a block", `|\n      http.host eq "a"\n      or http.hots eq "b"`, ["http.hots: unknown-field → http.host"]],
  [
    "in a folded block",
    `>-\n      http.host eq "a"\n      or http.hots eq "b"`,
    ["http.hots: unknown-field → http.host"],
  ],
  ["a value", `"ip.src eq \\"192.0.2.1\\""`, [`\\"192.0.2.1\\": type → 192.0.2.1`]],
  ["a text", `"http.host eq a.example"`, [`a.example: syntax → \\"a.example\\"`]],
  ["an operator", `http.host = "a"`, ["=: syntax → eq"]],
  ["another spelling", `http.host EQ "a"`, ["EQ: syntax → eq"]],
  ["a set", `ip.src in {192.0.2.1, 192.0.2.2}`, [",: syntax →  "]],
  ["a value that a field has not", `ip.src.country eq "UK"`, [`"UK": unknown-value → "GB"`]],
  [
    "a redundant part",
    `http.host eq "a" and http.host eq "a"`,
    [`http.host eq "a" and http.host eq "a": redundant-condition → http.host eq "a"`],
  ],
])("a finding has the place of the part that it is about: %s", (_, expression, expected) => {
  const document = documentOf("rules.yaml", inRules(expression));
  expect(findings(document)).toEqual(expected);
  const edits = diagnosticsOf(document, { now: "2026-10-01T00:00:00Z" }).flatMap(({ edit = [] }) => edit);
  const fixed = documentOf("rules.yaml", applied(document.text, edits));
  expect(findings(fixed)).toEqual([]);
});

test("an expression of a file with tests that cannot be read is shown at its place", () => {
  const tests = "tests:\n  - { name: a, request: https://a.example/, expect: allow }\n";
  const rule = "      - { ref: a, action: block, expression: ssl and }\n";
  const text = `rules:\n  - phase: http_request_firewall_custom\n    rules:\n${rule}${tests}`;
  expect(findings(documentOf("a.firewall.yaml", text))).toEqual([": syntax"]);
});

test("a phase that does not exist is an error, with the nearest one", () => {
  const rules = "rules:\n  - phase: http_request_firewal_custom\n    rules: []\n";
  const tests = "tests:\n  - { name: a, request: https://a.example/, expect: allow }\n";
  expect(findings(documentOf("a.firewall.yaml", rules + tests))).toEqual([
    "http_request_firewal_custom: phase → http_request_firewall_custom",
  ]);
});

test("a change that cannot stand in YAML without quotes gets them", () => {
  const document = documentOf("rules.yaml", inRules("http.host eq a.example"));
  const [embedded] = document.expressions;
  const edit = embedded?.change({ start: 13, end: 22 }, '"a: b"');
  expect(edit?.text).toBe('"http.host eq \\"a: b\\""');
});

test.each<[string, string, string[]]>([
  [
    "a rule that lacks something",
    `phase: http_ratelimit\nrules:\n  - expression: http.hots eq "a"\n`,
    [`expression: rules[0].action: is required: the name of an action`, "http.hots: unknown-field → http.host"],
  ],
  [
    "text that is no YAML",
    `phase: http_ratelimit\nrules:\n  - {expression: http.hots eq "a"\n`,
    [expect.stringContaining("Flow map"), "http.hots: unknown-field → http.host"],
  ],
])("what can be read of a file is checked: %s", (_, text, expected) => {
  expect(findings(documentOf("rules.yaml", text))).toEqual(expected);
});

test("the plan of the zone counts, if it is known", () => {
  const document = documentOf("rules.yaml", inRules(`http.host matches "a"`));
  expect(findings(document)).toEqual([]);
  expect(findings(document, "free").join()).toContain("plan");
});

const TESTS = `rules:
  - phase: http_request_firewall_custom
    rules: [{ action: block, expression: ssl }]
tests:
  - request: https://a.example/
    expect: block
`;

test.each<[string, string[]]>([
  [TESTS, []],
  [TESTS.replace("expect: block", "expect: allow"), [expect.stringMatching(/^request: https:.*: the test .* fails: /)]],
  [TESTS.replace("expect", "expct"), ["expct: tests[0].expct: is not known here; did you mean expect? → expect"]],
  [
    TESTS.replace("https://", "file://"),
    [expect.stringMatching(/^file:\/\/a.example\/: tests\[0\].request: is not a request/)],
  ],
  [TESTS.replace(/rules:[^]*tests/, "rules: .\ntests"), []],
  [`zone: { name: a.example }\n${TESTS.replace("https://a.example", "")}`, []],
  [
    TESTS.replace("https://a.example", ""),
    ["request: / is the path of a zone whose name is not known. To continue: add `zone: { name: … }` to the file"],
  ],
])("tests are read, and run if the file has rules: %#", (text, expected) => {
  expect(findings(documentOf("a.firewall.yaml", text))).toEqual(expected);
});

test("mistakes in the structure of a file do not hide each other", () => {
  const text = `zone: { plan: gold, name: a.example }
coverage: 2
rules:
  - phase: http_request_firewall_custom
    rules: [{ expression: ssl }, { action: block, expression: 7 }]
  - rules: []
request: { asn: x }
tests:
  - request: { url: /, ur: x, botScore: many }
    expct: block
  - { name: b, request: somewhere, expect: { blok: a, limit: { after: x, bye: a } } }
  - { name: c, request: / }
`;
  const said = findings(documentOf("a.firewall.yaml", text)).map((one) =>
    one.split("\n", 1)[0]?.replace(/(; |\.? It |, block).*/, ""),
  );
  expect(said).toEqual([
    "gold: zone.plan: must be one of free, pro, business, enterprise",
    "2: coverage: must be a number of at least 0, at most 1",
    "{ expression: ssl }, { action: block, expression: 7 }]: rules[0].rules[0].action: is required: the name of an action",
    "7: rules[0].rules[1].expression: must be a string, not a number",
    "rules: rules[1].phase: is required: the phase that the rules run in",
    "x: request.asn: must be a number, not a string",
    "ur: tests[0].request.ur: is not known here",
    "many: tests[0].request.botScore: must be a number, not a string",
    "expct: tests[0].expct: is not known here",
    "somewhere: tests[1].request: is not a request",
    "blok: tests[1].expect.blok: is not known here",
    "x: tests[1].expect.limit.after: must be a number, not a string",
    "bye: tests[1].expect.limit.bye: is not known here",
    "{ name: c, request: / }: tests[2].expect: is required: what happens to the request",
  ]);
  expect(findings(documentOf("rules.json", RULES.replace("http_request", "htp_request")))).toEqual([
    "htp_request_firewall_custom: phase → http_request_firewall_custom",
  ]);
});

test.each<[string, string[]]>([
  ["invariants: [{ name: a, requests: ssl, must: block }]", []],
  ["invariants: [{ name: a, requests: sll, must: block }]", ["sll: unknown-field → ssl"]],
  [
    "invariants: [{ name: a, zones: { plan: [enterprise, pro] }, requests: cf.bot_management.score lt 9, must: block }]",
    ["cf.bot_management.score: plan"],
  ],
  [
    "invariants: [{ name: a, requests: ssl, must: blok }]",
    [expect.stringMatching(/^blok: invariants\[0\].must: must be one of/)],
  ],
  [
    "invariants: [{ name: a, request: ssl, must: block }]",
    [expect.stringMatching(/^request: .*did you mean requests\? → requests$/)],
  ],
  ["invariants: [{ name: a, requests: ssl and not ssl, must: block }]", ["ssl and not ssl: never-matches"]],
  ["invariants: [{ name: a, requests: http.response.code eq 404, must: block }]", ["http.response.code: phase"]],
])("invariants: %s", (text, expected) => {
  expect(findings(documentOf("a.invariants.yaml", text))).toEqual(expected);
});

test.each<[string, string[]]>([
  ["waivers: [{ finding: unknown-field, reason: a }]", []],
  ["waivers: [{ finding: unknown-feild, reason: a }]", [expect.stringMatching(/^unknown-feild: .*→ unknown-field$/)]],
])("waivers: %s", (text, expected) => {
  expect(findings(documentOf("waivers.yaml", text))).toEqual(expected);
});
