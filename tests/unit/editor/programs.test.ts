import { documentOf, findings } from "./support.js";

const IMPORT = 'import { expression } from "pulumi-rulesets";\n';
const program = (text: string): ReturnType<typeof documentOf> => documentOf("index.ts", IMPORT + text);
const expressions = (text: string): string[] => program(text).expressions.map((one) => one.text);

test.each<[string, string[]]>([
  ["const a = expression`http.host eq ${host}`;", ['http.host eq "x"']],
  [
    "const a = r.expression`ip.src in ${office} and http.request.body.size gt ${most}`;",
    ["ip.src in {192.0.2.1} and http.request.body.size gt 1"],
  ],
  [
    "const a = expression`ip.src in {${first} ${second}} or ip.src in $${list}`;",
    ["ip.src in {192.0.2.1 192.0.2.1} or ip.src in $inserted"],
  ],
  ["const a = expression`${admin} and not ${office} and ${name} eq 1`;", ["true and not true and inserted eq 1"]],
  ["const a = expression`starts_with(http.request.uri.path, ${path})`;", ['starts_with(http.request.uri.path, "x")']],
  ["const a = expression`http.user_agent matches ${pattern}`;", ['http.user_agent matches "x"']],
  ['const a = expression`http.host eq "${name}"`;', ['http.host eq "x"']],
  ["const a = expression`a ${expression`ssl and ${b}`} b`;", ["a true b", "ssl and true"]],
  ['const a = expression`http.host eq "\\`\\${\\\\"`;', ['http.host eq "`${\\\\"']],
  ["f({ expression: 'http.host eq \"it\\'s\"' });", ['http.host eq "it\'s"']],
  ['f({ expression: "http.host eq \\"\\u0061\\x62\\u{63}\\n\\"" });', ['http.host eq "abc\n"']],
  ["f({ expression: `ssl` });", ["ssl"]],
  ['f({ "expression": "ssl" as const });', ["ssl"]],
  ['f({ expression: "a" + b });', []],
  ['f({ description: "ssl" });', []],
  ['f(x ? expression : "ssl");', []],
  ['// expression: "ssl"\n/* f({ expression: "ssl" }) */', []],
  ['const re = /["`{]/g, half = a / b; f({ expression: "ssl" }); g(1 / 2);', ["ssl"]],
  ['f({ expression: "ssl', ["ssl"]],
  ["const a = expression`ssl and ${", ["ssl and true"]],
  ["const a = expression`ssl", ["ssl"]],
])("expressions of %s", (text, expected) => {
  expect(expressions(text)).toEqual(expected);
});

test.each([
  ['f({ ratelimit: { countingExpression: "ssl" } });', { slot: "counting" }],
  ['f({ actionParameters: { uri: { path: { expression: "http.host" } } } });', { slot: "value", type: "String" }],
  ['f({ actionParameters: { headers: { a: { expression: "ip.src" } } } });', { slot: "value", type: "Scalar" }],
  [
    'f({ phase: "http_ratelimit", rules: [block({ expression: "ssl" })] });',
    { slot: "filter", phase: "http_ratelimit" },
  ],
  ['f({ rules: [{ expression: "ssl" }], phase: "http_ratelimit" });', { slot: "filter", phase: "http_ratelimit" }],
  ["const a = expression`lower(http.host)`;", { slot: "value", type: "Scalar" }],
])("what is expected of the expression of %s", (text, options) => {
  expect(program(text).expressions[0]?.options).toEqual(options);
});

test.each<[string, string[]]>([
  ["const a = expression`http.hots eq ${host}`;", ["http.hots: unknown-field → http.host"]],
  ['const a = expression`len(http.host) gt ${n} and http.hots eq "a"`;', ["http.hots: unknown-field → http.host"]],
  ["const a = expression`ip.src.country eq ${country}`;", []],
  ["const a = expression`cidr(ip.src, ${bits}, 64) in ${nets}`;", []],
  ["f({ expression: 'ip.src eq \"192.0.2.1\"' });", ['"192.0.2.1": type → 192.0.2.1']],
  ['f({ expression: "http.host eq a.example" });', ['a.example: syntax → \\"a.example\\"']],
  ["const a = expression`ssl and not ssl`;", ["ssl and not ssl: never-matches"]],
  [
    "f({ expression: 'ssl and (ssl or http.host eq \"a\")' });",
    ['ssl and (ssl or http.host eq "a"): redundant-condition → ssl'],
  ],
  ["const a = expression`ssl and not ssl and ip.src in {${office}}`;", []],
])("findings of %s", (text, expected) => {
  expect(findings(program(text))).toEqual(expected);
});

test("a Pulumi program in YAML inserts values as well", () => {
  const text =
    "resources:\n  a:\n    type: rulesets:PhaseEntrypoint\n    properties:\n      phase: http_request_firewall_custom\n" +
    '      rules:\n        - action: block\n          expression: ip.src in {${office}} and http.hots eq "${host}"\n';
  const document = documentOf("Pulumi.yaml", text);
  expect(document.expressions.map((one) => one.text)).toEqual(['ip.src in {192.0.2.1} and http.hots eq "x"']);
  expect(findings(document)).toEqual(["http.hots: unknown-field → http.host"]);
});

test("a Pulumi program in YAML writes a dollar sign before braces twice", () => {
  const text =
    "resources:\n  a:\n    type: rulesets:PhaseEntrypoint\n    properties:\n      phase: http_request_transform\n" +
    "      rules:\n        - action: rewrite\n          expression: ssl\n          actionParameters: { uri: { path: { " +
    'expression: \'wildcard_replace(http.request.uri.path, "old/*", "/new/$${1}")\' } } }\n';
  const document = documentOf("Pulumi.yaml", text);
  const value = 'wildcard_replace(http.request.uri.path, "old/*", "/new/${1}")';
  expect(document.expressions.map((one) => one.text)).toEqual(["ssl", value]);
  expect(findings(document)).toEqual(['"old/*": path-start → "/old/*"']);
  expect(document.expressions[1]?.change({ start: 0, end: value.length }, value).text).toContain("/new/$${1}");
});

test("reading a long program takes a time that grows with its length alone", () => {
  const many = 'f({ expression: `http.host eq "a" and ip.src in {192.0.2.1}` });\n'.repeat(20_000);
  expect(expressions(many)).toHaveLength(20_000);
});
