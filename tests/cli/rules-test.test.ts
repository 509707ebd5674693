import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { runTests, type TestCommand } from "../../tools/cli/rules/test/command.js";
import type { TestReport } from "../../tools/rules-files/test/run.js";
import type { Emulator } from "../../emulator/index.js";
import { clientFor } from "../support/client.js";
import { Service } from "../support/emulator.js";
import { folder, newFile } from "./support.js";
import { emulatorWith } from "../support/emulators.js";

const FIREWALL = "http_request_firewall_custom";
const rule = (ref: string, action: string, expression: string, more: object = {}) => ({
  ...{ ref, action, expression },
  ...more,
});
const ratelimit = {
  ...{ characteristics: ["cf.colo.id", "ip.src"], period: 60, requests_per_period: 3, mitigation_timeout: 60 },
  counting_expression: "http.response.code eq 401",
};
const headers = { "X-A": { operation: "set", value: "1" }, "X-B": { operation: "remove" } };
const phase = (name: string, ...rules: ReturnType<typeof rule>[]) => ({ phase: name, rules });
const RULES = {
  rulesets: [
    phase(
      FIREWALL,
      rule("admin", "block", 'starts_with(http.request.uri.path, "/admin")'),
      rule("scan", "managed_challenge", 'http.user_agent contains "scan"'),
      rule("office", "log", "ip.src in $office"),
    ),
    phase(
      "http_request_redirect",
      rule("moved", "redirect", "true", { action_parameters: { from_list: { name: "moved" } } }),
    ),
    phase("http_request_late_transform", rule("header", "rewrite", "true", { action_parameters: { headers } })),
    phase("http_ratelimit", rule("logins", "block", 'http.request.uri.path eq "/login"', { ratelimit })),
  ],
};

interface Ran {
  readonly code: number;
  readonly text: string;
}

async function run(path: string, options: Partial<TestCommand> = {}, url = "http://127.0.0.1:9"): Promise<Ran> {
  const lines: string[] = [];
  const code = await runTests([path], options, {
    connect: () => clientFor(url),
    print: (line) => lines.push(line),
  });
  return { code, text: lines.join("\n") };
}

/** A folder with the rules and their tests. */
const suite = (text: string): string =>
  folder({ "rules.json": RULES, "shop.firewall.yaml": `rules: rules.json\n${text}` });

test("a rule that cannot be read is named with its line", async () => {
  const rule = "{ ref: a, action: block, expression: ssl and }";
  const file = newFile(
    "a.firewall.yaml",
    `rules:\n  - phase: ${FIREWALL}\n    rules: [${rule}]\ntests: [{ request: GET https://a.test/, expect: allow }]\n`,
  );
  await expect(run(file)).rejects.toThrow(/a\.firewall\.yaml:3:\d+: "a", rules\[0\]\.expression: expected a field/);
});

const GOOD = `
coverage: 1
request: { ip: 203.0.113.9, headers: { accept: "*/*", x-b: "1" }, lists: { office: [192.0.2.0/24] } }
redirectLists:
  moved: [{ sourceUrl: "example.com/old", targetUrl: "https://example.com/new" }]
tests:
  - name: the admin pages are closed
    request: { url: "https://example.com/admin" }
    expect: { block: admin }
  - request: GET https://example.com/
    expect: allow
  - name: scanners are challenged
    request: { url: "https://example.com/", headers: { User-Agent: scan } }
    expect: { challenge: { by: scan } }
  - name: the office is watched
    request: { url: "https://example.com/", ip: 192.0.2.7 }
    expect: allow
  - name: old pages
    request: { url: "https://example.com/old" }
    expect: { redirect: { to: "https://example.com/new", status: 301 } }
  - name: headers
    request: { url: "https://example.com/" }
    expect: { rewrite: { headers: { x-a: "1", x-b: null, accept: "*/*" } }, allow: {} }
  - name: the login after the failure that is one too many
    request: { method: POST, url: "https://example.com/login" }
    response: 401
    expect: { limit: 4 }
`;

