import { startEmulator } from "../../emulator/index.js";
import { Service, TOKEN } from "../support/emulator.js";
import { EngineStack, type Library } from "./support/stack.js";

const phase = "http_request_firewall_custom";

const OTHER = "other-token-0123456789";

const program = (
  { pulumi, PhaseEntrypoint, expression, and, ...lib }: Library,
  { zoneId, phase: at }: { zoneId: string; phase: string },
) => {
  const config = new pulumi.Config();
  const zone = lib.getZoneOutput({ name: "enterprise.example.com" });
  const many = [1, 2, 3].map(() => lib.listRulesetsOutput({ zoneId: zone.id, kind: "managed" }));
  const rules = lib.listManagedRulesOutput({ zoneId, ruleset: "Cloudflare Managed Ruleset", tag: "sqli" });
  const hidden = expression`http.request.headers["x-key"][0] eq ${config.requireSecret("key")}`;
  const entrypoint = new PhaseEntrypoint("own", {
    zoneId: zone.id,
    phase: at,
    rules: [
      { action: "block", description: "Key", expression: and(hidden, "ssl") },
      { action: "block", description: pulumi.secret("hidden-words"), expression: "not ssl", enabled: false },
    ],
  });
  return {
    counts: pulumi.all(many).apply((lists) => lists.map((list) => list.length)),
    sqli: rules.apply((found) => found.map(({ description }) => description)),
    deployed: entrypoint.deployedRules.apply((all) =>
      all.map(({ action, description, enabled }) => ({ action, description, enabled })),
    ),
  };
};

describe("lookups and expressions in a program", () => {
  let stack: EngineStack;
  let args: { zoneId: string; phase: string };
  beforeAll(async () => {
    stack = await EngineStack.start({ config: { key: { value: "s3cret-qxzjvk", secret: true } } });
    args = { zoneId: await stack.service.zone(), phase };
  });
  afterAll(() => stack.close());

  test("send each request once per run, in the preview too, and keep secrets secret", async () => {
    const preview = await stack.preview(program, args);
    const asked = preview.requests.filter((request) => !request.includes("entrypoint"));
    expect(preview.ok).toBe(true);
    // The program requests the list once; the other request comes from the provider process, which checks the entry point.
    expect(asked.sort()).toEqual([
      "GET /zones",
      `GET /zones/${args.zoneId}/rulesets`,
      `GET /zones/${args.zoneId}/rulesets`,
      `GET /zones/${args.zoneId}/rulesets/efb7b8c949ac4650a09736fc376e9aee`,
    ]);
    const up = await stack.up(program, args);
    expect(up.outputs).toMatchObject({ sqli: ["SQLi - comparison"] });
    expect(new Set(up.outputs.counts as number[]).size).toBe(1);
    expect(up.outputs.deployed).toEqual([
      { action: "block", description: "Key", enabled: true },
      { action: "block", enabled: false },
    ]);
    expect((await stack.service.entrypoint(args.zoneId, phase))?.rules[0]?.expression).toBe(
      'http.request.headers["x-key"][0] eq "s3cret-qxzjvk" and ssl',
    );
    const all = [preview.text, up.text, stack.stateText(), JSON.stringify(up.outputs)].join("\n");
    expect(all).not.toContain("s3cret-qxzjvk");
    expect(all).not.toContain("hidden-words");
    const again = await stack.up(program, args);
    expect([again.changes, again.requests.length]).toEqual([{ same: 2 }, 3]);
  });

  test("with a provider use its credentials, which may not be known in a preview", async () => {
    const ofProvider = async (
      { pulumi: sdk, PhaseEntrypoint, Provider, getZone, getZoneOutput }: Library,
      { zoneId, baseUrl, token, form }: { zoneId: string; baseUrl: string; token: string; form: string },
    ) => {
      const rules = [{ action: "block" as const, expression: "ssl" }];
      const first = new PhaseEntrypoint("first", { zoneId, phase: "http_ratelimit", rules: [] });
      const later = first.version.apply(() => (form === "rejected" ? Promise.reject(new Error("no vault")) : token));
      const apiToken = sdk.secret(form === "known" ? token : later);
      const provider = new Provider("other", { apiToken, baseUrl });
      const parent = new sdk.ComponentResource("test:index:Team", "team", {}, { providers: [provider] });
      const zone = { name: "enterprise.example.com" };
      if (form === "promise") return { zone: (await getZone(zone, { provider })).id };
      const found = getZoneOutput(zone, { parent });
      new PhaseEntrypoint("own", { zoneId: found.id, phase: "http_request_firewall_custom", rules }, { parent });
      return { zone: found.id };
    };
    const other = await startEmulator({ seed: { tokens: [{ value: OTHER }, { value: TOKEN }] } });
    try {
      const service = new Service(other);
      const run = { zoneId: args.zoneId, baseUrl: other.url, token: OTHER, form: "known" };
      expect((await stack.destroy()).ok).toBe(true);
      const known = await stack.preview(ofProvider, run);
      expect(known.text).toMatch(/\n +zone: "[0-9a-f]{32}"/);
      expect(await service.requests()).toContain("GET /zones");
      const unknown = await stack.preview(ofProvider, { ...run, form: "later" });
      expect([unknown.ok, unknown.text]).toEqual([
        true,
        expect.stringMatching(/zone *: \[unknown\]|zone *: output<string>/),
      ]);
      expect(await service.requests()).toEqual([]);
      const promised = await stack.preview(ofProvider, { ...run, form: "promise" });
      expect(promised.text).toContain('getZone: the settings of the provider "other" are not known in this preview');
      const rejected = await stack.up(ofProvider, { ...run, form: "rejected" });
      expect([rejected.ok, rejected.text]).toEqual([false, expect.stringContaining("no vault")]);
      const up = await stack.up(ofProvider, { ...run, form: "later" });
      expect([up.ok, up.outputs.zone]).toEqual([true, await service.zoneNamed("enterprise.example.com")]);
      expect(up.requests.filter((request) => request === "GET /zones")).toEqual([]);
      expect(stack.stateText()).not.toContain(OTHER);
    } finally {
      await other.close();
    }
  });

  test("stop the preview when nothing is found, and suggest similar names", async () => {
    const failed = await stack.preview(
      (lib: Library) => ({ zone: lib.getZoneOutput({ name: "enterprise.exmple.com" }) }),
      0,
    );
    expect(failed.ok).toBe(false);
    expect(failed.text).toContain('Did you mean "enterprise.example.com"?');
  });

  test("stop the preview when no zone is visible, instead of deleting what is declared for each", async () => {
    const body = { success: true, result: [], errors: [], messages: [] };
    await stack.service.fault({ method: "GET", path: "^/zones$", status: 200, body, times: 9 });
    const failed = await stack.preview(
      (lib: Library) => ({ zones: lib.listZonesOutput({}).apply((zones) => zones.length) }),
      0,
    );
    await stack.service.noFaults();
    expect(failed.ok).toBe(false);
    expect(failed.text).toContain(
      "No zone is visible with these credentials: there is none, or they may not read any.",
    );
  });
});
