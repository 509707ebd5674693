import { FINDINGS } from "../../core/language/generated/findings.js";
import { runCheck, type CheckCommand } from "../../tools/cli/rules/check/command.js";
import type { CheckReport } from "../../tools/rules-files/check/report.js";
import type { Emulator } from "../../emulator/index.js";
import { clientFor } from "../support/client.js";
import { Service } from "../support/emulator.js";
import { until } from "../../provider/sdk/writing/rollout.js";
import { newFile } from "./support.js";
import { emulatorWith } from "../support/emulators.js";

const FIREWALL = "http_request_firewall_custom";
const wrong = {
  result: {
    id: "0123456789abcdef0123456789abcdef",
    kind: "zone",
    phase: FIREWALL,
    rules: [
      { ref: "admin", action: "block", expression: 'ip.src eq "abc"', version: "1" },
      { ref: "partner", action: "log", expression: 'http.request.partner eq "a"', version: "1" },
      {
        ref: "page",
        action: "block",
        expression: "ssl",
        action_parameters: { response: { status_code: 9, content: "no", content_type: "text/plain" } },
      },
    ],
  },
};

interface Checked {
  readonly code: number;
  readonly text: string;
}

async function check(
  paths: string[],
  { now = "2026-11-22T00:00:00Z", ...options }: Partial<CheckCommand> & { readonly now?: string } = {},
  emulator?: Emulator,
): Promise<Checked> {
  const lines: string[] = [];
  const code = await runCheck(
    paths,
    { failOn: "error", ...options },
    {
      connect: () => clientFor(emulator?.url ?? "http://127.0.0.1:9"),
      print: (line) => lines.push(line),
      version: "1.2.3",
      now,
    },
  );
  return { code, text: lines.join("\n") };
}

const report = ({ text }: Checked): CheckReport => JSON.parse(text) as CheckReport;

const ID = "0123456789abcdef0123456789abcdef";

test.each([
  ["a managed ruleset", { kind: "managed" }, "kind"],
  ["the entry point of a zone in an account", { kind: "zone", accountId: ID }, "kind"],
  ["the entry point of an account in a zone", { kind: "root", zone_id: ID }, "kind"],
  ["a custom ruleset of another phase in a zone", { kind: "custom", zoneId: ID, phase: "http_ratelimit" }, "kind"],
  ["a phase of accounts in a zone", { kind: "zone", phase: "magic_transit" }, "phase"],
  ["a phase of zones in an account", { accountId: ID, phase: "http_request_origin" }, "phase"],
  ["a zone and an account", { kind: "custom", zoneId: ID, accountId: ID }, "shape"],
  ["a zone by its name", { zoneId: "example.com" }, "ids"],
])("%s is refused as its resource refuses it", async (_, ruleset, code) => {
  const file = newFile("scope.json", { phase: FIREWALL, rules: [], ...ruleset });
  const { findings } = report(await check([file], { json: true }));
  expect(findings.filter(({ severity }) => severity === "error").map((one) => one.code)).toEqual([code]);
});

test("finds a skip rule after the rules that it would skip, whatever they do", async () => {
  const skip = { ref: "office", action: "skip", expression: "ssl", action_parameters: { ruleset: "current" } };
  const rules = [{ ref: "admin", action: "block", expression: 'http.request.uri.path eq "/admin"' }, skip];
  const { findings } = report(
    await check([newFile("late-skip.json", { kind: "zone", phase: FIREWALL, rules })], { json: true }),
  );
  expect(findings).toMatchObject([{ code: "skip-order", severity: "warning" }]);
});

test("says that unknown values may be newer than a catalogue which is half a year old", async () => {
  const rules = (country: string) => [{ ref: "a", action: "block", expression: `ip.src.country eq "${country}"` }];
  const notes = async (country: string, now: string): Promise<readonly string[]> => {
    const file = newFile("rules.json", { kind: "zone", phase: FIREWALL, rules: rules(country) });
    return report(await check([file], { json: true, now })).notes;
  };
  expect(await notes("UK", "2027-04-12T00:00:00Z")).toEqual([
    expect.stringMatching(/^the catalogue of the rules language is of 2026-10-10, more than half a year ago: /),
  ]);
  expect(await notes("UK", "2027-04-01T00:00:00Z")).toEqual([]);
  expect(await notes("DE", "2027-04-12T00:00:00Z")).toEqual([]);
});