test.each([
  ["is misspelled", "http_request_firewall_costum", 'does not exist; did you mean "http_request_firewall_custom"?'],
  ["is not known", "waf", "What its rules do to requests is not known here"],
])("rules whose phase %s pass no test", async (_, phase, reason) => {
  const rules = [{ phase, rules: [{ action: "block", expression: "ssl" }] }];
  const tests = "[{ request: GET https://a.test/, expect: allow }]";
  const own = newFile("a.firewall.yaml", `rules: ${JSON.stringify(rules)}\ntests: ${tests}\n`);
  await expect(run(own)).rejects.toThrow(/a\.firewall\.yaml:1:\d+: rules\[0\], phase: the phase/);
  await expect(run(own)).rejects.toThrow(reason);
  const file = newFile("rules.json", rules);
  await expect(run(own, { rules: file })).rejects.toThrow(/rules\.json:3:\d+: .*phase: the phase/);
});

test("rules in the phase of a product with an API of its own do not stop the tests of others", async () => {
  const rules = [{ phase: "http_request_snippets", rules: [] }, ...RULES.rulesets.slice(0, 1)];
  const tests = `[{ request: "GET https://example.com/admin", expect: { block: admin } }]`;
  expect((await run(newFile("a.firewall.yaml", `rules: ${JSON.stringify(rules)}\ntests: ${tests}\n`))).code).toBe(0);
});

describe("a file with the rules that it tests", () => {
  const own = (rules: object): string =>
    folder({
      "own.firewall.yaml": `rules: ${JSON.stringify(rules)}\ntests: [{ request: "GET https://example.com/admin", expect: { block: admin } }]`,
    });

  test("needs no other file", async () => {
    const { code, text } = await run(own(RULES.rulesets.slice(0, 1)));
    expect(text).toContain("  passed  GET https://example.com/admin");
    expect(code).toBe(0);
  });

  test("is tested against other rules with --rules", async () => {
    const none = newFile("none.json", { phase: FIREWALL, rules: [] });
    const { code } = await run(own(RULES.rulesets.slice(0, 1)), { rules: none });
    expect(code).toBe(2);
  });

  test("says where a ruleset lacks its phase", async () => {
    await expect(run(own([{ rules: [] }]))).rejects.toThrow(/own\.firewall\.yaml:1:9: rules\[0\]\.phase: is required/);
  });
});

