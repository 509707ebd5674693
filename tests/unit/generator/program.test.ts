import { generateProgram, type FoundRule, type FoundRuleset, type FoundScope } from "../../../tools/generator/index.js";
import { identifier } from "../../../tools/generator/code/names.js";
import { IMPORTED_NAMES } from "../../../tools/generator/program/owasp-call.js";
import { ruleCode, ruleToWrite } from "../../../tools/generator/program/rule.js";
import { printCode } from "../../../tools/generator/code/print.js";
import { ruleFromWire } from "../../../core/model/codec.js";
import { managedRulesets } from "../../../core/managed/rulesets.js";
import { owasp } from "../../../provider/sdk/writing/owasp.js";
import { expression } from "../../../provider/sdk/writing/expression.js";
import { normaliseRule } from "../../../core/rules/normalise.js";
import { isSameMeaning } from "../../../core/rules/rule.js";
import { api } from "../../support/contract.js";
import type { JsonObject } from "../../../core/model/json.js";
import { everyAction } from "../../support/every-action.js";
import { Random, valueOf } from "../../support/generate.js";
import { formatted } from "../../support/typescript.js";

const id = (number: number): string => String(number).padStart(32, "0");
let count = 0;
const deployed = (rule: object): FoundRule => {
  const own = id((count += 1));
  return { id: own, ref: own, ...rule };
};
const block = (description: string, expression = 'http.host eq "a"') => ({ action: "block", description, expression });
const ruleset = (phase: string, rules: readonly object[], rest: Partial<FoundRuleset> = {}): FoundRuleset => ({
  id: id((count += 1)),
  name: "default",
  description: "",
  kind: "zone",
  phase,
  rules: rules.map(deployed),
  ...rest,
});
const custom = (name: string, rules: readonly object[]): FoundRuleset =>
  ruleset("http_request_firewall_custom", rules, { name, kind: "custom" });
const zone = (name: string, rulesets: readonly FoundRuleset[], rest: Partial<FoundScope> = {}): FoundScope => ({
  scope: { level: "zones", id: id((count += 1)) },
  name,
  rulesets,
  hostnames: [],
  ...rest,
});
const program = (...scopes: FoundScope[]) => {
  const { files, ...rest } = generateProgram({ scopes, leftOut: [] });
  return { ...rest, files: Object.fromEntries(files.map(({ path, text }) => [path, text])) };
};

const plain = {
  unknownVariable: () => ({ kind: "name", text: "UNKNOWN" }) as const,
  rulesetVariable: () => undefined,
  rulesetName: () => undefined,
  managedRuleName: () => undefined,
  secretVariable: () => ({ kind: "name", text: "SECRET" }) as const,
};
const SECRET = "a secret of this test";

