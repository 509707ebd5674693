import * as pulumi from "@pulumi/pulumi";
import * as library from "../../provider/index.js";
import { getZone, getZoneOutput, listZones, owasp, Provider, RulesetsError } from "../../provider/index.js";
import { Service, TOKEN } from "../support/emulator.js";
import { emulatorWith } from "../support/emulators.js";

/** Lookups with providers, under Pulumi's mocks. The stack has another account, whose service must get no request. */
const STACK = "token-of-the-stack-0123456789";
const OTHER = "token-of-the-other-0123456789";
const phase = "http_request_firewall_custom";
let ofStack: Service;
let ofOther: Service;
let zoneId: string;

async function start(token: string, name: string): Promise<Service> {
  const rules = [{ action: "block", expression: "ssl" }];
  const seed = {
    tokens: [{ value: token }, { value: TOKEN }],
    zones: [{ name, plan: "enterprise" as const }],
    rulesets: [{ zone: name, phase, rules }],
  };
  const emulator = await emulatorWith({ seed });
  return new Service(emulator);
}

beforeAll(async () => {
  ofStack = await start(STACK, "stack.example.com");
  ofOther = await start(OTHER, "other.example.com");
  zoneId = await ofOther.zone();
});
beforeEach(async () => {
  await newRun();
  await Promise.all([ofStack.forget(), ofOther.forget()]);
});

async function newRun(): Promise<void> {
  const newResource = ({ name }: { readonly name: string }) => ({ id: `${name}-id`, state: {} });
  await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "project", "stack", false);
  pulumi.runtime.setAllConfig({
    "rulesets:apiToken": STACK,
    "rulesets:baseUrl": ofStack.emulator.url,
    "rulesets:maxRetries": "0",
  });
}

const other = (name = "other", args: library.ProviderArgs = {}) =>
  new Provider(name, { apiToken: pulumi.secret(OTHER), baseUrl: ofOther.emulator.url, ...args });
const value = <T>(output: pulumi.Output<T>): Promise<T> => (output as unknown as { promise(): Promise<T> }).promise();
const failed = (work: () => Promise<unknown>): Promise<string> =>
  work().then(
    () => "nothing failed",
    (error: unknown) => (error instanceof RulesetsError ? `${error.code} ${error.message}` : String(error)),
  );

type Lookup = (...args: readonly unknown[]) => Promise<unknown>;
const lookups: Readonly<Record<string, () => readonly unknown[]>> = {
  getEntrypoint: () => [{ zoneId, phase }],
  getRulesetVersion: () => [{ zoneId, phase, version: "1" }],
  listRulesets: () => [{ zoneId }],
  listRulesetVersions: () => [{ zoneId, phase }],
  diffRulesetVersions: () => [{ zoneId, phase, from: "1", to: "1" }],
  getManagedRuleset: () => [{ zoneId, name: "Cloudflare Managed Ruleset" }],
  listManagedRules: () => [{ zoneId, ruleset: "Cloudflare Managed Ruleset" }],
  effectiveRules: () => [{ zoneId, rule: owasp({ paranoiaLevel: 2 }) }],
  getZone: () => [{ name: "other.example.com" }],
  listZones: () => [{}],
  listCertificatePacks: () => [{ zoneId }],
  listCustomCertificates: () => [{ zoneId }],
  listCustomHostnames: () => [{ zoneId }],
  getTotalTls: () => [{ zoneId }],
};

test("the table has every lookup", () => {
  const exported = Object.keys(library).filter((name) => /^(get|list|diff|effective)/.test(name));
  expect(exported.sort()).toEqual(
    Object.keys(lookups)
      .flatMap((name) => [name, `${name}Output`])
      .sort(),
  );
});

test.each(Object.keys(lookups))("%s and its output form share one answer of the provider's account", async (name) => {
  const provider = other();
  const args = lookups[name]?.() ?? [];
  const { [name]: plain, [`${name}Output`]: lifted } = library as unknown as Record<string, Lookup>;
  const found = await plain?.(...args, { provider });
  const again = lifted?.(...args, { provider }) as unknown as pulumi.Output<unknown>;
  expect(await value(again)).toEqual(found);
  expect(await pulumi.isSecret(again)).toBe(false);
  expect([await ofStack.requests(), (await ofOther.requests()).length]).toEqual([[], 1]);
  for (const misspelled of [{ providr: provider }, provider as object]) {
    expect(await failed(async () => plain?.(...args, misspelled))).toContain(`ARGUMENTS_INVALID ${name}: `);
    expect(() => lifted?.(...args, misspelled)).toThrow(`${name}: `);
  }
});

