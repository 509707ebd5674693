import { join } from "node:path";
import type { Emulator } from "../../emulator/index.js";
import type { Report } from "../../tools/audit/report.js";
import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { cli, folder } from "./support.js";

const NEWER = "http_request_quantum";
const ZONE = "b0000000000000000000000000000001";

let emulator: Emulator;
let service: Service;
let zone: string;
/** A zone whose only ruleset blocks everything, in a phase that is newer than this version. */
beforeEach(async () => {
  emulator = await freshEmulator({ seed: { zones: [{ name: "shop.test" }] } });
  service = new Service(emulator);
  zone = await service.zoneNamed("shop.test");
  const phase = "http_request_firewall_custom";
  const rules = [{ ref: "all", action: "block", expression: "true" }];
  const ruleset = await service.create(`zones/${zone}`, { name: "x", kind: "zone", phase, rules });
  const answer = async (path: string, result: unknown) => {
    const body = { success: true, errors: [], messages: [], result };
    await service.fault({ method: "GET", path, times: 9, body });
  };
  await answer(`zones/${zone}/rulesets$`, [{ ...ruleset, rules: undefined, phase: NEWER }]);
  await answer(`rulesets/${ruleset.id}$`, { ...ruleset, phase: NEWER });
});

const rules = (...args: string[]) =>
  cli(["rules", ...args, "--zone", zone], { RULESETS_BASE_URL: emulator.url, RULESETS_API_TOKEN: "test-token" });

test("no command takes a deployed phase that it does not know for one that decides, or for none", async () => {
  const what = `the phase ${NEWER} of the zone shop.test`;
  const why = "this version of pulumi-rulesets does not know it";
  const cure = "a version of pulumi-rulesets that knows it";
  const files = folder({
    "a.firewall.yaml": "tests: [{ request: https://shop.test/, expect: allow }]",
    "a.invariants.yaml": "invariants: [{ name: a, requests: true, must: be-stopped }]",
  });
  const tried = await rules("try", "--request", "https://shop.test/");
  const tested = await rules("test", `${files}/a.firewall.yaml`);
  const proved = await rules("prove", `${files}/a.invariants.yaml`);
  expect(tried.stdout).toContain("allowed, by the rules that could be read");
  expect([tried.code, tried.stdout]).toEqual([
    3,
    expect.stringContaining(`Could not be read and left out: ${what}: ${why}`),
  ]);
  expect([tested.code, tested.stderr]).toEqual([3, expect.stringContaining(`${what} could not be read`)]);
  expect(tested.stderr).toContain(`${why}. To continue: use ${cure}, or --trace`);
  expect(proved.code).toBe(3);
  expect(proved.stdout).toContain(
    `unknown in shop.test\n    ${what} could not be read: ${why}. What would decide it: ${cure}`,
  );
});

describe("a token for a zone alone, which may not read the rulesets and lists of the account", () => {
  const ALONE = "token-of-one-zone-alone-0000000000000000";
  let files: string;
  beforeAll(() => {
    const rules = [{ ref: "all", action: "block", expression: "true" }];
    files = folder({
      "same.json": { kind: "zone", phase: "http_request_firewall_custom", rules },
      "log.json": '{"ClientRequestHost":"shop.test","ClientRequestURI":"/","ClientIP":"192.0.2.1"}',
      "a.firewall.yaml": "tests: [{ request: https://shop.test/, expect: { block: all } }]",
    });
  });
  beforeEach(async () => {
    const groups = ["Zone WAF Read", "Zone Read", "SSL and Certificates Read"].map((name) => ({ name }));
    const policies = [
      { effect: "allow", permission_groups: groups, resources: { [`com.cloudflare.api.account.zone.${ZONE}`]: "*" } },
    ];
    const tokens = [{ value: ALONE, access: "read" as const, policies }];
    await service.reset({
      zones: [{ name: "shop.test", id: ZONE }],
      tokens,
      rulesets: [
        {
          zone: "shop.test",
          phase: "http_request_firewall_custom",
          kind: "zone",
          rules: [{ ref: "all", action: "block", expression: "true" }],
        },
      ],
    });
  });

  const run = (...args: string[]) => cli(args, { RULESETS_BASE_URL: emulator.url, RULESETS_API_TOKEN: ALONE });

  test.each<[string, readonly string[], number]>([
    ["report", ["report", "--zone", ZONE], 3],
    ["report --allow-forbidden", ["report", "--zone", ZONE, "--allow-forbidden", "--fail-on", "never"], 0],
    ["rules check", ["rules", "check", "--zone", ZONE], 3],
    ["rules check --allow-forbidden", ["rules", "check", "--zone", ZONE, "--allow-forbidden"], 0],
    ["rules try", ["rules", "try", "--zone", ZONE, "--request", "https://shop.test/"], 3],
    ["rules test", ["rules", "test", "--zone", ZONE, "a.firewall.yaml"], 3],
    ["rules diff --no-looser", ["rules", "diff", "--zone", ZONE, "same.json", "--no-looser"], 3],
    ["rules diff", ["rules", "diff", "--zone", ZONE, "same.json"], 0],
    [
      "rules replay --no-looser",
      ["rules", "replay", "--zone", ZONE, "--after", "same.json", "log.json", "--no-looser"],
      3,
    ],
    ["rules replay", ["rules", "replay", "--zone", ZONE, "--after", "same.json", "log.json"], 0],
    [
      "rules replay --save-rules",
      ["rules", "replay", "--zone", ZONE, "--after", "same.json", "--save-rules", "saved"],
      3,
    ],
    [
      "rules replay --partial",
      ["rules", "replay", "--zone", ZONE, "--after", "same.json", "log.json", "--partial", "-"],
      3,
    ],
  ])("%s ends with its exit code, and names what it could not read", async (_, args, code) => {
    const paths = args.map((arg) => (/^(?:a|same|log|saved)\b/.test(arg) ? join(files, arg) : arg));
    const found = await run(...paths);
    expect([found.code, found.stdout + found.stderr]).toEqual([
      code,
      expect.stringMatching(/rulesets[^]*\/accounts\/\w+\/rulesets: 403/),
    ]);
  });
});

