import * as pulumi from "@pulumi/pulumi";
import type { Emulator } from "../../emulator/index.js";
import {
  effectiveRules,
  effectiveRulesOutput,
  getEntrypoint,
  getEntrypointOutput,
  getManagedRuleset,
  getRulesetVersion,
  getZone,
  listCustomHostnames,
  listManagedRules,
  listRulesets,
  listRulesetsOutput,
  listZones,
  managedRulesets,
  owasp,
  RulesetsError,
  type ListCustomHostnamesArgs,
} from "../../provider/index.js";
import { Service, TOKEN } from "../support/emulator.js";
import { emulatorWith } from "../support/emulators.js";

/** Lookup functions of a program under Pulumi's mocks, against the service over HTTP. A new set of mocks is a new run. */
let emulator: Emulator;
let service: Service;
let zoneId: string;
let accountId: string;

async function newRun(): Promise<void> {
  const nothing = { newResource: () => ({ id: "", state: {} }), call: () => ({}) };
  await pulumi.runtime.setMocks(nothing, "project", "stack", false);
  pulumi.runtime.setAllConfig({
    "rulesets:apiToken": TOKEN,
    "rulesets:baseUrl": emulator.url,
    "rulesets:maxRetries": "0",
  });
}

beforeAll(async () => {
  emulator = await emulatorWith({
    seed: {
      accounts: [{ name: "Shop" }, { name: "Other" }],
      zones: [
        { name: "shop.example.com", plan: "enterprise", account: "Shop" },
        { name: "blog.example.com", plan: "pro", account: "Shop" },
        { name: "else.example.org", plan: "free", account: "Other" },
      ],
    },
  });
  service = new Service(emulator);
  zoneId = await service.zone();
  accountId = await service.account();
  const created = await service.create(`zones/${zoneId}`, {
    name: "mine",
    kind: "zone",
    phase: CUSTOM,
    rules: [{ action: "block", expression: "ssl", description: "First" }],
  });
  await service.replace(`zones/${zoneId}`, created.id, { rules: [{ action: "log", expression: "not ssl" }] });
});
beforeEach(async () => {
  await newRun();
  await service.forget();
});

const NOBODY = "0".repeat(32);
const CUSTOM = "http_request_firewall_custom";
const value = <T>(output: pulumi.Output<T>): Promise<T> => (output as unknown as { promise(): Promise<T> }).promise();
const failed = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof RulesetsError ? `${error.code} ${error.message}` : `no RulesetsError: ${String(error)}`;
};

describe("rulesets", () => {
  test("by kind, phase and name, with one list for all", async () => {
    const [own, limits, managed, named] = await Promise.all([
      listRulesets({ zoneId, kind: "zone" }),
      listRulesets({ zoneId, phase: "http_ratelimit" }),
      listRulesets({ zoneId, kind: "managed", phase: "ddos_l7" }),
      listRulesets({ zoneId, name: "mine" }),
    ]);
    expect(own).toMatchObject([{ name: "mine", phase: CUSTOM, version: "2" }]);
    expect(limits).toEqual([]);
    expect(managed).toMatchObject([{ id: managedRulesets.httpDdos }]);
    expect(named).toEqual(own);
    expect(await service.requests()).toEqual([`GET /zones/${zoneId}/rulesets`]);
  });

  test("an entry point and its versions, each read once per run", async () => {
    const ask = async () => [
      (await getEntrypoint({ zoneId, phase: CUSTOM })).rules.map(({ action }) => action),
      (await getRulesetVersion({ zoneId, phase: CUSTOM, version: 1 })).rules.map(({ description }) => description),
    ];
    expect(await Promise.all([ask(), ask()])).toEqual([
      [["log"], ["First"]],
      [["log"], ["First"]],
    ]);
    const path = `GET /zones/${zoneId}/rulesets/phases/http_request_firewall_custom/entrypoint`;
    expect((await service.requests()).sort()).toEqual([path, `${path}/versions/1`]);
    await newRun();
    await ask();
    expect(await service.requests()).toHaveLength(2);
  });

  test("a change to the result does not affect the next lookup", async () => {
    const first = await listRulesets({ zoneId, kind: "zone" });
    first.length = 0;
    expect(await listRulesets({ zoneId, kind: "zone" })).toHaveLength(1);
  });

  test("a failure is not cached", async () => {
    await service.fault({ method: "GET", path: "/rulesets", status: 500, times: 1 });
    expect(await failed(listRulesets({ zoneId }))).toContain("API_UNAVAILABLE");
    expect((await listRulesets({ zoneId, kind: "zone" })).length).toBe(1);
    expect(await service.requests()).toHaveLength(2);
  });

  test.each([
    [
      { phase: "http_ratelimit" },
      "has no entry point in the phase http_ratelimit. It has entry points in http_request_firewall_custom.",
    ],
    [
      { phase: "http_ratelimits" },
      'ARGUMENTS_INVALID getEntrypoint: phase: the phase "http_ratelimits" does not exist; did you mean "http_ratelimit"?',
    ],
  ])("an entry point that does not exist: %j", async (args, text) => {
    expect(await failed(getEntrypoint({ zoneId, ...args }))).toContain(text);
  });

  test("a missing version is reported with the existing ones", async () => {
    expect(await failed(getRulesetVersion({ zoneId, phase: CUSTOM, version: "7" }))).toBe(
      `LOOKUP_NOT_FOUND the entry point of ${CUSTOM} of zone ${zoneId} has no version 7: it never existed, or it has been deleted. Versions that exist: 1, 2 (version 2 is the current one).`,
    );
  });
});