test("two providers and the stack never share an answer", async () => {
  const [first, second] = [other("first"), other("second")];
  const names = async (opts?: pulumi.InvokeOptions) => (await listZones({}, opts)).map(({ name }) => name);
  const ask = () => Promise.all([names(), names({ provider: first }), names({ provider: second })]);
  expect(await ask()).toEqual([["stack.example.com"], ["other.example.com"], ["other.example.com"]]);
  await ask();
  expect([await ofStack.requests(), await ofOther.requests()]).toEqual([["GET /zones"], ["GET /zones", "GET /zones"]]);
});

test("the provider of a parent is used, unless there is another one", async () => {
  const provider = other();
  const parent = new pulumi.ComponentResource("test:index:Parent", "parent", {}, { providers: [provider] });
  const child = new pulumi.ComponentResource("test:index:Child", "child", {}, { parent });
  const zone = { name: "other.example.com" };
  expect(await getZone(zone, { parent: child })).toMatchObject(zone);
  expect(await value(getZoneOutput(zone, pulumi.invokeOptionsFromResourceOptions({ parent })))).toMatchObject(zone);
  const plain = new pulumi.ComponentResource("test:index:Parent", "plain");
  expect(await getZone({ name: "stack.example.com" }, { parent: plain })).toMatchObject({ name: "stack.example.com" });
  expect(await getZone(zone, { parent: plain, provider })).toMatchObject(zone);
});

test("every lookup of a run says that the service rejected the token of its provider, without the token", async () => {
  const provider = other("stale", { apiToken: pulumi.secret("wrong-token-0123456789") });
  const zone = { name: "other.example.com" };
  const looks = [() => getZone(zone, { provider }), () => listZones({}, { provider }), () => getZone(zone)];
  const texts = await Promise.all(looks.map(failed));
  for (const text of texts.slice(0, 2)) {
    expect(text).toMatch(/^API_UNAUTHORIZED .*401 \[10000\] Authentication error/);
    expect(text).not.toContain("wrong-token");
  }
  expect(texts[2]).toContain("other.example.com");
  expect(texts[2]).not.toContain("API_UNAUTHORIZED");
});

describe("a provider that cannot be used is refused, and no other credentials are used instead", () => {
  afterEach(async () => {
    expect([await ofStack.requests(), await ofOther.requests()]).toEqual([[], []]);
  });
  class Foreign extends pulumi.ProviderResource {
    constructor(pkg: string) {
      super(pkg, "foreign", {});
    }
  }
  const zone = { name: "other.example.com" };

  test.each<[string, () => unknown, string]>([
    ["of another package", () => new Foreign("cloudflare"), "opts.provider is a provider of the package cloudflare."],
    [
      "of another dynamic package",
      () => new Foreign("pulumi-nodejs"),
      "opts.provider is a provider of the package pulumi-nodejs.",
    ],
    ["a plain object", () => ({ apiToken: OTHER }), "opts.provider is not a provider."],
    ["an output", () => pulumi.output(other()), "opts.provider is not a provider."],
    ["a text", () => "other", "opts.provider is not a provider."],
  ])("%s", async (_, make, text) => {
    const provider = make() as pulumi.ProviderResource;
    expect(await failed(() => getZone(zone, { provider }))).toContain(`PROVIDER_MISMATCH getZone: ${text}`);
    expect(() => getZoneOutput(zone, { provider })).toThrow(text);
  });

  test("a parent that is not a resource", async () => {
    const parent = { name: "x" } as unknown as pulumi.Resource;
    expect(await failed(() => getZone(zone, { parent }))).toContain("parent: must be a resource");
  });

  test("one with an invalid setting, which is named with the provider", async () => {
    const provider = other("busy", { maxRetries: -1 });
    expect(await failed(() => getZone(zone, { provider }))).toContain(
      'CONFIG_INVALID the provider "busy": rulesets:maxRetries is "-1"',
    );
  });

  test("one without credentials, although the stack has some", async () => {
    const provider = other("bare", { apiToken: undefined });
    expect(await failed(() => getZone(zone, { provider }))).toContain(
      'CONFIG_CREDENTIALS_MISSING the provider "bare": it has no credentials, and does not use those of the stack. Give it apiToken, or email and apiKey.',
    );
  });

  test("the stack's settings, if one does not exist", async () => {
    pulumi.runtime.setConfig("rulesets:onConflct", "overwrite");
    expect(await failed(() => getZone(zone))).toContain(
      "rulesets:onConflct is not a setting; did you mean onConflict?",
    );
  });
});
