import type { CertificatesSeed, Emulator } from "../../emulator/index.js";
import { Contract } from "../support/contract.js";
import { Service, TOKEN } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";

interface Hostname {
  readonly id: string;
  readonly hostname: string;
  readonly ssl: {
    readonly status: string;
    readonly certificate_authority: string;
    readonly settings?: object;
    readonly validation_records?: readonly Readonly<Record<string, unknown>>[];
    readonly validation_errors?: readonly { readonly message: string }[];
  };
}

describe("the certificate operations of the emulator", () => {
  let emulator: Emulator;
  let service: Service;
  let contract: Contract;
  let id: string;
  let zone: string;
  const start = async (certificates: CertificatesSeed = {}): Promise<void> => {
    emulator = await freshEmulator({ seed: { zones: [{ name: "saas.example.com", certificates }] } });
    service = new Service(emulator);
    contract = new Contract(emulator.url);
    id = await service.zone();
    zone = `/zones/${id}`;
  };
  const firstPath = async (): Promise<string> => {
    const [first] = await service.ask<Hostname[]>("GET", `${zone}/custom_hostnames`);
    return `${zone}/custom_hostnames/${first?.id ?? ""}`;
  };
  const refusal = async (method: string, path: string, body?: unknown): Promise<[number, number | undefined]> => {
    const answer = await fetch(`${emulator.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { errors } = (await answer.json()) as { errors?: { code?: number }[] };
    return [answer.status, errors?.[0]?.code];
  };

  test("issue a certificate step by step, and again after an edit without changes", async () => {
    await start({ pace: { reads: 1 }, hostnames: [{ hostname: "a.customer.test", issuing: true }] });
    const path = await firstPath();
    const statuses = async (): Promise<string[]> => {
      const seen: string[] = [];
      for (let look = 0; look < 5; look += 1) seen.push((await service.ask<Hostname>("GET", path)).ssl.status);
      return seen;
    };
    const way = ["initializing", "pending_validation", "pending_issuance", "pending_deployment", "active"];
    expect(await statuses()).toEqual(way);
    const same = { ssl: { method: "txt", type: "dv", certificate_authority: "" } };
    expect((await service.ask<Hostname>("PATCH", path, same)).ssl.status).toBe("initializing");
    expect(await statuses()).toEqual(way);
  });

  test("return validation records while they are needed, for the chosen method, and new ones in every round", async () => {
    await start({ pace: { reads: 1 }, hostnames: [{ hostname: "a.customer.test" }] });
    const path = await firstPath();
    expect((await service.ask<Hostname>("GET", path)).ssl.validation_records).toBeUndefined();
    const records = async (method: string) => {
      await service.ask("PATCH", path, { ssl: { method, type: "dv" } });
      await service.ask("GET", path);
      return (await service.ask<Hostname>("GET", path)).ssl.validation_records?.[0];
    };
    const first = await records("txt");
    expect(first).toMatchObject({ txt_name: "_acme-challenge.a.customer.test" });
    expect((await records("txt"))?.txt_value).not.toBe(first?.txt_value);
    expect(await records("http")).toMatchObject({
      http_url: expect.stringContaining("/.well-known/pki-validation/") as string,
    });
    expect(await records("email")).toMatchObject({ emails: ["admin@a.customer.test", "hostmaster@a.customer.test"] });
  });

  test("end in a failure at the configured time", async () => {
    await start({ pace: { seconds: 60 }, hostnames: [{ hostname: "a.customer.test", ends: "validation_timed_out" }] });
    const path = await firstPath();
    await service.ask("PATCH", path, { ssl: { method: "txt", type: "dv" } });
    await service.advanceClock(600);
    const { ssl } = await service.ask<Hostname>("GET", path);
    expect([ssl.status, ssl.validation_errors?.length]).toEqual(["validation_timed_out", 1]);
  });

  test.each<[string, unknown, number, number]>([
    ["another authority without a method", { ssl: { type: "dv", certificate_authority: "google" } }, 400, 1440],
    ["another authority without a type", { ssl: { method: "txt", certificate_authority: "google" } }, 400, 1440],
    ["an unknown method", { ssl: { method: "dns" } }, 400, 1432],
    ["an unknown type", { ssl: { type: "ev" } }, 400, 1433],
    ["not an object", { ssl: [] }, 400, 1434],
    ["an unknown authority", { ssl: { certificate_authority: "zerossl" } }, 400, 1434],
    ["an unknown bundle method", { ssl: { bundle_method: "modern" } }, 400, 1449],
  ])("refuse an edit: %s", async (_, body, status, code) => {
    await start({ hostnames: [{ hostname: "a.customer.test", certificateAuthority: "lets_encrypt" }] });
    expect(await refusal("PATCH", await firstPath(), body)).toEqual([status, code]);
  });

  test("refuse hostnames that are duplicate, unknown, locked or malformed, or exceed the quota", async () => {
    await start({ hostnames: [{ hostname: "a.customer.test", locked: true }], hostnameQuota: 2 });
    expect(await refusal("POST", `${zone}/custom_hostnames`, { hostname: "a.customer.test" })).toEqual([409, 1406]);
    expect(await refusal("POST", `${zone}/custom_hostnames`, { hostname: "a b" })).toEqual([400, 1407]);
    expect(await refusal("GET", `${zone}/custom_hostnames/${"0".repeat(32)}`)).toEqual([404, 1436]);
    expect(await refusal("PATCH", await firstPath(), { ssl: { method: "txt" } })).toEqual([409, 1439]);
    await service.ask("POST", `${zone}/custom_hostnames`, { hostname: "b.customer.test" });
    expect(await refusal("POST", `${zone}/custom_hostnames`, { hostname: "c.customer.test" })).toEqual([403, 1405]);
    await start({ hostnameQuota: 0 });
    expect(await refusal("POST", `${zone}/custom_hostnames`, { hostname: "a.customer.test" })).toEqual([403, 1404]);
  });

  test("choose the more compatible authority, unless a CAA record of the name or a parent forbids it", async () => {
    await start({
      hostnames: [{ hostname: "a.free.test" }, { hostname: "b.bound.test" }, { hostname: "c.both.test" }],
      caa: { "bound.test": ["letsencrypt.org"], "both.test": ["letsencrypt.org", "pki.goog"] },
    });
    const all = await service.ask<Hostname[]>("GET", `${zone}/custom_hostnames`);
    expect(all.map(({ ssl }) => ssl.certificate_authority)).toEqual(["google", "lets_encrypt", "google"]);
  });

  const hostnamesOf = async (): Promise<readonly (readonly [string, string, string])[]> => {
    const all = await service.ask<Hostname[]>("GET", `${zone}/custom_hostnames`);
    return all.map(({ hostname, ssl }) => [hostname, ssl.certificate_authority, ssl.status] as const);
  };
  const order = (hostname: string, certificate_authority: string): Promise<unknown> =>
    service.ask("POST", `${zone}/custom_hostnames`, {
      ...{ hostname, ssl: { method: "txt", type: "dv", certificate_authority } },
    });

  test("are not issued by an authority that CAA records forbid, or where they forbid all", async () => {
    const caa = { "bound.test": ["letsencrypt.org"], "closed.test": [] };
    await start({ caa, hostnames: [{ hostname: "old.closed.test" }, { hostname: "new.closed.test", issuing: true }] });
    await order("chosen.bound.test", "google");
    await order("default.bound.test", "");
    await order("chosen.closed.test", "lets_encrypt");
    await order("default.closed.test", "");
    expect(await hostnamesOf()).toEqual([
      ["old.closed.test", "lets_encrypt", "active"],
      ["new.closed.test", "lets_encrypt", "issuance_timed_out"],
      ["chosen.bound.test", "google", "issuance_timed_out"],
      ["default.bound.test", "lets_encrypt", "active"],
      ["chosen.closed.test", "lets_encrypt", "issuance_timed_out"],
      ["default.closed.test", "lets_encrypt", "issuance_timed_out"],
    ]);
  });

  test("are issued if CAA records change before the end, and stay active if they change afterwards", async () => {
    await start({ caa: { "closed.test": [] }, pace: { seconds: 10 } });
    await order("a.closed.test", "google");
    await service.configureCertificates(id, { caa: { "closed.test": ["pki.goog"] } });
    await service.advanceClock(60);
    expect(await hostnamesOf()).toEqual([["a.closed.test", "google", "active"]]);
    await service.configureCertificates(id, { caa: { "closed.test": [] } });
    expect(await hostnamesOf()).toEqual([["a.closed.test", "google", "active"]]);
  });

  test("filter and paginate", async () => {
    const hostnames = Array.from({ length: 60 }, (_, index) => ({
      hostname: `h${String(index).padStart(2, "0")}.customer.test`,
      certificateAuthority: index % 3 === 0 ? "lets_encrypt" : "google",
    }));
    await start({ hostnames });
    const count = async (query: string): Promise<number> =>
      (await service.ask<Hostname[]>("GET", `${zone}/custom_hostnames?per_page=50&${query}`)).length;
    expect(await count("")).toBe(50);
    expect(await count("page=2")).toBe(10);
    expect(await count("certificate_authority=lets_encrypt")).toBe(20);
    expect(await count("hostname=h07.customer.test")).toBe(1);
    expect(await count("hostname.exact=h07.customer.test")).toBe(1);
    expect(await count("hostname.contain=h0")).toBe(10);
    expect(await count("hostname.startsWith=h1")).toBe(10);
    expect(await count("ssl_status=pending_validation")).toBe(0);
    expect(await count("wildcard=false&hostname_status=active")).toBe(50);
  });

  test("cover packs of every type, uploaded certificates by date and bundle method, and Total TLS", async () => {
    const uploaded = ["sni_custom", "legacy_custom", "mh_custom", "keyless"];
    const types = ["universal", "advanced", "total_tls", "managed_hostname", ...uploaded];
    await start({
      packs: types.map((type, index) => ({
        type,
        status: index === 1 ? "expired" : "active",
        certificateAuthority: "lets_encrypt",
      })),
      custom: [
        { uploadedOn: "2024-09-08T23:59:59Z", bundleMethod: "ubiquitous" },
        { uploadedOn: "2024-09-09T00:00:00Z", bundleMethod: "optimal" },
        { uploadedOn: "2024-01-01T00:00:00Z", bundleMethod: "force" },
        { uploadedOn: "2024-01-01T00:00:00Z", bundleMethod: "user-defined" },
        { uploadedOn: "2024-01-01T00:00:00Z", bundleMethod: "compatible" },
        { uploadedOn: "2024-01-01T00:00:00Z", bundleMethod: "modern", issuer: "DigiCert Inc" },
        { uploadedOn: "2024-10-01T00:00:00Z", bundleMethod: "user-defined", issuer: "DigiCert Inc" },
      ],
      totalTls: { enabled: true, certificateAuthority: "lets_encrypt" },
    });
    expect(await contract.send<unknown[]>("GET", `${zone}/ssl/certificate_packs`)).toHaveLength(7);
    expect(await contract.send<unknown[]>("GET", `${zone}/ssl/certificate_packs?status=all`)).toHaveLength(8);
    const chains = await service.configureCertificates(id, {});
    const [crossed, asUploaded] = ["cross-signed", "as uploaded"];
    const expected = [crossed, "self-signed", asUploaded, asUploaded, crossed, "of its authority", asUploaded];
    expect(chains.map(({ chain }) => chain)).toEqual(expected);
    await contract.send("POST", `${zone}/acm/total_tls`, { enabled: true, certificate_authority: "google" });
    expect(await contract.send("GET", `${zone}/acm/total_tls`)).toEqual({
      enabled: true,
      certificate_authority: "google",
      validity_period: 90,
      status: "enabled",
    });
    expect((await refusal("POST", `${zone}/acm/total_tls`, { certificate_authority: "google" }))[0]).toBe(400);
  });
});