test("lists rules whose time is over or soon will be", async () => {
  const rule = (ref: string, more: object) => ({ ref, action: "block", expression: `http.host eq "${ref}"`, ...more });
  const rules = [
    until(rule("over", {}), "2026-11-21"),
    until(rule("soon", {}), "2026-11-28"),
    until(rule("late", {}), "2026-11-29"),
    rule("deployed", { expression: "ssl and http.request.timestamp.sec lt 1" }),
  ];
  const file = newFile("times.json", { kind: "zone", phase: FIREWALL, rules });
  const { findings } = report(await check([file], { json: true }));
  expect(findings.map(({ code, severity, rule: of, message }) => [code, severity, of?.ref, message])).toEqual([
    ["expired", "warning", "over", "it expired at the end of 2026-11-21 (UTC)"],
    ["expiring", "warning", "soon", "it expires in 7 days, at the end of 2026-11-28 (UTC)"],
    ["expired", "warning", "deployed", "it expired at 1970-01-01 00:00:01 (UTC)"],
  ]);
  const soon = async (expiryWarningDays: number) =>
    report(await check([file], { json: true, expiryWarningDays })).findings.flatMap(({ code, rule: of }) =>
      code === "expiring" ? [of?.ref] : [],
    );
  expect([await soon(0), await soon(30)]).toEqual([[], ["soon", "late"]]);
});

test("notes descriptions of which logs show only the beginning, and refuses those beyond the limit", async () => {
  const rule = (ref: string, description: string) => ({ ref, action: "block", expression: "ssl", description });
  const rules = [rule("fine", "ü".repeat(64)), rule("long", "ü".repeat(65)), rule("beyond", "x".repeat(4097))];
  const file = newFile("descriptions.json", { kind: "zone", phase: FIREWALL, rules });
  const { findings } = report(await check([file], { json: true }));
  const found = findings.flatMap(({ code, severity, rule: of, message }) =>
    code === "description" ? [[severity, of?.ref, message]] : [],
  );
  expect(found).toEqual([
    ["info", "long", "has 130 bytes; logs show the first 128"],
    ["error", "beyond", "has 4097 bytes; the service allows at most 4096"],
    ["info", "beyond", "has 4097 bytes; logs show the first 128"],
  ]);
});

