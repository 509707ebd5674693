import { startEmulator, type CertificatesSeed } from "../../emulator/index.js";
import type { CustomHostnameCaArgs } from "../../provider/index.js";
import { EngineStack, type Library } from "./support/stack.js";

const NAME = "shop.customer.test";

interface Args {
  readonly zoneId: string;
  /** @default "shop" */
  readonly name?: string;
  readonly ca?: Omit<CustomHostnameCaArgs, "zoneId">;
  readonly wait?: boolean;
  readonly timeoutSeconds?: number;
}
const program = (
  { CustomHostnameCa, CustomHostnameCertificate, pulumi }: Library,
  { zoneId, name = "shop", ca: args, wait, timeoutSeconds }: Args,
) => {
  if (args === undefined) return {};
  const ca = new CustomHostnameCa(name, { zoneId, ...args });
  // Stands in for a DNS record that is created from the outputs, between the choice of the authority and the wait.
  class Dns extends pulumi.ComponentResource {
    constructor(records: unknown) {
      super("test:index:Dns", "dns", { records });
      this.registerOutputs({ records });
    }
  }
  const dns = new Dns(ca.validationRecords);
  const certificate =
    wait === true
      ? new CustomHostnameCertificate("shop", { customHostnameCaId: ca.id, timeoutSeconds }, { dependsOn: [dns] })
      : undefined;
  return {
    records: ca.validationRecords,
    sslStatus: certificate?.sslStatus,
    effective: ca.effectiveCertificateAuthority,
  };
};

