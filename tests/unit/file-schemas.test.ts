import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import { parse } from "yaml";
import { waiversOf } from "../../tools/rules-files/check/waivers.js";
import { suiteOf } from "../../tools/rules-files/test/suite.js";
import { rulesOfDocument } from "../../tools/rules-files/document.js";
import { TextDocument } from "../../tools/rules-files/text/text-document.js";
import catalog from "../../schema/catalog.json";
import seed from "../../schema/emulator-seed.schema.json";
import rulesets from "../../schema/rulesets.schema.json";
import tests from "../../schema/firewall-tests.schema.json";
import waivers from "../../schema/waivers.schema.json";
import { temporaryFolder } from "../support/temporary-folder.js";

/* An editor that knows a schema says the same as the command that reads the file. */

const root = join(__dirname, "..", "..");
const folder = temporaryFolder();
const ajv = new Ajv({ allowUnionTypes: true, keywords: ["errorMessage"] });

/** Whether the reader accepts a text, and whether its schema does. */
function verdicts(schema: object, read: (file: string) => unknown, text: string): { reader: boolean; schema: boolean } {
  const file = join(folder, "file.yaml");
  writeFileSync(file, text);
  let reader = true;
  try {
    read(file);
  } catch {
    reader = false;
  }
  return { reader, schema: ajv.validate(schema, parse(text)) };
}

const REQUEST = `
  method: POST
  url: https://a.example/
  headers: { a: b, c: [d, e] }
  httpVersion: "2"
  ip: 203.0.113.9
  country: DE
  continent: EU
  asn: 64500
  botScore: 3
  verifiedBot: false
  threatScore: 0
  body: x
  bodySize: 1
  timestamp: 1
  draw: 0.5
  fields: { cf.waf.score: 20 }
  lists: { office: [192.0.2.1] }`;
const ALL = `
rules: rules.json
stack: dev
config: { zoneId: z }
mocks: mocks.js
zone: { id: z, name: a.example, plan: free }
redirectLists: { old: [{ sourceUrl: a.example/, targetUrl: "https://b.example/" }] }
coverage: 0.5
request:${REQUEST.replaceAll("\n", "\n  ")}
tests:`;

const TEST = "{ request: GET https://a.example/, expect: allow }";

describe("files of tests", () => {
  test.each<[string, boolean]>([
    [
      `${ALL} [{ name: a, request: GET https://a.example/, response: { status: 200, headers: { a: b } }, expect: allow }]`,
      true,
    ],
    ["tests: [{ request: GET https://a.example/, response: 200, expect: { allow: { strict: true } } }]", true],
    ["tests: [{ request: GET https://a.example/, expect: { block: admin, challenge: { by: b } } }]", true],
    ["tests: [{ request: GET https://a.example/, expect: { redirect: https://b.example/ } }]", true],
    ["tests: [{ request: GET https://a.example/, expect: { redirect: { to: x, status: 301, by: a } } }]", true],
    ["tests: [{ request: GET https://a.example/, expect: { rewrite: { url: x, headers: { a: b, c: null } } } }]", true],
    ["tests: [{ request: GET https://a.example/, expect: { limit: 10 } }]", true],
    ["tests: [{ request: GET https://a.example/, expect: { limit: { after: 10, by: a } } }]", true],
    ["zone: z\ntests: [{ request: { url: https://a.example/, headers: [[a, b]] }, expect: block }]", true],
    [`rules: [{ phase: p, rules: [{ action: block, expression: ssl }] }]\ntests: [${TEST}]`, true],
    [`rules: [{ rules: [{ action: block, expression: ssl }] }]\ntests: [${TEST}]`, false],
    [`rules: [{ phase: p, rules: [{ expression: ssl }] }]\ntests: [${TEST}]`, false],
    [`rules: [{ phase: p, rules: [{ action: block, expression: 7 }] }]\ntests: [${TEST}]`, false],
    ["tests: []", false],
    ["tests: [{ request: GET https://a.example/ }]", false],
    ["tests: [{ request: GET https://a.example/, expect: blocked }]", false],
    ["tests: [{ request: GET https://a.example/, expect: {} }]", false],
    ["tests: [{ request: GET https://a.example/, expect: { block: { rule: a } } }]", false],
    ["tests: [{ request: GET https://a.example/, expect: { redirect: { status: 301 } } }]", false],
    ["tests: [{ request: GET https://a.example/, expect: { limit: { by: a } } }]", false],
    ["tests: [{ request: { url: https://a.example/, adress: 1.2.3.4 }, expect: allow }]", false],
    ["tests: [{ request: { url: https://a.example/, asn: DE }, expect: allow }]", false],
    ["tests: [{ request: GET https://a.example/, response: ok, expect: allow }]", false],
    ["coverage: 2\ntests: [{ request: GET https://a.example/, expect: allow }]", false],
    ["zones: {}\ntests: [{ request: GET https://a.example/, expect: allow }]", false],
    ["zone: { plan: gold }\ntests: [{ request: GET https://a.example/, expect: allow }]", false],
  ])("%s: %s", (text, isValid) => {
    expect(verdicts(tests, (file) => suiteOf(TextDocument.read(file)), text)).toEqual({
      reader: isValid,
      schema: isValid,
    });
  });

  test("of the examples and the templates are valid", () => {
    const files = ["examples/zone-security", "examples/templates/typescript"].flatMap((path) =>
      readdirSync(join(root, path)).flatMap((name) =>
        name.endsWith(".firewall.yaml") ? [join(root, path, name)] : [],
      ),
    );
    expect(files).toHaveLength(3);
    for (const file of files)
      expect(verdicts(tests, (file) => suiteOf(TextDocument.read(file)), readFileSync(file, "utf8"))).toEqual({
        reader: true,
        schema: true,
      });
  });
});