/** The value of a rule's code, computed by running it. */
function said(rule: FoundRule): JsonObject {
  const text = printCode(ruleCode(ruleToWrite(rule), plain));
  const pulumi = {
    interpolate: (parts: readonly string[], ...values: string[]) => String.raw({ raw: parts }, ...values),
  };
  const expression = ({ raw }: TemplateStringsArray, ...values: string[]) =>
    String.raw(
      { raw: raw.map((part) => part.replace(/\\([`$])/g, "$1")) },
      ...values.map((value) => JSON.stringify(value)),
    );
  const library = { managedRulesets, owasp, SECRET, pulumi, expression };
  return new Function(...Object.keys(library), `return (${text});`)(...Object.values(library)) as JsonObject;
}

describe("a rule", () => {
  test.each(everyAction.flatMap(({ phase, rules }) => rules.map((rule) => [rule.action, phase, rule] as const)))(
    "%s of %s round-trips through a program",
    (_action, _phase, rule) => {
      expect(isSameMeaning(said(deployed(rule)), rule)).toBe(true);
    },
  );

  test("any rule that the API description allows round-trips through a program", () => {
    const schema = (api.components.schemas as Record<string, unknown>).rulesets_ResponseRule;
    for (let seed = 0; seed < 400; seed += 1) {
      const wire = valueOf(schema, new Random(seed), {}) as Parameters<typeof ruleFromWire>[0];
      const rule = ruleFromWire(JSON.parse(JSON.stringify(wire)) as typeof wire);
      const text = printCode(ruleCode(ruleToWrite(rule), plain));
      if (text.includes("SECRET")) continue;
      expect(JSON.parse(JSON.stringify(said(rule)))).toEqual(JSON.parse(JSON.stringify(ruleToWrite(rule))));
    }
  });

  test("keeps a ref set by a user, and no other", () => {
    const named = { ...block("Admin"), id: id(1), ref: "admin" };
    expect(said(named)).toMatchObject({ ref: "admin" });
    expect(said({ ...named, ref: id(1) })).not.toHaveProperty("ref");
    expect(normaliseRule(said({ ...named, ref: "" }))).not.toHaveProperty("ref");
  });

  test.each<[object, string]>([
    [{ action: "block", expression: "ssl", enabled: false }, '{ action: "block", expression: "ssl", enabled: false }'],
    [
      { action: "execute", expression: "true", actionParameters: { id: managedRulesets.free } },
      '{ action: "execute", expression: "true", actionParameters: { id: managedRulesets.free } }',
    ],
    [
      { action: "skip", expression: "ssl", actionParameters: { ruleset: "current" }, logging: { enabled: false } },
      '{ action: "skip", expression: "ssl", actionParameters: { ruleset: "current" }, logging: { enabled: false } }',
    ],
    [
      { action: "skip", expression: "ssl", actionParameters: { products: ["newer"] } },
      '{ action: "skip", expression: "ssl", actionParameters: { products: ["newer"] } }',
    ],
    [
      { action: "log", expression: "ssl", wire: { newer: true } },
      '{ action: "log", expression: "ssl", wire: { newer: true } }',
    ],
  ])("%j is %s", (rule, expected) => {
    expect(printCode(ruleCode(ruleToWrite(deployed(rule)), plain))).toBe(expected);
  });

  test("is a call of owasp() where that expresses all of it, and only there", () => {
    const rule = owasp({ paranoiaLevel: 3, scoreThreshold: 30, action: "log", expression: "ssl", description: "Core" });
    const text = (rule: object): string => printCode(ruleCode(ruleToWrite(deployed(rule)), plain));
    expect(text(rule)).toBe(
      'owasp({ description: "Core", expression: "ssl", paranoiaLevel: 3, scoreThreshold: 30, action: "log" })',
    );
    const more = { ...(rule.actionParameters as object), matchedData: { publicKey: "key" } };
    expect(text({ ...rule, actionParameters: more })).toContain("managedRulesets.owaspCore");
  });
});

describe("what looks like a secret", () => {
  const headers = (value: string) => ({
    action: "rewrite",
    expression: "true",
    actionParameters: {
      headers: { Authorization: { operation: "set", value }, "x-plain": { operation: "set", value: "edge" } },
    },
  });
  const compared = (value: string) => block("Only our proxy", `http.request.headers["x-origin-key"][0] ne "${value}"`);

  test("goes to the configuration, each value under one key, and is in no file", () => {
    const { files, secrets } = program(
      zone("a.example.com", [
        ruleset("http_request_late_transform", [headers("Bearer abcdefghij")]),
        ruleset("http_request_firewall_custom", [compared("hunter22"), compared("another-one")]),
      ]),
      zone("b.example.com", [ruleset("http_request_firewall_custom", [compared("hunter22")])]),
    );
    expect(secrets.map(({ key }) => key)).toEqual(["xOriginKey", "xOriginKeyAExampleCom", "authorization"]);
    const text = Object.values(files).join("");
    for (const secret of ["abcdefghij", "hunter22", "another-one"]) expect(text).not.toContain(secret);
    expect(text).toContain('expression: expression`http.request.headers["x-origin-key"][0] ne ${xOriginKey}`');
    expect(text).toContain('Authorization: { operation: "set", value: authorization }');
    expect(text).toContain('"x-plain": { operation: "set", value: "edge" }');
  });

  test.each([
    // A tag gets the value itself, so the quotes are left out, however they are written, and backslashes stay.
    [
      'http.request.headers["x-api-key"][0] eq r#"hunter22"#',
      'expression`http.request.headers["x-api-key"][0] eq ${xApiKey}`',
    ],
    [
      'http.request.headers["x-api-key"][0] in {"hunter22" "hunter22"} and http.host matches "\\\\d"',
      'expression`http.request.headers["x-api-key"][0] in {${xApiKey} ${xApiKey}} and http.host matches "\\\\d"`',
    ],
    // What the tag would read as an escape of its own is interpolated.
    [
      'http.request.headers["x-api-key"][0] eq "hunter22" and http.host matches r"\\$"',
      'pulumi.interpolate`http.request.headers["x-api-key"][0] eq "${xApiKey}" and http.host matches r"\\\\$"`',
    ],
  ])("the expression %s is %s", (expression, code) => {
    const rule = deployed({ action: "block", expression });
    const { files } = program(zone("a.example.com", [ruleset("http_request_firewall_custom", [rule])]));
    expect(files["index.ts"]).toContain(`expression: ${code}`);
  });

  test.each([
    // The tag writes the backslashes.
    ['http.request.headers["x-api-key"][0] eq "hunter\\"22"', "x-api-key in http_request_firewall_custom"],
    [
      'http.request.headers["x-api-key"][0] eq "hunter\\"22" and http.host matches r"\\$"',
      "x-api-key (with its backslashes) in http_request_firewall_custom",
    ],
    [
      'http.request.headers["x-api-key"][0] eq "hunter22" and http.host matches r"\\$"',
      "x-api-key in http_request_firewall_custom",
    ],
  ])("says of %s whether its value has to be given with backslashes", (expression, what) => {
    const rule = deployed({ action: "block", expression });
    const { secrets } = program(zone("a.example.com", [ruleset("http_request_firewall_custom", [rule])]));
    expect(secrets.map((one) => one.what)).toEqual([what]);
  });

  test.each([
    ['any(http.request.headers["x-api-key"][*] eq "hunter22")', true],
    ['http.request.headers["authorization"][0] in {"hunter22" "hunter23"}', true],
    ['lookup_json_string(http.request.body.raw, "password") eq "hunter22"', true],
    ['http.user_agent contains "Bearer abcdefghijk"', false],
    ['http.user_agent eq "Bearer abcdefghijk"', true],
    ['http.request.headers["authorization"][0] eq "hunter22" and not readable(', true],
    ['http.request.headers["x-feature"][0] eq "hunter22"', false],
    ['http.request.headers["authorization"][0] contains "Bearer"', false],
  ])("%s: %s", (expression, isSecret) => {
    const text = printCode(ruleCode({ action: "block", expression }, plain));
    expect(text.includes("${SECRET}")).toBe(isSecret || expression.includes('"Bearer abc'));
    if (isSecret) expect(text).not.toMatch(/hunter2|abcdefghijk/);
  });
});

describe("a program", () => {
  const shop = () =>
    zone("shop.example.com", [
      ruleset("http_ratelimit", []),
      ruleset("http_request_firewall_custom", [block("Admin"), { action: "log", expression: "ssl" }], {
        description: "Ours",
      }),
    ]);

  test("for one zone is one file", () => {
    expect(program(shop()).files["index.ts"]?.replace(/"\d{32}"/, '"…"'))
      .toBe(`import { PhaseEntrypoint } from "pulumi-rulesets";

// shop.example.com
const zoneId = "…";

new PhaseEntrypoint("shop-example-com-firewall-custom", {
  zoneId,
  phase: "http_request_firewall_custom",
  description: "Ours",
  rules: [
    { description: "Admin", action: "block", expression: 'http.host eq "a"' },
    { action: "log", expression: "ssl" },
  ],
});
`);
  });

  test("for several zones declares shared objects once, and each file imports what it uses", async () => {
    const shared = block("Dot files", 'http.request.uri.path contains "/."');
    const { files } = program(
      zone("b.example.com", [ruleset("http_request_firewall_custom", [shared, block("Only b")])]),
      zone("a.example.com", [ruleset("http_request_firewall_custom", [block("Only a"), shared])]),
    );
    expect(Object.keys(files)).toEqual(["index.ts", "shared.ts", "a-example-com.ts", "b-example-com.ts"]);
    expect(files["index.ts"]).toBe('import "./a-example-com";\nimport "./b-example-com";\n');
    expect(files["shared.ts"]).toContain("export const dotFiles: Rule = {");
    expect(files["a-example-com.ts"]).toContain('import { dotFiles } from "./shared";');
    expect(
      Object.values(files)
        .join("")
        .match(/contains/g),
    ).toHaveLength(1);
    for (const text of Object.values(files)) expect(await formatted(text)).toBe(text);
  });

  test("refers to a custom ruleset by its variable, imported from the file that declares it", () => {
    const blocked = custom("Blocked paths", [block("x")]);
    const execute = { action: "execute", expression: "true", actionParameters: { id: blocked.id } };
    const rulesets = [blocked.id, managedRulesets.free];
    const skip = { action: "skip", expression: "ssl", actionParameters: { rulesets } };
    const account: FoundScope = {
      ...zone("acme", [ruleset("http_request_firewall_custom", [], { kind: "root" }), blocked]),
      scope: { level: "accounts", id: id(7) },
    };
    const { files } = program(
      account,
      zone("a.example.com", [
        ruleset("http_request_firewall_custom", [execute]),
        ruleset("http_request_firewall_managed", [skip]),
      ]),
    );
    expect(files["account-acme.ts"]).toContain('export const blockedPaths = new Ruleset("blocked-paths", {');
    expect(files["a-example-com.ts"]).toContain('import { blockedPaths } from "./account-acme";');
    expect(files["a-example-com.ts"]).toContain("actionParameters: { id: blockedPaths.rulesetId }");
    expect(files["a-example-com.ts"]).toContain("rulesets: [blockedPaths.rulesetId, managedRulesets.free]");
  });

  test("has the same text whatever the order in which things were found", () => {
    const scopes = [shop(), zone("blog.example.com", [custom("One", []), custom("One", []), ruleset("ddos_l7", [])])];
    const shuffled = [...scopes].reverse().map((scope) => ({ ...scope, rulesets: [...scope.rulesets].reverse() }));
    expect(program(...shuffled)).toEqual(program(...scopes));
  });

  test("uses names that do not clash", async () => {
    const reserved = ["default", "new", "owasp", "zoneId", "__proto__"];
    const names = [...reserved, "1st", "Blocked", "blocked", "日本", "日本語", "", "a".repeat(90)];
    const rulesets = names.map((name) => custom(name, [block("x")]));
    const execute = rulesets.map(({ id: other }) => ({
      action: "execute",
      expression: "true",
      actionParameters: { id: other },
    }));
    const { files } = program(zone("index", [...rulesets, ruleset("http_request_firewall_custom", execute)]), shop());
    const text = files["index-0000000"] ?? Object.entries(files).find(([path]) => path.startsWith("index-"))?.[1] ?? "";
    const variables = [...text.matchAll(/^const (\w+) = new Ruleset/gm)].map(([, variable]) => variable);
    expect(new Set(variables).size).toBe(names.length);
    const resources = [...text.matchAll(/new Ruleset\("([^"]+)"/g)].map(([, resource]) => resource);
    expect(new Set(resources).size).toBe(names.length);
    expect(await formatted(text)).toBe(text);
    expect(["default", "new", "1st", "", "日本"].map((one) => identifier(one, "ruleset"))).toEqual([
      "defaultRuleset",
      "newRuleset",
      "ruleset1st",
      "ruleset",
      "ruleset",
    ]);
  });

  test("leaves out what it cannot represent, and explains so in its place", () => {
    const odd = { action: "skip", expression: "ssl", actionParameters: { rules: { [managedRulesets.free]: [] } } };
    const future = {
      action: "block",
      expression: "ssl",
      actionParameters: { response: { statusCode: 200, newer: 1 } },
    };
    const { files, leftOut } = program(
      zone("shop.example.com", [
        { ...ruleset("http_request_firewall_managed", [odd]), id: undefined },
        { ...ruleset("http_request_firewall_custom", [block("fine"), future]), id: undefined },
        ruleset("http_ratelimit", [block("x")], { kind: "schema" }),
        ruleset("http_request_redirect", [block("of an account alone")]),
        ruleset("http_ratelimits", [block("looks like a mistake")]),
        ruleset("", [block("of no phase")]),
        ruleset("http_request_transform", [block("y", "true")], { phase: "some_new_phase" }),
      ]),
    );
    expect(leftOut.map(({ what, reason }) => [what, reason])).toEqual([
      ["", "a preview refuses it: phase: is required"],
      [
        expect.stringMatching(/^ruleset ".*" of kind schema \(http_ratelimit\)$/),
        "only Cloudflare creates rulesets of kind schema, so no program can declare it",
      ],
      ["http_ratelimits", expect.stringMatching(/^a preview refuses it: phase: .* did you mean "http_ratelimit"/)],
      ["http_request_firewall_custom", expect.stringMatching(/^rules\[1\]/)],
      ["http_request_firewall_managed", expect.stringMatching(/^rules\[0\]/)],
      ["http_request_redirect", expect.stringMatching("exists for accounts only")],
    ]);
    expect(files["index.ts"]).toContain("// Left out: http_request_firewall_custom: rules[1]");
    expect(files["index.ts"]).toContain('phase: "some_new_phase"');
  });

  test("declares authorities of hostnames in a loop, and hostnames with the same name by ID", async () => {
    const hostname = (name: string, own: string) => ({ id: own, hostname: name, certificateAuthority: "google" });
    const { files, declared } = program(
      zone("a.example.com", [], {
        hostnames: [hostname("b.test", "2"), hostname("a.test", "1"), hostname("c.test", "4"), hostname("c.test", "3")],
        totalTls: "lets_encrypt",
      }),
    );
    expect(declared.map(({ type, name, id }) => [type, name, id?.split("/").slice(2).join("/")])).toEqual([
      ["CustomHostnameCa", "a-example-com-a.test", "custom-hostnames/1/certificate-authority"],
      ["CustomHostnameCa", "a-example-com-b.test", "custom-hostnames/2/certificate-authority"],
      ["CustomHostnameCa", "a-example-com-c.test-3", "custom-hostnames/3/certificate-authority"],
      ["CustomHostnameCa", "a-example-com-c.test-4", "custom-hostnames/4/certificate-authority"],
      ["TotalTlsCa", "a-example-com-total-tls", "total-tls"],
    ]);
    expect(files["index.ts"]).toContain('const hostnames = {\n  "a.test": "google",\n  "b.test": "google",\n};');
    expect(files["index.ts"]).toContain(
      'new CustomHostnameCa("a-example-com-c.test-3", { zoneId, customHostnameId: "3"',
    );
    expect(files["index.ts"]).toContain('new TotalTlsCa("a-example-com-total-tls"');
    expect(await formatted(files["index.ts"] ?? "")).toBe(files["index.ts"]);
  });

  test("for 1,000 rules takes time proportional to their number", () => {
    const rules = Array.from({ length: 1000 }, (_, index) =>
      block(`Rule ${String(index)}`, `ip.src eq 192.0.2.${String(index % 250)}`),
    );
    const { files } = program(zone("a.example.com", [ruleset("http_request_firewall_custom", rules)]));
    expect(files["index.ts"]?.match(/^    \{ description/gm)).toHaveLength(1000);
  });
});

test("imports only what the package exports, and no variable shadows an import", () => {
  const library: object = { managedRulesets, owasp, expression };
  expect(IMPORTED_NAMES.filter((one) => !(one in library))).toEqual([]);
  const rulesets = IMPORTED_NAMES.map((one) => custom(one, [block("x")]));
  const text = program(zone("a.example.com", rulesets)).files["index.ts"] ?? "";
  expect(text.match(/^const (\w+)/gm)?.filter((line) => IMPORTED_NAMES.includes(line.slice(6)))).toEqual([]);
});
