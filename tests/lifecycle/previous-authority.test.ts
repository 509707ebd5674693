import type { Emulator } from "../../emulator/index.js";
import type { StackResource } from "../../provider/engine/predecessors.js";
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
  let emulator: Emulator;
  let service: Service;
  let zoneId: string;
  let first: ManagedResource<State>;
  let second: ManagedResource<State>;
  beforeEach(async () => {
    const certificates = {
      hostnames: [{ hostname: NAME, certificateAuthority: "lets_encrypt" }],
      totalTls: { enabled: true, certificateAuthority: "lets_encrypt" },
    };
    emulator = await freshEmulator({ seed: { zones: [{ name: "saas.example.com", certificates }] } });
    service = new Service(emulator);
    zoneId = await service.zone();
    first = new ManagedResource(kind, service, "urn:first");
    second = new ManagedResource(kind, service, "urn:second");
  });
  afterEach(() => emulator.close());
  const args = (rest: object = {}) => ({
    zoneId,
    certificateAuthority: "google",
    onDelete: "restore",
    ...more,
    ...rest,
  });
  const stackHolds = (...states: readonly (State | undefined)[]) => ({
    readStack: (): Promise<StackResource[]> =>
      Promise.resolve(states.map((state) => ({ type: kind, state: JSON.parse(JSON.stringify(state)) as never }))),
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

  test("is passed on in the state of the stack, and restored", async () => {
    await first.up(args());
    const other = { ...(first.kept?.state as State), zoneId: "another", previousCertificateAuthority: "ssl_com" };
    const up = await second.up(args(), stackHolds(other, first.kept?.state));
    expect([writes(up.requests), before(second)]).toEqual([0, "lets_encrypt"]);
    expect(writes(await second.destroy())).toBe(1);
    expect(await there()).toBe("lets_encrypt");
  });

  test("is passed on together with another choice", async () => {
    await first.up(args());
    const up = await second.up(args({ certificateAuthority: "ssl_com" }), stackHolds(first.kept?.state));
    expect([writes(up.requests), before(second)]).toEqual([1, "lets_encrypt"]);
    await second.destroy();
    expect(await there()).toBe("lets_encrypt");
  });

  test("is passed on by a delete that comes first in the same run", async () => {
    await first.up(args());
    first.run = second.start();
    await second.plan(args(), false);
    await first.deleteOther(first.kept?.id ?? "", first.kept?.state as object);
    await second.apply(args());
    expect(before(second)).toBe("lets_encrypt");
  });

  test("is what was found where no resource of the stack managed the object", async () => {
    await second.up(args({ certificateAuthority: "lets_encrypt" }), stackHolds());
    expect(before(second)).toBe("lets_encrypt");
    expect(writes(await second.destroy())).toBe(0);
    expect(second.notes.join()).toContain(
      "keeps Let's Encrypt: the previous authority on record is already in use. No",
    );
  });

  test("is not claimed where the state of the stack cannot be read", async () => {
    await first.up(args());
    const readStack = (): Promise<never> => Promise.reject(new Error("unavailable"));
    await second.up(args(), { readStack });
    expect(before(second)).toBe("");
    expect(writes(await second.destroy())).toBe(0);
    expect(second.notes.join()).toContain(
      'keeps Google Trust Services: the authority in use before this stack is not known, so onDelete: "restore" changes nothing. No',
    );
  });

  test("takes one read of the stack per run, and none in an update", async () => {
    let asked = 0;
    const readStack = (): Promise<StackResource[]> => {
      asked += 1;
      return Promise.resolve([]);
    };
    await first.up(args(), { readStack });
    await first.up(args({ certificateAuthority: "ssl_com" }), { readStack });
    expect([asked, before(first)]).toEqual([1, "lets_encrypt"]);
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