describe("a file of rulesets", () => {
  const file = newFile("rules.json", wrong);

  test("prints findings with a name, a position in the file, and the line below", async () => {
    const { code, text } = await check([file]);
    expect(code).toBe(2);
    expect(text).toContain(
      `error[type] ${file}:10:23, ${FIREWALL} rules[0].expression:11 ("admin")\n` +
        '  `ip.src` has type IP address, but `"abc"` is a string\n      ip.src eq "abc"\n                ^^^^^',
    );
    expect(text).toContain(`warning[unknown-field] ${file}:16:23, ${FIREWALL} rules[1].expression:1 ("partner")`);
    expect(text).toContain(
      `error[shape] ${file}:25:28, ${FIREWALL} rules[2].actionParameters.response.statusCode ("page")`,
    );
    expect(text).toContain("3 rules in 1 ruleset: 2 errors, 1 warning.");
  });

  test("prints the same as JSON", async () => {
    const { findings, sources } = report(await check([file], { json: true }));
    expect(findings.map(({ code, severity, rule, path: at }) => [code, severity, rule?.ref, at])).toEqual([
      ["type", "error", "admin", "rules[0].expression"],
      ["unknown-field", "warning", "partner", "rules[1].expression"],
      ["shape", "error", "page", "rules[2].actionParameters.response.statusCode"],
    ]);
    expect(sources).toEqual([{ label: file, rulesets: 1, rules: 3 }]);
  });

  test("prints SARIF with a rule for every name, a region, and suppressions for waived findings", async () => {
    const waivers = newFile("w.yaml", "waivers: [{ finding: unknown-field, rule: partner, reason: ours }]");
    const { text, code } = await check([file], { sarif: true, waivers });
    expect(code).toBe(2);
    const sarif = JSON.parse(text) as {
      version: string;
      runs: { tool: { driver: { rules: { id: string }[] } }; results: Record<string, unknown>[] }[];
    };
    expect(sarif.version).toBe("2.1.0");
    const [run] = sarif.runs;
    const rules = run?.tool.driver.rules.map(({ id }) => id) ?? [];
    expect(rules).toEqual(Object.keys(FINDINGS).sort());
    expect(run?.results[0]).toMatchObject({
      ruleId: "type",
      level: "error",
      locations: [{ physicalLocation: { region: { startLine: 10, startColumn: 23 } } }],
    });
    expect(run?.results.every(({ ruleId, ruleIndex }) => rules[Number(ruleIndex)] === ruleId)).toBe(true);
    expect(run?.results[1]).toMatchObject({ suppressions: [{ kind: "external", justification: "ours" }] });
    expect(run?.results[0]).not.toHaveProperty("suppressions");
  });

  test("accepts rules in the format of programs", async () => {
    const ratelimit = {
      characteristics: ["cf.colo.id", "ip.src"],
      period: 60,
      requestsPerPeriod: 5,
      mitigationTimeout: 60,
    };
    const rules = [{ ref: "a", action: "block", expression: "ssl", ratelimit }];
    const own = newFile("own.json", [{ phase: "http_ratelimit", rules }]);
    expect(await check([own])).toMatchObject({ code: 0, text: "1 rule in 1 ruleset: 0 errors, 0 warnings." });
  });

  test("reports with --plan what the plan does not include", async () => {
    const rules = [{ ref: "a", action: "block", expression: 'http.host matches "a"' }];
    const own = newFile("own.json", { phase: FIREWALL, rules });
    expect((await check([own])).text).toContain("0 warnings");
    expect((await check([own], { plan: "pro" })).text).toContain(
      "the operator matches, which needs a Business plan or WAF Advanced",
    );
  });

  test.each([
    ["warning", 2],
    ["never", 0],
  ] as const)("--fail-on %s exits with %d", async (failOn, code) => {
    expect((await check([file], { failOn })).code).toBe(code);
  });

  test.each([
    ["{ not json", /rules\.json:1:\d+: /],
    ["{}", /rules\.json:1:1: contains no ruleset/],
    ['{"rules": []}', /phase: is required/],
    ['{"phase": "x", "rulez": []}', /rules\.json:1:\d+: rulez: there is no field "rulez"; did you mean "rules"\?/],
    ['{"phase": "x", "kind": "zones"}', /kind: must be one of root, zone, custom, managed; did you mean zone\?/],
    ['{"rulesets": [], "list": {}}', /list: there is no field "list"; did you mean "lists"\?/],
    ['[{"phase": "x",\n"rules": [{"expression": "ssl"}]}]', /rules\.json:2:11: \[0\]\.rules\[0\]\.action: is required/],
  ])("refuses %j, and names the line", async (content, message) => {
    await expect(check([newFile("rules.json", content)])).rejects.toThrow(message);
  });

  test("refuses a path that does not exist", async () => {
    await expect(check(["nowhere"])).rejects.toThrow(
      "nowhere does not exist; pass the folder of a program, a file of rulesets",
    );
  });
});

describe("waivers", () => {
  const file = newFile("rules.json", wrong);
  const withWaivers = (...waivers: object[]) => check([file], { waivers: newFile("w.json", { waivers }) });

  test("exclude findings from the exit code, and the report shows the reasons", async () => {
    const { code, text } = await withWaivers(
      { finding: "type", rule: "admin", reason: "goes with the next release", until: "2026-12-31" },
      { finding: "shape", ruleset: FIREWALL, reason: "the service takes it" },
    );
    expect(code).toBe(0);
    expect(text).toContain("Waived:\n- type");
    expect(text).toContain('("admin"): goes with the next release (until 2026-12-31)');
    expect(text).toContain("0 errors, 1 warning, 2 waived");
  });

  test("that match nothing or have expired are reported", async () => {
    const { code, text } = await withWaivers(
      { finding: "type", rule: "other", reason: "x" },
      { finding: "shape", reason: "x", until: "2026-11-21" },
    );
    expect(code).toBe(2);
    expect(text).toMatch(/Unused waivers:\n- .*w\.json:3: type matches nothing\n- .*w\.json:8: shape has expired/);
  });

  test.each([
    [
      { finding: "typ", reason: "x" },
      /w\.json:4:18: waivers\[0\]\.finding: must be the name of a finding; did you mean type\?/,
    ],
    [{ finding: "type" }, /reason: is required/],
    [{ finding: "type", reason: "x", until: "soon" }, /until: must be a day such as/],
    [{ finding: "type", reason: "x", rul: "a" }, /waivers\[0\]\.rul: is not known here; did you mean rule\?/],
  ])("%j is refused", async (waiver, message) => {
    await expect(withWaivers(waiver)).rejects.toThrow(message);
  });
});

