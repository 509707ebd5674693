import { Service, TOKEN } from "../support/emulator.js";
import { EngineStack, type Library } from "./support/stack.js";
import { emulatorWith } from "../support/emulators.js";

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
  beforeEach(async () => {
    stack = await EngineStack.start({ config: { key: { value: "s3cret-qxzjvk", secret: true } } });
    args = { zoneId: await stack.service.zone(), phase };
  });

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
  });

  test("with a provider use its credentials, which may not be known in a preview", async () => {
    const ofProvider = (
      { pulumi: sdk, PhaseEntrypoint, Provider, getZoneOutput }: Library,
      { zoneId, baseUrl, token }: { zoneId: string; baseUrl: string; token: string },
    ) => {
      const rules = [{ action: "block" as const, expression: "ssl" }];
      const first = new PhaseEntrypoint("first", { zoneId, phase: "http_ratelimit", rules: [] });
      const apiToken = sdk.secret(first.version.apply(() => token));
      const provider = new Provider("other", { apiToken, baseUrl });
      const parent = new sdk.ComponentResource("test:index:Team", "team", {}, { providers: [provider] });
      const zone = { name: "enterprise.example.com" };
      const found = getZoneOutput(zone, { parent });
      new PhaseEntrypoint("own", { zoneId: found.id, phase: "http_request_firewall_custom", rules }, { parent });
      return { zone: found.id };
    };
    const other = await emulatorWith({ seed: { tokens: [{ value: OTHER }, { value: TOKEN }] } });
    try {
      const service = new Service(other);
      const run = { zoneId: args.zoneId, baseUrl: other.url, token: OTHER };
      const unknown = await stack.preview(ofProvider, run);
      expect([unknown.ok, unknown.text]).toEqual([
        true,
        expect.stringMatching(/zone *: \[unknown\]|zone *: output<string>/),
      ]);
      expect(await service.requests()).toEqual([]);
      const up = await stack.up(ofProvider, run);
      expect([up.ok, up.outputs.zone]).toEqual([true, await service.zoneNamed("enterprise.example.com")]);
      expect(up.requests.filter((request) => request === "GET /zones")).toEqual([]);
      expect(stack.stateText()).not.toContain(OTHER);
    } finally {
      await other.close();
    }
  });

  test("with a static get read what this program does not manage", async () => {
    const hostnames = [{ hostname: "shop.customer.test", certificateAuthority: "lets_encrypt" }];
    await stack.service.reset({ zones: [{ name: "saas.example.com", certificates: { hostnames } }] });
    const zone = await stack.service.zone();
    const rules = [{ action: "log", expression: "ssl", ref: "r" }];
    const ruleset = await stack.service.create(`zones/${zone}`, { name: "theirs", kind: "zone", phase, rules });
    const [hostname] = await stack.service.ask<{ id: string }[]>("GET", `/zones/${zone}/custom_hostnames`);
    const reading = (
      lib: Library,
      ids: { readonly zone: string; readonly ruleset: string; readonly hostname: string },
    ) => {
      const hostnameId = `zones/${ids.zone}/custom-hostnames/${ids.hostname}`;
      const whole = lib.Ruleset.get("a", `zones/${ids.zone}/rulesets/${ids.ruleset}`);
      const phaseId = `zones/${ids.zone}/phases/http_request_firewall_custom`;
      return {
        rules: lib.PhaseEntrypoint.get("b", phaseId).rules,
        rule: lib.RulesetRule.get("c", `${phaseId}/rules/r`).expression,
        name: whole.name,
        kind: whole.kind,
        deployed: whole.deployedRules,
        authority: lib.CustomHostnameCa.get("d", `${hostnameId}/certificate-authority`).certificateAuthority,
        status: lib.CustomHostnameCertificate.get("e", `${hostnameId}/certificate`).sslStatus,
        tls: lib.TotalTlsCa.get("f", `zones/${ids.zone}/total-tls`).certificateAuthority,
        migration: lib.ZoneWafMigration.get("g", `zones/${ids.zone}/waf-migration`).phase,
      };
    };
    const up = await stack.up(reading, { zone, ruleset: ruleset.id, hostname: hostname?.id ?? "" });
    expect(up.outputs).toMatchObject({
      rules: [{ ref: "r", action: "log", expression: "ssl" }],
      rule: "ssl",
      name: "theirs",
      kind: "zone",
      deployed: [{ ref: "r", id: ruleset.rules[0]?.id }],
      authority: "lets_encrypt",
      status: "active",
      tls: "google",
      migration: "finished",
    });
    expect(up.requests.every((request) => request.startsWith("GET"))).toBe(true);
    expect((await stack.destroy()).requests).toEqual([]);
  });

  test("stop the preview when no zone is visible, instead of deleting what is declared for each", async () => {
    const body = { success: true, result: [], errors: [], messages: [] };
    await stack.service.fault({ method: "GET", path: "^/zones$", status: 200, body, times: 9 });
    const failed = await stack.preview(
      (lib: Library) => ({ zones: lib.listZonesOutput({}).apply((zones) => zones.length) }),
      0,
    );
    expect([failed.ok, failed.text]).toEqual([
      false,
      expect.stringContaining("No zone is visible with these credentials: there is none, or they may not read any."),
    ]);
  });
});