describe("managed rulesets", () => {
  test("by a documented name, by the service's name or by ID, with one read of the rules", async () => {
    const { name, rules } = await getManagedRuleset({ zoneId, name: "Cloudflare OWASP Core Ruleset" });
    expect(rules.length).toBeGreaterThan(3);
    expect(await getManagedRuleset({ zoneId, id: managedRulesets.owaspCore })).toMatchObject({ name, rules });
    expect(await service.requests()).toEqual([`GET /zones/${zoneId}/rulesets/${managedRulesets.owaspCore}`]);
    expect((await getManagedRuleset({ zoneId, name: "DDoS L7 ruleset" })).id).toBe(managedRulesets.httpDdos);
    expect(await service.requests()).toEqual([
      `GET /zones/${zoneId}/rulesets`,
      `GET /zones/${zoneId}/rulesets/${managedRulesets.httpDdos}`,
    ]);
  });

  test("their rules by tag and by name", async () => {
    const ruleset = managedRulesets.cloudflareManaged;
    const ids = async (filter: object) => (await listManagedRules({ zoneId, ruleset, ...filter })).map(({ id }) => id);
    expect(await ids({ tag: "wordpress" })).toEqual(["5de7edfa648c4d6891dc3e7f84534ffa"]);
    expect(await ids({ tag: "rce", category: "drupal" })).toEqual(["f8fcc70b71ee0207b03ac99bd8992181"]);
    expect(await ids({ name: "remote CODE" })).toHaveLength(2);
    expect(await ids({ name: "remote code", tag: "xss" })).toEqual([]);
    expect(await ids({})).toHaveLength(6);
    expect(await service.requests()).toHaveLength(1);
  });

  test.each([
    [{ ruleset: "Cloudflare Managd Ruleset" }, 'Did you mean "Cloudflare Managed Ruleset"?'],
    [{ ruleset: NOBODY }, "is visible in zone"],
    [
      { ruleset: managedRulesets.cloudflareManaged, tag: "wordpres" },
      'has the tag "wordpres". Did you mean "wordpress"?',
    ],
    [{ ruleset: managedRulesets.cloudflareManaged, tag: "nothing" }, '"sqli"'],
    [{ ruleset: managedRulesets.cloudflareManaged, name: "SQLi comparisn" }, 'Did you mean "SQLi - comparison"?'],
  ])("a missing name is reported with similar ones: %j", async (args, text) => {
    const message = await failed(listManagedRules({ zoneId, ...args }));
    expect(message).toContain("LOOKUP_NOT_FOUND");
    expect(message).toContain(text);
  });

  test("effective rules, for the rule of the core ruleset", async () => {
    const rule = owasp({ paranoiaLevel: 2, scoreThreshold: "high", action: "log" });
    const rules = await effectiveRules({ zoneId, rule });
    expect(rules.filter(({ enabled }) => !enabled).map(({ overriddenBy }) => overriddenBy.enabled)).toEqual([
      "tag paranoia-level-3",
      "tag paranoia-level-4",
    ]);
    expect(rules.at(-1)).toMatchObject({ action: "log", scoreThreshold: 25, overriddenBy: { action: "rule" } });
    const { owaspCore: id } = managedRulesets;
    const plain = { action: "execute", expression: "true", actionParameters: { id } } as const;
    expect(await effectiveRules({ zoneId, rule: plain })).toContainEqual(
      expect.objectContaining({ action: "block", scoreThreshold: 40, overriddenBy: {} }),
    );
    expect(await service.requests()).toHaveLength(1);
  });
});

