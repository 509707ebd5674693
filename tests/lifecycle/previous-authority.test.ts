import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { ManagedResource } from "./managed.js";

const NAME = "shop.customer.test";

interface State {
  readonly zoneId: string;
  readonly previousCertificateAuthority: string;
}

/** The differences between the two kinds. */
const KINDS = [
  ["CustomHostnameCa", { hostname: NAME }, "PATCH"],
  ["TotalTlsCa", {}, "POST"],
] as const;

describe.each(KINDS)("the authority before a %s", (kind, more, method) => {
  let service: Service;
  let zoneId: string;
  let first: ManagedResource<State>;
  beforeEach(async () => {
    const certificates = {
      hostnames: [{ hostname: NAME, certificateAuthority: "lets_encrypt" }],
      totalTls: { enabled: true, certificateAuthority: "lets_encrypt" },
    };
    service = new Service(await freshEmulator({ seed: { zones: [{ name: "saas.example.com", certificates }] } }));
    zoneId = await service.zone();
    first = new ManagedResource(kind, service, "urn:first");
  });
  const args = (rest: object = {}) => ({
    zoneId,
    certificateAuthority: "google",
    onDelete: "restore",
    ...more,
    ...rest,
  });
  const writes = (requests: readonly string[]): number =>
    requests.filter((request) => request.startsWith(method)).length;
  const before = (managed: ManagedResource<State>): string | undefined =>
    managed.kept?.state.previousCertificateAuthority;
  const there = async (): Promise<string> => {
    if (kind === "TotalTlsCa")
      return (await service.ask<{ certificate_authority: string }>("GET", `/zones/${zoneId}/acm/total_tls`))
        .certificate_authority;
    const path = `/zones/${zoneId}/custom_hostnames`;
    const [found] = await service.ask<{ ssl: { certificate_authority: string } }[]>("GET", path);
    return found?.ssl.certificate_authority ?? "";
  };

  test("is what was found when the resource was created", async () => {
    await first.up(args({ certificateAuthority: "lets_encrypt" }));
    expect(before(first)).toBe("lets_encrypt");
    expect(writes(await first.destroy())).toBe(0);
    expect(first.notes.join()).toContain("keeps Let's Encrypt: the previous authority on record is already in use. No");
  });

  test("stays on record in an update, and is restored", async () => {
    await first.up(args());
    await first.up(args({ certificateAuthority: "ssl_com" }));
    expect(before(first)).toBe("lets_encrypt");
    expect(writes(await first.destroy())).toBe(1);
    expect(await there()).toBe("lets_encrypt");
  });

  test("survives a first write with unknown outcome", async () => {
    await service.fault({ method, cut: "after" });
    // The reads before the write succeed, the one after it does not.
    await service.fault({ method: "GET", times: kind === "TotalTlsCa" ? 2 : 1 });
    await service.fault({ method: "GET", status: 500, times: 9 });
    await expect(first.up(args())).rejects.toThrow();
    await service.noFaults();
    expect(before(first)).toBe("lets_encrypt");
    const up = await first.up(args());
    expect([up.action, writes(up.requests), before(first)]).toEqual(["update", 0, "lets_encrypt"]);
    await first.destroy();
    expect(await there()).toBe("lets_encrypt");
  });
});