describe("the authority of a custom hostname, on the real engine", () => {
  let stack: EngineStack;
  let zoneId: string;
  const start = async (more: object = {}, rest: CertificatesSeed = {}): Promise<void> => {
    const hostnames = [{ hostname: NAME, certificateAuthority: "lets_encrypt", ...more }];
    stack = await EngineStack.start({
      seed: { zones: [{ name: "saas.example.com", certificates: { hostnames, ...rest } }] },
    });
    zoneId = await stack.service.zone();
  };
  afterEach(() => stack.close());
  const edits = (requests: readonly string[]): number =>
    requests.filter((request) => request.startsWith("PATCH")).length;
  const authority = async (): Promise<string> => {
    const path = `/zones/${zoneId}/custom_hostnames`;
    const [found] = await stack.service.ask<{ ssl: { certificate_authority: string } }[]>("GET", path);
    return found?.ssl.certificate_authority ?? "gone";
  };
  /** Certificates advance with each read, not with time: the provider process waits in real time, which no test can skip. */
  const slowly = { pace: { reads: 1 } };
  const google = { hostname: NAME, certificateAuthority: "google" };

  test("is chosen with a wait for the certificate, and then unchanged; returns to the default; is restored on destroy", async () => {
    await start({}, slowly);
    const preview = await stack.preview(program, { zoneId, ca: google, wait: true });
    expect([preview.ok, edits(preview.requests)]).toEqual([true, 0]);
    expect(preview.text).toContain(
      "from Let's Encrypt to Google Trust Services; its certificate is validated again and reissued",
    );
    const up = await stack.up(program, { zoneId, ca: google, wait: true });
    expect([up.ok, edits(up.requests)]).toEqual([true, 1]);
    expect(up.outputs).toMatchObject({
      effective: "google",
      sslStatus: "active",
      records: [{ txtName: `_acme-challenge.${NAME}` }],
    });
    expect(await stack.up(program, { zoneId, ca: google, wait: true })).toMatchObject({
      requests: [],
      changes: { same: 4 },
    });
    await stack.refresh();
    expect((await stack.up(program, { zoneId, ca: google, wait: true })).requests).toEqual([]);
    await stack.service.configureCertificates(zoneId, { pace: "at-once" });
    const byDefault = { hostname: NAME, certificateAuthority: "", onDelete: "restore" as const };
    const back = await stack.up(program, { zoneId, ca: byDefault, wait: true });
    // The choice, the wait for another certificate, and the stand-in for DNS between them.
    expect([back.ok, edits(back.requests), back.changes.update]).toEqual([true, 1, 3]);
    expect((await stack.up(program, { zoneId, ca: byDefault, wait: true })).requests).toEqual([]);
    expect((await stack.destroy()).ok).toBe(true);
    expect(await authority()).toBe("lets_encrypt");
  });

  test("waits for validation records as long as configured, and a refresh reads them later", async () => {
    await start({}, { pace: { seconds: 100_000 } });
    const up = await stack.up(program, { zoneId, ca: { ...google, validationTimeoutSeconds: 0 } });
    expect([up.ok, edits(up.requests), up.outputs.records]).toEqual([true, 1, []]);
    expect(up.text).toContain("the service lists no validation records yet. Run `pulumi refresh` to read them later");
    const longer = await stack.up(program, { zoneId, ca: { ...google, validationTimeoutSeconds: 5 } });
    expect([longer.ok, longer.requests, longer.changes.update]).toEqual([true, [], 1]);
    await stack.service.advanceClock(100_001);
    await stack.refresh();
    const later = await stack.up(program, { zoneId, ca: { ...google, validationTimeoutSeconds: 5 } });
    expect([later.requests, later.outputs.records]).toMatchObject([[], [{ txtName: `_acme-challenge.${NAME}` }]]);
    const wrong = await stack.preview(program, { zoneId, ca: { ...google, validationTimeoutSeconds: -1 } });
    expect([wrong.ok, wrong.text]).toEqual([
      false,
      expect.stringContaining("validationTimeoutSeconds: must be a number of seconds from 0 to 3600"),
    ]);
  });

  test("is predicted by CAA records that the DNS server of the settings returns", async () => {
    const dns = await startEmulator({
      dns: {},
      seed: { zones: [{ name: "dns.example.com", certificates: { caa: { "customer.test": ["letsencrypt.org"] } } }] },
    });
    await start({}, { caa: { "customer.test": ["letsencrypt.org"] } });
    const byDefault = { hostname: NAME, certificateAuthority: "" };
    await stack.setConfig({ "rulesets:dnsServer": { value: dns.dnsServer ?? "" } });
    const preview = await stack.preview(program, { zoneId, ca: byDefault });
    await dns.close();
    expect(preview.text).toContain("a CAA record of customer.test does not allow Google Trust Services to issue");
    expect(preview.text).toContain(
      `${NAME} is already issued by Let's Encrypt, which the service's default resolves to`,
    );
  });

  test("is kept by a rename, although a delete would restore it", async () => {
    await start();
    const restoring = { ...google, onDelete: "restore" as const };
    await stack.up(program, { zoneId, ca: restoring });
    const renamed = await stack.up(program, { zoneId, ca: restoring, name: "renamed" });
    expect([renamed.ok, edits(renamed.requests), await authority()]).toEqual([true, 1, "google"]);
    expect(renamed.text).toMatch(/keeps Google Trust Services: .*::renamed manages it now\. No request was sent\./);
    expect(stack.resources()).toHaveLength(1);
  });

  test("can be read by a program that does not manage it", async () => {
    await start();
    const hostnames = await stack.service.ask<{ id: string }[]>("GET", `/zones/${zoneId}/custom_hostnames`);
    const reading = (
      { CustomHostnameCa, CustomHostnameCertificate, TotalTlsCa, ZoneWafMigration }: Library,
      { zone, id }: { readonly zone: string; readonly id: string },
    ) => {
      const hostname = `zones/${zone}/custom-hostnames/${id}`;
      return {
        authority: CustomHostnameCa.get("a", `${hostname}/certificate-authority`).certificateAuthority,
        status: CustomHostnameCertificate.get("b", `${hostname}/certificate`).sslStatus,
        tls: TotalTlsCa.get("c", `zones/${zone}/total-tls`).certificateAuthority,
        phase: ZoneWafMigration.get("d", `zones/${zone}/waf-migration`).phase,
      };
    };
    const up = await stack.up(reading, { zone: zoneId, id: hostnames[0]?.id ?? "" });
    expect(up.outputs).toEqual({ authority: "lets_encrypt", status: "active", tls: "google", phase: "finished" });
    expect(up.requests.every((request) => request.startsWith("GET"))).toBe(true);
    expect((await stack.destroy()).ok).toBe(true);
  });

  test("can be chosen for Total TLS too, and functions read the affected certificates", async () => {
    await start({}, { totalTls: { enabled: false, certificateAuthority: "lets_encrypt" } });
    const tls = async (lib: Library, { zone }: { readonly zone: string }) => {
      const before = await lib.getTotalTls(zone);
      const total = new lib.TotalTlsCa("tls", { zoneId: zone, certificateAuthority: "google", onDelete: "restore" });
      const [packs, custom, hostnames] = await Promise.all([
        lib.listCertificatePacks(zone),
        lib.listCustomCertificates(zone),
        lib.listCustomHostnames(zone, { certificateAuthority: "lets_encrypt" }),
      ]);
      const found = lib.assessCertificateChain({ packs, customCertificates: custom, customHostnames: hostnames });
      return { before, enabled: total.enabled, verdicts: found.map(({ verdict }) => verdict) };
    };
    const up = await stack.up(tls, { zone: zoneId });
    expect(up.outputs).toMatchObject({ before: { enabled: false }, enabled: false, verdicts: ["none", "act"] });
    expect(await stack.service.ask("GET", `/zones/${zoneId}/acm/total_tls`)).toMatchObject({
      enabled: false,
      certificate_authority: "google",
    });
    await stack.destroy();
    expect(await stack.service.ask("GET", `/zones/${zoneId}/acm/total_tls`)).toMatchObject({
      certificate_authority: "lets_encrypt",
    });
  });
});