describe("zones", () => {
  test("by name, by account, each looked up once", async () => {
    const zone = await getZone({ name: "Shop.example.com" });
    expect(zone).toEqual({ id: zoneId, name: "shop.example.com", accountId, accountName: "Shop", plan: "enterprise" });
    expect(await getZone({ name: "shop.example.com" })).toEqual(zone);
    const names = (await listZones({ account: "Shop" })).map(({ name }) => name);
    expect(names).toEqual(["blog.example.com", "shop.example.com"]);
    expect(await listZones({ account: accountId })).toHaveLength(2);
    expect(await listZones()).toHaveLength(3);
    expect(await service.requests()).toHaveLength(4);
  });

  test.each([
    [
      () => getZone({ name: "shop.exmple.com" }),
      'No zone "shop.exmple.com" is visible with these credentials. Did you mean "shop.example.com"?',
    ],
    [() => getZone({ name: "else.example.org", account: "Shop" }), 'of account "Shop"'],
    [
      () => listZones({ account: "Shp" }),
      'No zone of account "Shp" is visible with these credentials. Did you mean "Shop"?',
    ],
  ])("a missing zone is reported with similar ones", async (work, text) => {
    expect(await failed(work())).toContain(`LOOKUP_NOT_FOUND`);
    expect(await failed(work())).toContain(text);
  });
});

test.each<[string, () => Promise<unknown>, string]>([
  ["no scope", () => listRulesets({}), "listRulesets: zoneId or accountId is required; specify exactly one."],
  ["two scopes", () => getEntrypoint({ zoneId: "a", accountId: "b", phase: "ddos_l7" }), "are mutually exclusive"],
  [
    "an ID",
    () => listRulesets({ zoneId: "z" }),
    "zoneId: must be an ID of 32 hexadecimal digits; this has 1 character.",
  ],
  [
    "a name of an argument",
    () => listRulesets({ zoneId: NOBODY, phse: "ddos_l7" } as object),
    "listRulesets has no argument phse; did you mean phase?",
  ],
  ["a kind", () => listRulesets({ zoneId: NOBODY, kind: "mangaed" }), 'did you mean "managed"?'],
  ["a filter", () => listManagedRules({ zoneId: NOBODY, ruleset: "x", tag: "" }), "tag: must be a non-empty string"],
  ["no managed ruleset", () => getManagedRuleset({ zoneId: NOBODY }), "name or id is required; specify exactly one"],
  [
    "a version",
    () => getRulesetVersion({ zoneId: NOBODY, phase: "ddos_l7", version: "latest" }),
    "version: must be a whole number",
  ],
  [
    "two rulesets",
    () => getRulesetVersion({ zoneId: NOBODY, version: 1 }),
    "rulesetId or phase is required; specify exactly one",
  ],
  [
    "a filter of custom hostnames",
    () => listCustomHostnames({ zoneId: NOBODY, hostnam: "shop.example.com" } as ListCustomHostnamesArgs),
    "listCustomHostnames has no argument hostnam; did you mean hostname?",
  ],
  ["an operator in a zone name", () => getZone({ name: "contains:shop" }), "name: is not a domain name"],
  [
    "no execute rule",
    () => effectiveRules({ zoneId: NOBODY, rule: { action: "log", expression: "true" } }),
    'rule: must be a rule with action "execute"',
  ],
  ["no arguments", () => listRulesets(undefined as never), "needs an object of arguments"],
])("bad input is refused before any request: %s", async (_what, work, text) => {
  const message = await failed(work());
  expect(message).toContain("ARGUMENTS_INVALID");
  expect(message).toContain(text);
  expect(await service.requests()).toEqual([]);
});

describe("as outputs", () => {
  test("accept outputs as arguments; results are known, and secret where an argument is", async () => {
    const listed = listRulesetsOutput({ zoneId: pulumi.output(zoneId), kind: "zone" });
    expect(await value(listed)).toMatchObject([{ name: "mine" }]);
    expect(await pulumi.isSecret(listed)).toBe(false);
    const secret = getEntrypointOutput({ zoneId: pulumi.secret(zoneId), phase: CUSTOM });
    expect(await pulumi.isSecret(secret)).toBe(true);
    const rule = {
      action: "execute" as const,
      expression: "true",
      actionParameters: { id: pulumi.output(managedRulesets.free) },
    };
    expect(await value(effectiveRulesOutput({ zoneId, rule }))).toHaveLength(2);
    const { actionParameters, ...read } = rule;
    const spelled = { ...read, version: "1", action_parameters: actionParameters };
    expect(await value(effectiveRulesOutput({ zoneId, rule: spelled }))).toHaveLength(2);
    expect(await failed(effectiveRules({ zoneId, rule }))).toContain("is an output; use effectiveRulesOutput");
  });
});