test.each(["zones", "accounts"])("no gate passes where the service lists no ruleset of %s at all", async (level) => {
  await service.reset({ zones: [{ name: "shop.test", id: ZONE }] });
  const body = { success: true, errors: [], messages: [], result: [] };
  await service.fault({ method: "GET", path: `/${level}/[0-9a-f]{32}/rulesets$`, times: 99, body });
  const files = folder({
    "a.invariants.yaml": "invariants: [{ name: a, requests: ssl, must: be-allowed }]",
    "same.json": { kind: "zone", phase: "http_request_firewall_custom", rules: [] },
  });
  for (const args of [
    ["report", "--fail-on", "never"],
    ["rules", "check"],
    ["rules", "prove", "a.invariants.yaml"],
    ["rules", "diff", "same.json", "--no-looser"],
  ]) {
    const env = { RULESETS_BASE_URL: emulator.url, RULESETS_API_TOKEN: "test-token" };
    const found = await cli([...args, "--zone", ZONE], env, files);
    expect([args, found.code, found.stdout + found.stderr]).toEqual([
      ...[args, 3],
      expect.stringMatching(
        new RegExp(`lists no ruleset of ${level.slice(0, -1)} \\w{32}, not even those of Cloudflare`),
      ),
    ]);
  }
});

describe("an account for which the service lists no zone: it has none, or the token may read none", () => {
  const ACCOUNT = "a0000000000000000000000000000001";
  const OTHER = "a0000000000000000000000000000002";
  const why =
    /(?:account a0{30}2|all zones)\b.*:[\s-]+the service lists no zone: there is none, or the credentials may not read any/;
  let files: string;
  beforeAll(() => {
    files = folder({
      "a.invariants.yaml": "invariants: [{ name: a, requests: ssl, must: be-allowed }]",
      "lock.json": { version: 1, rulesets: [] },
    });
  });
  beforeEach(() =>
    service.reset({
      accounts: [
        { name: "Example", id: ACCOUNT },
        { name: "Empty", id: OTHER },
      ],
      zones: [{ name: "shop.test", id: ZONE, account: "Example" }],
    }),
  );

  const run = (...args: readonly string[]) =>
    cli(args, { RULESETS_BASE_URL: emulator.url, RULESETS_API_TOKEN: "test-token" }, files);
  const both = ["--account", ACCOUNT, "--account", OTHER];

  test.each([
    [["report", ...both]],
    [["report", ...both, "--allow-forbidden", "--fail-on", "never"]],
    [["certificates", "report", ...both, "--allow-forbidden"]],
    [["rules", "check", ...both, "--allow-forbidden"]],
    [["rules", "prove", ...both, "--allow-unknown", "a.invariants.yaml"]],
    [["managed", "diff", ...both, "--lock", "lock.json"]],
    [["managed", "lock", ...both, "--output", "new.json"]],
    [["migration", "status", ...both]],
    [["migration", "check", ...both]],
    [["migration", "plan", ...both]],
    [["generate", ...both, "--all-zones"]],
  ])("%j names it, and ends with exit code 3", async (args) => {
    const found = await run(...args);
    expect([found.code, found.stdout + found.stderr]).toEqual([3, expect.stringMatching(why)]);
  });

  test("a report does not count it as a zone", async () => {
    const { stdout } = await run("report", ...both, "--json");
    const { zones, unread } = JSON.parse(stdout) as Report;
    expect(zones.map(({ zoneId }) => zoneId)).toEqual([ZONE]);
    expect(unread).toEqual([{ what: `account ${OTHER}`, reason: expect.stringMatching("lists no zone") as unknown }]);
    const text = (await run("report", ...both)).stdout;
    expect(text).toMatch(/^1 zone, .* in what could be read/m);
  });

  test.each([
    [["report", "--all-zones", "--allow-forbidden"]],
    [["certificates", "report", "--all-zones", "--allow-forbidden"]],
    [["rules", "prove", "--all-zones", "--allow-unknown", "a.invariants.yaml"]],
    [["managed", "diff", "--all-zones", "--lock", "lock.json"]],
    [["migration", "check", "--all-zones"]],
    [["generate", "--all-zones"]],
  ])("%j without any zone ends with exit code 3", async (args) => {
    await service.reset({ zones: [] });
    const found = await run(...args);
    expect([found.code, found.stdout + found.stderr]).toEqual([3, expect.stringMatching(why)]);
  });
});