test.each<[string, boolean]>([
  ["rulesets: [{ phase: p, name: a, kind: zone, zoneId: z, rules: [{ action: block, expression: ssl }] }]", true],
  ["rulesets: [{ phase: p }]\nlists: { a: [192.0.2.0/24, '2001:db8::1'], b: [64500], c: [a.example], d: [] }", true],
  ["rulesets: []\nredirectLists: { a: [{ sourceUrl: a.example/, targetUrl: 'https://b.example/' }] }", true],
  ["rulesets: [{ rules: [] }]", false],
  ["rulesets: [{ phase: p, kind: zoned }]", false],
  ["rulesets: []\nlists: [192.0.2.1]", false],
  ["rulesets: []\nlists: { a: 192.0.2.1 }", false],
  ["rulesets: []\nlists: { a: [{ value: true }] }", false],
  ["rulesets: []\nredirectLists: { a: [{ sourceUrl: a.example/ }] }", false],
  ["lists: { a: [192.0.2.1] }", false],
])("rulesets, %s: %s", (text, isValid) => {
  const read = (file: string) => rulesOfDocument(TextDocument.read(file));
  expect(verdicts(rulesets, read, text)).toEqual({ reader: isValid, schema: isValid });
});

test.each<[string, boolean]>([
  ["waivers: [{ finding: unknown-field, reason: new, rule: a, ruleset: b, until: 2027-03-31 }]", true],
  ["waivers: []", true],
  ["waivers: [{ finding: unknown-field }]", false],
  ["waivers: [{ finding: unknown-field, reason: ' ' }]", false],
  ["waivers: [{ finding: unknown-field, reason: a, unitl: 2027-03-31 }]", false],
  ["waivers: [{ finding: unknown-field, reason: a, until: soon }]", false],
  ["rules: []", false],
])("waivers, %s: %s", (text, isValid) => {
  expect(verdicts(waivers, (file) => waiversOf(TextDocument.read(file)), text)).toEqual({
    reader: isValid,
    schema: isValid,
  });
});

test.each<[object, boolean]>([
  [{ zones: [{ name: "a.example", plan: "free" }] }, true],
  [{ zones: [{ plan: "free" }] }, false],
  [{ zone: [] }, false],
])("a seed of the emulator, %j: %s", (value, isValid) => {
  expect(ajv.validate(seed, value)).toBe(isValid);
});

test("the seeds of the examples are valid", () => {
  const files = readdirSync(join(root, "examples")).map((name) => join(root, "examples", name, "seed.json"));
  const found = files.filter((file) => existsSync(file));
  expect(found.length).toBeGreaterThan(2);
  for (const file of found) expect(ajv.validate(seed, JSON.parse(readFileSync(file, "utf8")))).toBe(true);
});

test("the catalogue has every schema of a file, once", () => {
  const named = catalog.schemas.map(({ url }) => url.split("/").at(-1));
  const files = readdirSync(join(root, "schema")).filter((name) => name.endsWith(".schema.json"));
  expect(named.sort()).toEqual(files.sort());
});
