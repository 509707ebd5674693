import type { Emulator } from "../../emulator/index.js";
import { Caller } from "../support/caller.js";
import { Service } from "../support/emulator.js";
import { emulatorWith } from "../support/emulators.js";

const CUSTOM = "http_request_firewall_custom";
const MANAGED = "http_request_firewall_managed";
const OWASP = "4814384a9e5d4991b9815dcfc25d2f1f";
const NORMALIZATION = "70339d97bdb34195bbf054b1ebe81f76";

interface Ruleset {
  readonly [field: string]: unknown;
  readonly id: string;
  readonly phase: string;
  readonly source?: string;
  readonly rules?: readonly Readonly<Record<string, unknown>>[];
}

interface Hostname {
  readonly id: string;
  readonly ssl: {
    readonly id: string;
    readonly validation_records?: readonly { readonly txt_name?: string; readonly txt_value?: string }[];
  } | null;
}

/** Shapes of answers that the service gave, as recordings and the tests of Cloudflare's own clients show them. */
describe("answers have the shapes that were recorded of the service", () => {
  let emulator: Emulator;
  let caller: Caller;
  let zone: string;
  let account: string;
  beforeAll(async () => {
    emulator = await emulatorWith({ seed: { zones: [{ name: "shop.example.com" }] } });
    caller = new Caller(emulator);
    const service = new Service(emulator);
    zone = `/zones/${await service.zone()}`;
    account = `/accounts/${await service.account()}`;
  });
  const put = (phase: string, ...rules: object[]) =>
    caller.send<Ruleset>("PUT", `${zone}/rulesets/phases/${phase}/entrypoint`, { rules });

  test.each([
    [CUSTOM, "firewall_custom", { action: "block", expression: "ssl" }],
    [MANAGED, "firewall_managed", { action: "execute", expression: "true", action_parameters: { id: OWASP } }],
    [
      "http_request_sanitize",
      undefined,
      { action: "execute", expression: "true", action_parameters: { id: NORMALIZATION } },
    ],
  ])("the source of %s is %s, by itself and in lists", async (phase, source, rule) => {
    const { result } = await put(phase, rule);
    const listed = await caller.send<Ruleset[]>("GET", `${zone}/rulesets`);
    const found = listed.result.filter((one) => one.phase === phase);
    expect([result, ...found].map((one) => one.source)).toEqual([result, ...found].map(() => source));
    expect(found).not.toEqual([]);
  });

  test("rulesets of sensitive data and of rate limits have a source too, those of DDoS rules none", async () => {
    await put("http_ratelimit");
    const { result } = await caller.send<Ruleset[]>("GET", `${zone}/rulesets`);
    const sources = new Map(result.map((one) => [one.phase, one.source]));
    const phases = ["http_ratelimit", "http_response_firewall_managed", "ddos_l7"];
    expect(phases.map((phase) => sources.get(phase))).toEqual(["rate_limit", "dlp", undefined]);
  });

  test("an answer can be sent back as it is", async () => {
    const { result } = await put(CUSTOM, { action: "block", expression: "ssl" });
    const again = await caller.send<Ruleset>("PUT", `${zone}/rulesets/${result.id}`, result);
    expect([again.status, again.result.rules]).toEqual([200, result.rules]);
  });

  test("what means the same as nothing is left out", async () => {
    const rule = { action: "block", expression: "ssl", description: "" };
    const ratelimit = {
      characteristics: ["cf.colo.id", "ip.src"],
      period: 60,
      requests_per_period: 5,
      requests_to_origin: false,
    };
    const log = {
      action: "log_custom_field",
      expression: "true",
      action_parameters: {
        response_fields: [
          { name: "a", preserve_duplicates: false },
          { name: "b", preserve_duplicates: true },
        ],
      },
    };
    const execute = {
      action: "execute",
      expression: "true",
      action_parameters: { id: OWASP, overrides: { enabled: false, categories: [], rules: [] } },
    };
    const [blocked, limited, logged, executed] = await Promise.all([
      put(CUSTOM, rule),
      put("http_ratelimit", { ...rule, ratelimit }),
      put("http_log_custom_fields", log),
      put(MANAGED, execute),
    ]);
    expect(blocked.result.rules?.[0]).not.toHaveProperty("description");
    expect(limited.result.rules?.[0]?.ratelimit).not.toHaveProperty("requests_to_origin");
    expect(logged.result.rules?.[0]?.action_parameters).toEqual({
      response_fields: [{ name: "a" }, { name: "b", preserve_duplicates: true }],
    });
    expect([executed.errors, executed.result.rules?.[0]?.action_parameters]).toEqual([
      [],
      { id: OWASP, version: "latest", overrides: { enabled: false } },
    ]);
  });

  test("managed rulesets have Cloudflare's own descriptions", async () => {
    const { result } = await caller.send<Ruleset[]>("GET", `${account}/rulesets`);
    const owasp = result.find(({ id }) => id === OWASP);
    expect(owasp?.description).toMatch(/^Cloudflare's implementation of the Open Web Application Security Project/);
  });

  test("Total TLS has a status", async () => {
    const body = { enabled: true, certificate_authority: "google" };
    expect((await caller.send("POST", `${zone}/acm/total_tls`, body)).result).toEqual({
      ...body,
      validity_period: 90,
      status: "enabled",
    });
  });

  test("a redirect in a list has switches that are off, and dates to the second", async () => {
    const list = await caller.send<{ id: string }>("POST", `${account}/rules/lists`, {
      name: "moved",
      kind: "redirect",
    });
    const path = `${account}/rules/lists/${list.result.id}`;
    const sent = { source_url: "example.com/", target_url: "https://example1.com", status_code: 301 };
    const redirect = {
      ...sent,
      include_subdomains: false,
      preserve_path_suffix: false,
      preserve_query_string: false,
      subpath_matching: false,
    };
    await caller.send("POST", `${path}/items`, [{ redirect: sent }]);
    const items = await caller.send<Record<string, unknown>[]>("GET", `${path}/items`);
    const seconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string;
    const dates = { created_on: seconds, modified_on: seconds };
    expect(items.result).toEqual([{ id: expect.any(String) as string, redirect, ...dates }]);
    expect((await caller.send("GET", path)).result).toMatchObject(dates);
  });

  describe("of custom hostnames", () => {
    const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
    const create = (hostname: string, body: object) =>
      caller.send<Hostname>("POST", `${zone}/custom_hostnames`, { hostname, ...body });

    test("IDs are UUIDs, and a TXT record is shown twice", async () => {
      await caller.control("POST", `/zones/${zone.split("/")[2] ?? ""}/certificates`, { pace: { reads: 1 } });
      const { result } = await create("a.customer.test", { ssl: { method: "txt", type: "dv" } });
      expect([result.id, result.ssl?.id]).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
      await caller.send("GET", `${zone}/custom_hostnames/${result.id}`);
      const pending = await caller.result<Hostname>("GET", `${zone}/custom_hostnames/${result.id}`);
      const [record] = pending.ssl?.validation_records ?? [];
      expect(pending.ssl).toMatchObject({ txt_name: record?.txt_name, txt_value: record?.txt_value });
      expect(record?.txt_name).toBe("_acme-challenge.a.customer.test");
    });

    test("only one that is pending is to be verified, and serial numbers are decimal", async () => {
      await caller.control("POST", `/zones/${zone.split("/")[2] ?? ""}/certificates`, { pace: "at-once" });
      const { result } = await create("b.customer.test", { ssl: { method: "http", type: "dv" } });
      expect(result).toMatchObject({
        status: "active",
        ssl: { serial_number: expect.stringMatching(/^\d+$/) as string },
      });
      expect(result).not.toHaveProperty("ownership_verification");
      expect(result).not.toHaveProperty("ownership_verification_http");
      expect((await create("c.customer.test", {})).result).toHaveProperty("ownership_verification");
    });

    test("one without `ssl` has no certificate, until an edit orders one with a method and a type", async () => {
      const { result } = await create("d.customer.test", {});
      expect(result.ssl).toBeNull();
      const path = `${zone}/custom_hostnames/${result.id}`;
      expect((await caller.result<Hostname>("GET", path)).ssl).toBeNull();
      const edit = (ssl: object) => caller.send<Hostname>("PATCH", path, { ssl });
      expect((await edit({ certificate_authority: "google" })).errors[0]?.code).toBe(1440);
      expect((await edit({ method: "txt", type: "dv" })).result.ssl).toMatchObject({ method: "txt", type: "dv" });
    });
  });
});