describe("a token that may read no certificates", () => {
  test("does not pass certificates report, which could assess nothing", async () => {
    const value = "token-without-certificates-0000000000000";
    const policies = [
      { permission_groups: [{ name: "Zone Read" }], resources: { [`com.cloudflare.api.account.zone.${ZONE}`]: "*" } },
    ];
    await service.reset({ zones: [{ name: "shop.test", id: ZONE }], tokens: [{ value, access: "read", policies }] });
    const args = ["certificates", "report", "--zone", ZONE, "--allow-forbidden"];
    const found = await cli(args, { RULESETS_BASE_URL: emulator.url, RULESETS_API_TOKEN: value });
    expect([found.code, found.stdout]).toEqual([
      3,
      expect.stringMatching(/^- shop\.test: no part of it could be read: .*"SSL and Certificates Read"/m),
    ]);
  });
});

test("migration plan does not pass a zone of which it could not read what the migration does to it", async () => {
  await service.reset({ zones: [{ name: "old.test", id: ZONE, plan: "enterprise", previousWaf: {} }] });
  const plan = () =>
    cli(["migration", "plan", "--zone", ZONE], { RULESETS_BASE_URL: emulator.url, RULESETS_API_TOKEN: "test-token" });
  expect(await plan()).toMatchObject({ code: 0 });
  for (const path of ["/pagerules", "/settings/waf"])
    await service.fault({ method: "GET", path, times: 1, status: 403 });
  const { code, stdout } = await plan();
  expect([code, stdout]).toEqual([3, expect.stringContaining("1 zone: 1 ready, 1 could not be read completely.")]);
  expect(stdout).toContain("Not read, so not checked: page rules, the zone's WAF switch.");
});

test("operations of the previous WAF that the service no longer has hide nothing else of a zone", async () => {
  await service.reset({ zones: [{ name: "old.test", id: ZONE, plan: "enterprise", previousWaf: {} }] });
  const env = { RULESETS_BASE_URL: emulator.url, RULESETS_API_TOKEN: "test-token" };
  const errors = [{ code: 7000, message: "No route for that URI" }];
  const body = { success: false, errors, messages: [], result: null };
  await service.fault({ method: "GET", path: "/pagerules", times: 1, status: 404, body });
  await service.fault({ method: "GET", path: "/settings/waf", times: 1, status: 410, body: "Gone" });
  const { code, stdout } = await cli(["migration", "plan", "--zone", ZONE], env);
  expect([code, stdout]).toEqual([3, expect.stringContaining("1 zone: 1 ready, 1 could not be read completely.")]);
  expect(stdout).toContain("Not read, so not checked: page rules, the zone's WAF switch.");
  await service.fault({ method: "GET", path: "/firewall/waf/overrides", times: 1, status: 410, body: "Gone" });
  const none = await cli(["migration", "delete-overrides", "--zone", ZONE], env);
  expect([none.code, none.stdout]).toEqual([0, expect.stringContaining("the previous WAF no longer exists")]);
});

const MANAGED = "http_request_firewall_managed";
test("a managed ruleset that an unread zone may execute is not said to be executed no longer", async () => {
  const rulesets = [{ id: "efb7b8c949ac4650a09736fc376e9aee", name: "M", phase: MANAGED, version: "1", rules: [] }];
  const file = join(folder({ "lock.json": { version: 1, rulesets } }), "lock.json");
  emulator.clearFaults();
  await service.fault({ method: "GET", path: `zones/${zone}/rulesets$`, times: 9, status: 403 });
  const found = await cli(["managed", "diff", "--zone", zone, "--lock", file], {
    RULESETS_BASE_URL: emulator.url,
    RULESETS_API_TOKEN: "test-token",
  });
  expect([found.code, found.stdout]).toEqual([3, expect.stringContaining("Nothing that could be read differs from")]);
  expect(found.stdout).not.toContain("no longer executed");
});

