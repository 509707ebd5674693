import type { CertificatesSeed } from "../../emulator/index.js";
import type { CustomHostnameCaArgs } from "../../provider/index.js";
import { writesIn } from "../support/requests.js";
import { EngineStack, type Library } from "./support/stack.js";

const NAME = "shop.customer.test";

interface Args {
  readonly zoneId: string;
  readonly ca: Omit<CustomHostnameCaArgs, "zoneId">;
}
const program = ({ CustomHostnameCa, CustomHostnameCertificate, pulumi }: Library, { zoneId, ca: args }: Args) => {
  const ca = new CustomHostnameCa("shop", { zoneId, ...args });
  // Stands in for a DNS record that is created from the outputs, between the choice of the authority and the wait.
  class Dns extends pulumi.ComponentResource {
    constructor(records: unknown) {
      super("test:index:Dns", "dns", { records });
      this.registerOutputs({ records });
    }
  }
  const dns = new Dns(ca.validationRecords);
  const certificate = new CustomHostnameCertificate("shop", { customHostnameCaId: ca.id }, { dependsOn: [dns] });
  return {
    records: ca.validationRecords,
    sslStatus: certificate.sslStatus,
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
    const preview = await stack.preview(program, { zoneId, ca: google });
    expect([preview.ok, edits(preview.requests)]).toEqual([true, 0]);
    expect(preview.text).toContain(
      "from Let's Encrypt to Google Trust Services; its certificate is validated again and reissued",
    );
    const up = await stack.up(program, { zoneId, ca: google });
    expect([up.ok, edits(up.requests)]).toEqual([true, 1]);
    expect(up.outputs).toMatchObject({
      effective: "google",
      sslStatus: "active",
      records: [{ txtName: `_acme-challenge.${NAME}` }],
    });
    expect(await stack.up(program, { zoneId, ca: google })).toMatchObject({
      requests: [],
      changes: { same: 4 },
    });
    await stack.service.configureCertificates(zoneId, { pace: "at-once" });
    const byDefault = { hostname: NAME, certificateAuthority: "", onDelete: "restore" as const };
    const back = await stack.up(program, { zoneId, ca: byDefault });
    // The choice, the wait for another certificate, and the stand-in for DNS between them.
    expect([back.ok, edits(back.requests), back.changes.update]).toEqual([true, 1, 3]);
    expect((await stack.destroy()).ok).toBe(true);
    expect(await authority()).toBe("lets_encrypt");
  });

  test("and its previous one are known after a rename with an alias, and restored on destroy", async () => {
    await start({}, { totalTls: { enabled: true, certificateAuthority: "ssl_com" } });
    const renaming = (
      { CustomHostnameCa, TotalTlsCa }: Library,
      { zone, name: called, aliases }: { zone: string; name: string; aliases: { name: string }[] },
    ): object => {
      const choice = { zoneId: zone, certificateAuthority: "google", onDelete: "restore" as const };
      const ca = new CustomHostnameCa(called, { ...choice, hostname: "shop.customer.test" }, { aliases });
      const tls = new TotalTlsCa(called, choice, { aliases });
      return { hostname: ca.previousCertificateAuthority, totalTls: tls.previousCertificateAuthority };
    };
    await stack.up(renaming, { zone: zoneId, name: "first", aliases: [] });
    const up = await stack.up(renaming, { zone: zoneId, name: "second", aliases: [{ name: "first" }] });
    expect([up.text, writesIn(up.requests)]).toEqual([expect.any(String), []]);
    expect(up.outputs).toEqual({ hostname: "lets_encrypt", totalTls: "ssl_com" });
    expect(stack.resources()).toHaveLength(2);
    const kept = stack.resources().flatMap(({ inputs, outputs }) => Object.keys({ ...inputs, ...outputs }));
    expect(kept).not.toContain("__program");
    for (const { urn, outputs } of stack.resources()) expect(outputs?.__urn).toBe(urn);
    const destroyed = await stack.destroy();
    expect([destroyed.ok, writesIn(destroyed.requests).length]).toEqual([true, 2]);
    expect(destroyed.text).toContain(
      `${NAME}: restored from Google Trust Services to Let's Encrypt; its certificate is validated again and reissued`,
    );
    expect(await authority()).toBe("lets_encrypt");
    expect(await stack.service.ask("GET", `/zones/${zoneId}/acm/total_tls`)).toMatchObject({
      certificate_authority: "ssl_com",
    });
  });

  test("can be chosen for Total TLS, and functions read the affected certificates", async () => {
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
  });
});