describe("a live zone", () => {
  let emulator: Emulator;
  let service: Service;
  let zone: string;
  beforeAll(async () => {
    emulator = await emulatorWith();
    service = new Service(emulator);
    zone = await service.zone("pro");
    const rules = [{ description: "Old network", action: "block", expression: "ip.geoip.asnum eq 64496" }];
    await service.create(`zones/${zone}`, { name: "default", kind: "zone", phase: FIREWALL, rules });
    await service.forget();
  });

  test("is checked like a file, and the report names the zone", async () => {
    const checked = await check([], { zone: [zone], json: true }, emulator);
    expect(checked.code).toBe(0);
    const { findings, sources } = report(checked);
    expect(findings).toMatchObject([
      { code: "deprecated", severity: "warning", ruleset: FIREWALL, rule: { name: '"Old network"' } },
    ]);
    expect(sources[0]?.label).toMatch(/^the zone /);
  });

  test("is reported with the description of the rule, not the ID that the service gave it", async () => {
    expect((await check([], { zone: [zone] }, emulator)).text).toContain(
      `warning[deprecated] the zone pro.example.com, ${FIREWALL} rules[0].expression:1 ("Old network")`,
    );
  });

  test("takes one request for the zone, two lists, and one for each ruleset", async () => {
    await service.forget();
    await check([], { zone: [zone] }, emulator);
    const requests = await service.requests();
    expect(requests).toHaveLength(4);
    expect(requests.every((request) => request.startsWith("GET "))).toBe(true);
  });

  test("that cannot be read makes the exit code 3, and the others are still reported", async () => {
    const { code, text } = await check([], { zone: ["0".repeat(32), zone], json: false }, emulator);
    expect(code).toBe(3);
    expect(text).toContain(`Could not be read:\n- the zone ${"0".repeat(32)}: `);
    expect(text).toContain("1 rule in 1 ruleset");
  });

  test("is checked without the rules of an account that cannot be read, and the report says so", async () => {
    await service.fault({ path: "/accounts/", status: 403, times: 2 });
    const { code, text } = await check([], { zone: [zone] }, emulator);
    expect(code).toBe(3);
    expect((await check([], { zone: [zone], allowForbidden: true }, emulator)).code).toBe(0);
    expect(text).toMatch(/Notes:\n- Could not be read and left out: the rulesets of the account \w+: /);
  });
});

test("checks the filters of a file of invariants, for the plans of the zones that they are about", async () => {
  const file = (requests: string, more = ""): string =>
    newFile("a.invariants.yaml", `invariants:\n  - name: admin\n    ${more}requests: ${requests}\n    must: block\n`);
  const misspelt = await check([file('http.request.uri.pth eq "/admin"')], { json: true });
  expect(misspelt.code).toBe(2);
  expect(report(misspelt).findings).toMatchObject([
    {
      code: "unknown-field",
      severity: "error",
      path: "invariants[0].requests",
      instead: "http.request.uri.path",
      file: { line: 3, column: 15 },
    },
  ]);
  const score = "cf.bot_management.score lt 30";
  expect((await check([file(score)])).code).toBe(0);
  const onPro = await check([file(score, "zones: { plan: [enterprise, pro] }\n    ")]);
  expect(onPro.text).toContain("error[plan]");
  expect(onPro.text).toContain(":4:15, admin invariants[0].requests:1");
  expect((await check([file(score)], { plan: "free" })).code).toBe(2);
  await expect(check([file("ssl\n    except: 3")])).rejects.toThrow("a.invariants.yaml");
});
