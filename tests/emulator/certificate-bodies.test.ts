import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CertificatesSeed, Emulator } from "../../emulator/index.js";
import { Caller, codes } from "../support/caller.js";
import { Contract } from "../support/contract.js";
import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";

const file = (name: string): string => readFileSync(join(__dirname, "..", "support", "files", name), "utf8");
const order = {
  type: "advanced",
  hosts: ["saas.example.com", "*.saas.example.com"],
  validation_method: "txt",
  validity_days: 90,
  certificate_authority: "google",
};
interface Pack {
  readonly id: string;
  readonly status: string;
  readonly certificates: readonly { readonly id: string; readonly uploaded_on: string; readonly expires_on: string }[];
  readonly validation_records?: readonly object[];
}
interface Hostname {
  readonly id: string;
  readonly ssl: Readonly<Record<string, unknown>> & {
    readonly status: string;
    readonly uploaded_on: string;
    readonly expires_on: string;
    readonly serial_number: string;
    readonly certificates?: readonly { readonly id: string }[];
  };
}
const days = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

describe("the certificate service of the emulator", () => {
  let emulator: Emulator;
  let caller: Caller;
  let service: Service;
  let zone: string;
  const start = async (certificates: CertificatesSeed = {}): Promise<void> => {
    emulator = await freshEmulator({ seed: { zones: [{ name: "saas.example.com", certificates }] } });
    caller = new Caller(emulator);
    service = new Service(emulator);
    zone = `/zones/${await service.zone()}`;
  };

  describe("refuses invalid requests", () => {
    beforeEach(() => start({ hostnames: [{ hostname: "a.customer.test" }] }));

    test.each<[string, object]>([
      ["hosts as a string", { hosts: "x" }],
      ["no hosts", { hosts: [] }],
      ["hosts without the apex", { hosts: ["www.saas.example.com"] }],
      ["a host of another zone", { hosts: ["saas.example.com", "example.org"] }],
      [
        "fifty-one hosts",
        { hosts: ["saas.example.com", ...Array.from({ length: 50 }, (_, i) => `h${String(i)}.saas.example.com`)] },
      ],
      ["a validity period that is not offered", { validity_days: 7 }],
      ["a validity period as a string", { validity_days: "90" }],
      ["a month of Let's Encrypt", { certificate_authority: "lets_encrypt", validity_days: 30 }],
      ["a year of Google Trust Services", { validity_days: 365 }],
      ["an unknown method", { validation_method: "cname" }],
      ["an unknown type", { type: "universal" }],
      ["an authority that is no longer offered for orders", { certificate_authority: "digicert" }],
    ])("an order with %s", async (_, change) => {
      expect(codes(await caller.send("POST", `${zone}/ssl/certificate_packs/order`, { ...order, ...change }))).toEqual([
        400, 1408,
      ]);
    });

    test.each<[string, unknown]>([
      ["an empty label", "a..b"],
      ["a dot at the end", "a.b."],
      ["a dot at the start", ".a.b"],
      ["one label", "localhost"],
      ["a hyphen at the start of a label", "-a.customer.test"],
      ["a label of 64 characters", `${"a".repeat(64)}.customer.test`],
      ["more than 255 characters", `${"a.".repeat(130)}test`],
      ["a space", "a b.test"],
      ["a number", 5],
      ["nothing", undefined],
      ["an empty string", ""],
    ])("a hostname with %s", async (_, hostname) => {
      expect(codes(await caller.send("POST", `${zone}/custom_hostnames`, { hostname }))).toEqual([400, 1407]);
    });

    test.each<[object, number]>([
      [{ ssl: { settings: { min_tls_version: "9.9" } } }, 1434],
      [{ ssl: { settings: { http2: true } } }, 1434],
      [{ ssl: { settings: { ciphers: "x" } } }, 1434],
      [{ ssl: { wildcard: "yes" } }, 1434],
      [{ ssl: null }, 1434],
      [{ ssl: { custom_cert_bundle: [] } }, 1434],
      [{ ssl: { custom_certificate: "nonsense", custom_key: "k" } }, 1434],
      [{ custom_metadata: "a" }, 1400],
      [{ custom_metadata: "x" }, 1400],
      [{ custom_origin_server: 5 }, 1400],
    ])("settings of a hostname: %j", async (change, code) => {
      const [created] = await caller.result<Hostname[]>("GET", `${zone}/custom_hostnames`);
      expect(codes(await caller.send("PATCH", `${zone}/custom_hostnames/${created?.id ?? ""}`, change))).toEqual([
        400,
        code,
      ]);
    });

    test.each<[string, string, object]>([
      ["PATCH", "/ssl/universal/settings", { enabled: "no" }],
      ["POST", "/acm/total_tls", { enabled: "yes" }],
      ["POST", "/acm/total_tls", { enabled: true, certificate_authority: "digicert" }],
      ["PUT", "/custom_hostnames/fallback_origin", { origin: 5 }],
      ["POST", "/custom_certificates", { certificate: file("uploaded.pem"), private_key: "k", bundle_method: "fast" }],
      ["POST", "/custom_certificates", { certificate: file("uploaded.pem"), private_key: 5 }],
      ["POST", "/custom_certificates", { certificate: file("uploaded.pem"), private_key: "k", geo_restrictions: "us" }],
      ["PUT", "/custom_certificates/prioritize", { certificates: [{ id: "x" }] }],
    ])("%s %s %j", async (method, path, body) => {
      expect(codes(await caller.send(method, `${zone}${path}`, body))).toEqual([400, expect.any(Number)]);
    });
  });

  test("treats hostnames as case-insensitive, also when checking for duplicates", async () => {
    await start();
    const created = await caller.result("POST", `${zone}/custom_hostnames`, { hostname: "Shop.Customer.TEST" });
    expect(created).toMatchObject({ hostname: "shop.customer.test" });
    expect(codes(await caller.send("POST", `${zone}/custom_hostnames`, { hostname: "SHOP.customer.test" }))).toEqual([
      409, 1406,
    ]);
    expect(await caller.result("GET", `${zone}/custom_hostnames?hostname=SHOP.customer.test`)).toHaveLength(1);
  });

  test("keeps Universal SSL off when the setting is not sent", async () => {
    await start();
    await caller.result("PATCH", `${zone}/ssl/universal/settings`, { enabled: false });
    expect(await caller.result("PATCH", `${zone}/ssl/universal/settings`, {})).toEqual({ enabled: false });
  });

  test.each(["compatible", "modern", "user-defined", "ubiquitous", "optimal", "force"])(
    "takes the bundle method %s for an uploaded certificate",
    async (bundle_method) => {
      await start();
      const { id } = await caller.result("POST", `${zone}/custom_certificates`, {
        certificate: file("uploaded.pem"),
        private_key: "key-of-mine",
      });
      const edited = await caller.result("PATCH", `${zone}/custom_certificates/${id}`, { bundle_method });
      expect(edited).toMatchObject({ bundle_method });
    },
  );

  test("changes only the given fields of an uploaded certificate, and never returns its key", async () => {
    await start();
    const upload = {
      certificate: file("uploaded.pem"),
      private_key: "key-of-mine",
      bundle_method: "force",
      geo_restrictions: { label: "eu" },
    };
    const { id } = await caller.result("POST", `${zone}/custom_certificates`, upload);
    const edited = await caller.result("PATCH", `${zone}/custom_certificates/${id}`, {
      geo_restrictions: { label: "us" },
    });
    expect(edited).toMatchObject({
      ...{ bundle_method: "force", geo_restrictions: { label: "us" } },
      ...{ issuer: "Let's Encrypt", hosts: ["uploaded.example.com", "www.uploaded.example.com"] },
    });
    expect(JSON.stringify(await caller.result("GET", `${zone}/custom_certificates`))).not.toContain("key-of-mine");
    const second = await caller.result("POST", `${zone}/custom_certificates`, upload);
    const body = {
      certificates: [
        { id, priority: 2 },
        { id: second.id, priority: 1 },
      ],
    };
    expect(await caller.result("PUT", `${zone}/custom_certificates/prioritize`, body)).toMatchObject([
      { id },
      { id: second.id },
    ]);
    await service.advanceClock(200 * 365 * 86_400);
    expect(await caller.result("GET", `${zone}/custom_certificates/${id}`)).toMatchObject({ status: "expired" });
  });

  describe("an ordered certificate pack", () => {
    const way = ["initializing", "pending_validation", "pending_issuance", "pending_deployment", "active"];

    test("advances through its statuses when it is read, and again after a PATCH", async () => {
      await start({ pace: { reads: 1 } });
      const { id } = await caller.result("POST", `${zone}/ssl/certificate_packs/order`, order);
      const path = `${zone}/ssl/certificate_packs/${id}`;
      const statuses = async (): Promise<string[]> => {
        const seen: string[] = [];
        for (let look = 0; look < 5; look += 1) seen.push((await caller.result<Pack>("GET", path)).status);
        return seen;
      };
      expect(await statuses()).toEqual(way);
      const [before] = (await caller.result<Pack>("GET", path)).certificates;
      expect((await caller.result<Pack>("PATCH", path, {})).status).toBe("initializing");
      expect(await statuses()).toEqual(way);
      const [after] = (await caller.result<Pack>("GET", path)).certificates;
      expect(after?.id).not.toBe(before?.id);
    });

    test("advances with the clock, has validation records while they are needed, and gets a certificate with dates", async () => {
      await start({ pace: { seconds: 60 } });
      const { id } = await caller.result("POST", `${zone}/ssl/certificate_packs/order`, {
        ...order,
        validity_days: 30,
      });
      const get = () => caller.result<Pack>("GET", `${zone}/ssl/certificate_packs/${id}`);
      await service.advanceClock(60);
      expect(await get()).toMatchObject({ status: "pending_validation", certificates: [], validation_records: [{}] });
      expect((await caller.send("GET", `${zone}/ssl/certificate_packs`)).result).toHaveLength(1);
      await service.advanceClock(200);
      const active = await get();
      expect(active).toMatchObject({ status: "active", primary_certificate: active.certificates[0]?.id });
      expect(active.validation_records).toBeUndefined();
      const [first] = active.certificates;
      expect(days(first?.uploaded_on ?? "", first?.expires_on ?? "")).toBe(30);
      await service.advanceClock(21 * 86_400);
      const [renewed] = (await get()).certificates;
      expect([days(first?.uploaded_on ?? "", renewed?.uploaded_on ?? ""), renewed?.id === first?.id]).toEqual([
        20,
        false,
      ]);
    });

    test("counts towards the quota and is in the verification, where another method restarts it", async () => {
      await start({ pace: { seconds: 60 } });
      const contract = new Contract(emulator.url);
      const { id } = await contract.send("POST", `${zone}/ssl/certificate_packs/order`, order);
      expect(await caller.result("GET", `${zone}/ssl/certificate_packs/quota`)).toMatchObject({
        advanced: { used: 1 },
      });
      const verification = async () => {
        const all = await caller.result<{ cert_pack_uuid: string }[]>("GET", `${zone}/ssl/verification`);
        return all.find(({ cert_pack_uuid }) => cert_pack_uuid === id);
      };
      await service.advanceClock(60);
      expect(await verification()).toMatchObject({ certificate_status: "authorizing", validation_method: "txt" });
      const edited = await caller.result("PATCH", `${zone}/ssl/verification/${id}`, { validation_method: "http" });
      expect(edited).toEqual({ validation_method: "http", status: "initializing" });
      expect(codes(await caller.send("PATCH", `${zone}/ssl/verification/${id}`, { validation_method: "dns" }))).toEqual(
        [400, 1408],
      );
    });
  });

  test("returns how to validate a hostname, and certificate dates that follow the clock and each issuance", async () => {
    await start({ pace: { seconds: 60 } });
    const ssl = { method: "txt", type: "dv", wildcard: true };
    const created = await caller.result<Hostname>("POST", `${zone}/custom_hostnames`, {
      hostname: "a.customer.test",
      ssl,
    });
    expect(created).toMatchObject({
      ownership_verification: { type: "txt", name: "_cf-custom-hostname.a.customer.test" },
      ownership_verification_http: { http_url: expect.stringMatching(/^http:\/\/a\.customer\.test\//) as string },
      ssl: { status: "initializing", dcv_delegation_records: [{ cname: "_acme-challenge.a.customer.test" }] },
    });
    expect(created.ssl.serial_number).toBeUndefined();
    const path = `${zone}/custom_hostnames/${created.id}`;
    await service.advanceClock(600);
    const first = await new Contract(emulator.url).send<Hostname>("GET", path);
    expect(first.ssl).toMatchObject({ hosts: ["a.customer.test", "*.a.customer.test"] });
    expect(days(first.ssl.uploaded_on, first.ssl.expires_on)).toBe(90);
    await service.advanceClock(61 * 86_400);
    const renewed = await caller.result<Hostname>("GET", path);
    expect(days(first.ssl.uploaded_on, renewed.ssl.uploaded_on)).toBe(60);
    await caller.result("PATCH", path, { ssl });
    await service.advanceClock(600);
    const anew = await caller.result<Hostname>("GET", path);
    expect(days(renewed.ssl.uploaded_on, anew.ssl.uploaded_on)).toBe(1);
    expect(new Set([first, renewed, anew].map((each) => each.ssl.serial_number)).size).toBe(3);
  });

  test("reports the quota of hostnames", async () => {
    await start({ hostnameQuota: 7, hostnames: [{ hostname: "a.customer.test" }] });
    const quota = { allocated: 7, exceeded: false, hard_cap: 7, used: 1 };
    expect(await caller.result("GET", `${zone}/custom_hostnames/quota`)).toEqual(quota);
  });

  test("replaces one of two uploaded certificates with the same key type, and refuses to delete the last one", async () => {
    await start();
    const [rsa, ec] = [file("rsa-a.pem"), file("ec-a.pem")];
    const bundle = [rsa, ec].map((pem) => ({ custom_certificate: pem, custom_key: "key-of-mine" }));
    const created = await caller.result<Hostname>("POST", `${zone}/custom_hostnames`, {
      hostname: "shop.customer.test",
      ssl: { method: "http", type: "dv", custom_cert_bundle: bundle },
    });
    expect(JSON.stringify(created)).not.toContain("key-of-mine");
    expect(created.ssl).toMatchObject({ issuer: "Example Trust", hosts: ["shop.customer.test"] });
    const pack = `${zone}/custom_hostnames/${created.id}/certificate_pack/${created.id}-ssl/certificates`;
    const [first, second] = created.ssl.certificates ?? [];
    const replace = (pem: string) =>
      caller.send<Hostname>("PUT", `${pack}/${first?.id ?? ""}`, { custom_certificate: pem, custom_key: "k" });
    expect(codes(await replace(ec))).toEqual([400, 1434]);
    const replaced = await replace(file("rsa-b.pem"));
    expect(replaced.result.ssl.serial_number).not.toBe(created.ssl.serial_number);
    expect(await caller.send("DELETE", `${pack}/${second?.id ?? ""}`)).toMatchObject({ status: 200, id: second?.id });
    expect(codes(await caller.send("DELETE", `${pack}/${first?.id ?? ""}`))).toEqual([400, 1434]);
    expect(codes(await caller.send("DELETE", `${pack}/${"0".repeat(32)}`))).toEqual([404, 1436]);
  });
});