test.each([
  ["whose kind this version does not know", "quantum"],
  ["whose items the service counts, but does not return", "ip"],
])("a list %s hides no rules of its account", async (_, kind) => {
  const [phase, requests] = [
    "http_request_firewall_custom",
    { RULESETS_BASE_URL: emulator.url, RULESETS_API_TOKEN: "t" },
  ];
  emulator.clearFaults();
  const account = await service.account();
  const listed = [{ ref: "all", action: "block", expression: "ip.src in $quanta" }];
  const lists = `/accounts/${account}/rules/lists`;
  const own = await service.ask<{ id: string }>("POST", lists, { name: "quanta", kind: "ip" });
  await service.ask("POST", `${lists}/${own.id}/items`, [{ ip: "192.0.2.1" }]);
  await service.advanceClock(60);
  await service.create(`accounts/${account}`, { name: "x", kind: "custom", phase, rules: listed });
  const list = { ...own, kind, num_items: 1 };
  const body = { success: true, errors: [], messages: [], result: [list] };
  const none = { status: 200, times: 9, body: { ...body, result: [] } };
  await service.fault({ method: "GET", path: "rules/lists/.*/items", ...none });
  await service.fault({ method: "GET", path: "rules/lists$", times: 9, body });
  const { code, stdout } = await cli(["report", "--zone", zone, "--json"], requests);
  const { accounts } = JSON.parse(stdout) as Report;
  expect([code, accounts[0]?.unread]).toMatchObject([3, [{ of: "lists", what: "the items of the list quanta" }]]);
  expect(accounts[0]?.rulesets).toMatchObject([{ name: "x" }]);
  const checked = await rules("check");
  expect([checked.code, checked.stdout]).toEqual([3, expect.stringMatching(/because the .* could not be read: /)]);
});

test("a ruleset of the account that a list shows and that is said not to exist is no missing permission", async () => {
  await service.reset({ zones: [{ name: "shop.test" }] });
  zone = await service.zoneNamed("shop.test");
  const account = await service.account();
  const listed = { id: "c".repeat(32), name: "x", kind: "custom", phase: "http_request_firewall_custom", version: "1" };
  const body = { success: true, errors: [], messages: [], result: [listed] };
  await service.fault({ method: "GET", path: `accounts/${account}/rulesets$`, times: 9, body });
  const { code, stdout } = await rules("check", "--allow-forbidden");
  expect([code, stdout]).toEqual([3, expect.stringContaining(`the rulesets of the account ${account}`)]);
});

describe("a part of a zone that the service does not return hides no other", () => {
  beforeEach(async () => {
    const rule = (ref: string) => ({ ref, action: "block", expression: `http.request.uri.path eq "/${ref}"` });
    await service.reset({
      zones: [{ name: "shop.test", id: ZONE }],
      rulesets: ["http_request_firewall_custom", "http_request_transform"].map((phase) => ({
        ...{ zone: "shop.test", kind: "zone", phase },
        rules: phase === "http_request_firewall_custom" ? [rule("admin")] : [],
      })),
    });
    const transform = await service.entrypoint(ZONE, "http_request_transform");
    await service.fault({ method: "GET", path: `/rulesets/${transform?.id ?? ""}$`, status: 400, times: 9 });
  });

  test.each([
    ["rules", "try", "--request", "https://shop.test/admin"],
    ["rules", "check"],
    ["report", "--fail-on", "never"],
  ])("in %s %s: it is named, and the exit code is 3", async (...command) => {
    const env = { RULESETS_BASE_URL: emulator.url, RULESETS_API_TOKEN: "test-token" };
    const found = await cli([...command, "--zone", ZONE], env);
    const text = found.stdout + found.stderr;
    expect([command, found.code, text]).toEqual([command, 3, expect.stringMatching(/http_request_transform.*[^]*400/)]);
    if (command[1] === "try") expect(text).toContain("admin");
  });

  test("in a report on certificates", async () => {
    await service.fault({ method: "GET", path: "/acm/total_tls$", status: 400, times: 9 });
    const env = { RULESETS_BASE_URL: emulator.url, RULESETS_API_TOKEN: "test-token" };
    const found = await cli(["certificates", "report", "--zone", ZONE], env);
    expect([found.code, found.stdout + found.stderr]).toEqual([3, expect.stringMatching(/Total TLS.*400/)]);
  });
});
