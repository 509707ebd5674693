import { EngineStack, type Library } from "./support/stack.js";

const NAME = "shop.customer.test";
const SECRET = "hunter2-very-secret";
interface Args {
  readonly zoneId: string;
  readonly authority: string;
  readonly ignoreChanges?: string[];
  /** A plain value to use instead of the secret. */
  readonly open?: string;
}
const program = (
  { CustomHostnameCa, CustomHostnameCertificate, PhaseEntrypoint, TotalTlsCa, ZoneWafMigration, pulumi }: Library,
  { zoneId, authority, ignoreChanges, open }: Args,
) => {
  const options = { ignoreChanges };
  const name = "shop.customer.test";
  const ca = new CustomHostnameCa("ca", { zoneId, hostname: name, certificateAuthority: authority }, options);
  new CustomHostnameCertificate("certificate", { customHostnameCaId: ca.id, timeoutSeconds: 600 }, options);
  new TotalTlsCa("tls", { zoneId, certificateAuthority: authority }, options);
  const skip = (value: string) => ({
    action: "skip" as const,
    expression: open ?? pulumi.secret(`http.cookie contains "${value}"`),
    actionParameters: { ruleset: "current" as const },
  });
  const adjustments = { prepend: [skip("hunter2-very-secret")] };
  new ZoneWafMigration("waf", { zoneId, mode: "validation", adjustments }, { ...options, protect: false });
  const rule = { ref: "r", ...skip("hunter2-very-secret") };
  const phase = "http_request_firewall_custom";
  new PhaseEntrypoint(
    "rules",
    { zoneId, phase, description: open ?? pulumi.secret("hunter2-very-secret"), rules: [rule] },
    { ignoreChanges: ignoreChanges?.includes("*") === true ? ['rules["r"].expression', "description"] : ignoreChanges },
  );
};

describe("ignoreChanges on the real engine", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeAll(async () => {
    const certificates = {
      hostnames: [{ hostname: NAME, certificateAuthority: "lets_encrypt", status: "active" }],
      totalTls: { enabled: true, certificateAuthority: "lets_encrypt" },
    };
    const zone = { name: "saas.example.com", plan: "enterprise" as const, certificates, previousWaf: {} };
    stack = await EngineStack.start({ seed: { zones: [zone] } });
    zoneId = await stack.service.zone();
  });
  afterAll(() => stack.close());

  test('"*" keeps every resource unchanged, and ignored secrets stay encrypted', async () => {
    const up = await stack.up(program, { zoneId, authority: "google" });
    expect([up.ok, stack.resources().length]).toEqual([true, 5]);
    const changed: Args = { zoneId, authority: "ssl_com", ignoreChanges: ["*"], open: "ssl" };
    const preview = await stack.preview(program, changed);
    expect(Object.keys(preview.changes)).toEqual(["same"]);
    const again = await stack.up(program, changed);
    expect([again.ok, Object.keys(again.changes), again.requests]).toEqual([true, ["same"], []]);
    const refreshed = await stack.refresh();
    expect(refreshed.ok).toBe(true);
    expect((await stack.up(program, changed)).requests).toEqual([]);
    expect(stack.stateText()).not.toContain(SECRET);
    expect(`${preview.text}${again.text}${refreshed.text}`).not.toContain(SECRET);
  });

  test("invalid paths are refused at preview", async () => {
    const preview = await stack.preview(program, {
      zoneId,
      authority: "google",
      ignoreChanges: ["certificatAuthority"],
    });
    expect(preview.ok).toBe(false);
    // The engine stops at whichever resource it checks first.
    expect(preview.text).toMatch(/ignoreChanges: \w+ has no argument certificatAuthority/);
  });
});