test("a request whose URL is a path goes to the zone of the file, and needs its name", async () => {
  const rules = [
    { phase: FIREWALL, rules: [{ ref: "shop", action: "block", expression: 'http.host eq "shop.test"' }] },
  ];
  const file = (zone: string): string =>
    folder({
      "own.firewall.yaml": `rules: ${JSON.stringify(rules)}\nzone: ${zone}\ntests: [{ request: GET /admin, expect: block }]`,
    });
  expect((await run(file("{ name: shop.test }"))).code).toBe(0);
  expect((await run(file("{ name: blog.test }"))).code).toBe(2);
  await expect(run(file("{ plan: pro }"))).rejects.toThrow(
    /own\.firewall\.yaml:3:9: \/admin is the path of a zone whose name is not known\. To continue: add `zone/,
  );
});

test("tests in YAML pass, and hit every rule", async () => {
  const { code, text } = await run(suite(GOOD));
  expect(text).toContain("  passed  the admin pages are closed");
  expect(text).toContain("  passed  GET https://example.com/");
  expect(text).toContain("6 of 6 rules hit by tests.");
  expect(text).toContain("7 tests: 7 passed, 0 failed.");
  expect(code).toBe(0);
});

const BAD = `
tests:
  - name: <everybody> & "all" are let in
    request: { url: "https://example.com/admin" }
    expect: allow
`;

test("a failing test shows the result of every rule, and its position", async () => {
  const { code, text } = await run(suite(BAD));
  expect(code).toBe(2);
  expect(text).toContain(
    '  FAILED  <everybody> & "all" are let in\n      expected GET https://example.com/admin to be allowed',
  );
  expect(text).toContain('the request is blocked by "admin"');
  expect(text).toMatch(/at .*shop\.firewall\.yaml:4/);
});

test("the exit code is 2 when the coverage is below its threshold", async () => {
  const tests = `tests: [{ request: GET https://example.com/admin, expect: block }]`;
  expect((await run(suite(tests))).code).toBe(0);
  expect(await run(suite(tests), { coverage: "0.9" })).toMatchObject({
    code: 2,
    text: expect.stringContaining("The coverage must be at least 90%.") as string,
  });
  expect((await run(suite(`coverage: 0.9\n${tests}`))).code).toBe(2);
  await expect(run(suite(tests), { coverage: "90" })).rejects.toThrow(
    "--coverage must be a number from 0 to 1, such as 0.9, not 90",
  );
});

test("JSON contains the results and the coverage", async () => {
  const { text } = await run(suite(BAD), { json: true });
  expect(JSON.parse(text) as TestReport).toMatchObject({
    suites: [{ tests: [{ place: { line: 4 }, failures: [expect.stringContaining("to be allowed")] }] }],
    coverage: [{ rules: 6, hit: 1, missed: [{ ref: "scan" }, {}, {}, {}, {}] }],
  });
});

test.each([
  ["tests: []", /tests: must not be empty: requests, and what the rules do to them/],
  ["test: [x]", /shop\.firewall\.yaml:2:7: test: is not known here; did you mean tests\?/],
  [
    "tests: [{ request: GET https://a.example/, expect: allowed }]",
    /expect: must be one of allow, block, .*; did you mean allow\?/,
  ],
  ["tests: [{ request: GET https://a.example/ }]", /tests\[0\]\.expect: is required/],
  ["tests: [{ request: { ur: x }, expect: allow }]", /request\.ur: is not known here; did you mean url\?/],
  ["tests: [{ request: { method: GET }, expect: allow }]", /tests\[0\]\.request: url is required/],
  ["tests: [{ request: { url: 'https://a.example/', asn: x }, expect: allow }]", /request\.asn: must be a number/],
  [
    "tests: [{ request: GET https://a.example/, expect: { block: { bye: x } } }]",
    /block\.bye: is not known here; did you mean by\?/,
  ],
  [
    "tests: [{ request: GET https://a.example/, expect: redirect }]",
    /expect: must be one of allow, .*, or an object with allow, block, challenge, redirect/,
  ],
  [
    "tests: [{ request: GET https://a.example/, expect: { limit: many } }]",
    /expect\.limit: must be a number, or an object with after/,
  ],
  [
    "zone: { plan: gold }\ntests: [{ request: GET https://a.example/, expect: allow }]",
    /zone\.plan: must be one of free, pro/,
  ],
  ["tests: [{ request: somewhere, expect: allow }]", /tests\[0\]\.request: is not a request; write `GET/],
])("%s is refused with its position", async (text, message) => {
  await expect(run(suite(text))).rejects.toThrow(message);
});

test("files without rules, and folders without tests, are refused", async () => {
  const withoutRules = folder({
    "a.firewall.yaml": "tests: [{ request: GET https://a.example/admin, expect: block }]",
  });
  await expect(run(withoutRules)).rejects.toThrow(/does not say which rules it tests.*--rules/s);
  expect((await run(withoutRules, { rules: join(suite(GOOD), "rules.json") })).code).toBe(0);
  await expect(run(folder({}))).rejects.toThrow("ends in .firewall.yaml");
  await expect(run(withoutRules, { trace: true })).rejects.toThrow("To continue: pass --zone");
});

describe("--trace", () => {
  let emulator: Emulator;
  let server: Server;
  let url: string;
  let zone: string;
  let account: string;
  /** Requests to the tracer. */
  let traced: Record<string, unknown>[];
  /** Whether the rule `admin` matches at the service. */
  let adminMatches: boolean;

  /** Starts the service behind a server that answers requests to the tracer. */
  beforeAll(async () => {
    emulator = await emulatorWith();
    const service = new Service(emulator);
    zone = await service.zone();
    account = await service.account();
    const own = RULES.rulesets[0]?.rules ?? [];
    const rules = own.map((rule) =>
      rule.ref === "office" ? { ...rule, expression: "ip.src in {192.0.2.0/24}" } : rule,
    );
    const { id } = await service.create(`zones/${zone}`, { name: "default", kind: "zone", phase: FIREWALL, rules });
    const deployed = await service.ruleset(`zones/${zone}`, id);
    const step = (index: number, matched: boolean) => {
      const rule = deployed.rules[index];
      return { type: "rule", step_name: rule?.id, matched, action: rule?.action, expression: rule?.expression };
    };
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const body = Buffer.concat(parts).toString();
        if (request.url === `/accounts/${account}/request-tracer/trace` && request.method === "POST") {
          traced.push(JSON.parse(body) as Record<string, unknown>);
          const steps = [step(0, adminMatches), ...(adminMatches ? [] : [step(1, false), step(2, false)])];
          const ruleset = { type: "ruleset", step_name: id, kind: "zone", name: "default", matched: adminMatches };
          const trace = [
            { type: "phase", step_name: FIREWALL, matched: adminMatches, trace: [{ ...ruleset, trace: steps }] },
          ];
          const result = { status_code: adminMatches ? 403 : 200, trace };
          response.setHeader("content-type", "application/json");
          response.end(JSON.stringify({ success: true, errors: [], messages: [], result }));
          return;
        }
        const headers = { authorization: request.headers.authorization ?? "" };
        void fetch(`${emulator.url}${request.url ?? ""}`, { method: request.method, headers }).then(async (answer) => {
          response.statusCode = answer.status;
          response.setHeader("content-type", "application/json");
          response.end(await answer.text());
        });
      });
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  beforeEach(() => {
    traced = [];
    adminMatches = true;
  });

  const tests = `
tests:
  - name: the admin pages are closed
    request: { method: POST, url: "https://shop.example.com/admin?a=1", country: de, botScore: 3, httpVersion: 2,
      headers: { User-Agent: curl/8 }, body: hello }
    expect: { block: admin }
`;

  test("sends the request to the tracer, and reports that both agree", async () => {
    const { code, text } = await run(suite(tests), { trace: true, zone }, url);
    expect(text).toContain("Against the request tracer: 2 verdicts agree, 0 disagree, 1 could not be compared.");
    expect(code).toBe(0);
    expect(traced).toEqual([
      {
        method: "POST",
        url: "https://shop.example.com/admin?a=1",
        headers: { "user-agent": "curl/8" },
        body: { plain_text: "hello" },
        protocol: "HTTP/2",
        skip_response: true,
        context: { bot_score: 3, skip_challenge: false, geoloc: { iso_code: "DE" } },
      },
    ]);
  });

  test("shows where the service disagrees, and fails", async () => {
    adminMatches = false;
    const { code, text } = await run(suite(tests), { trace: true, zone }, url);
    expect(code).toBe(2);
    expect(text).toContain('the service disagrees about "admin":');
    expect(text).toContain('expression: starts_with(http.request.uri.path, "/admin")');
    expect(text).toContain('local:   matched: `starts_with(http.request.uri.path, "/admin")` is true');
    expect(text).toContain("service: not matched");
    expect(text).toContain("1 test: 0 passed, 1 failed.");
    const { suites } = JSON.parse((await run(suite(tests), { trace: true, zone, json: true }, url)).text) as TestReport;
    expect(suites[0]?.tests[0]?.trace?.disagreements).toMatchObject([{ rule: '"admin"', service: "not matched" }]);
  });

  test("does not compare rules on fields that the tracer does not accept", async () => {
    adminMatches = false;
    const open = `
tests:
  - request: { url: "https://shop.example.com/", ip: 192.0.2.7 }
    expect: allow
`;
    const { code, text } = await run(suite(open), { trace: true, zone }, url);
    expect(text).toContain('not compared: "office": the tracer does not take ip.src');
    expect(text).toContain("2 verdicts agree, 0 disagree, 1 could not be compared.");
    expect(code).toBe(0);
  });

  test("requests one trace per test, and the rules once", async () => {
    const service = new Service(emulator);
    await service.forget();
    await run(suite(`${tests}${tests.replace("\ntests:", "")}`), { trace: true, zone }, url);
    expect(traced).toHaveLength(2);
    expect(await service.requests()).toHaveLength(4);
  });
});
