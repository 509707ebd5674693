import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { faultCases } from "../support/fuzzing.js";
import { FaultyClient, WRITE_FAULTS, type Course } from "./fault-matrix/faulty-client.js";
import { ManagedResource, type StoredResource } from "./managed.js";
import type { Run, RunOptions } from "./run.js";

/*
 * The choice of a certificate authority with every fault, a kill before or after its write, and somebody who makes another choice
 * right before it. A write reissues certificates, so one that was carried out is not sent again.
 */

const NAME = "shop.customer.test";
const WRITES = { CustomHostnameCa: ["PATCH", { hostname: NAME }], TotalTlsCa: ["POST", {}] } as const;
type CaKind = keyof typeof WRITES;

interface Case {
  readonly kind: CaKind;
  readonly change: "creating" | "changing" | "deleting";
  readonly fault: string;
  readonly interferes: boolean;
}
const CASES: readonly Case[] = (["CustomHostnameCa", "TotalTlsCa"] as const).flatMap((kind) =>
  (["creating", "changing", "deleting"] as const).flatMap((change) =>
    Object.keys(WRITE_FAULTS).flatMap((fault) =>
      [false, true].map((interferes): Case => ({ kind, change, fault, interferes })),
    ),
  ),
);

/** A resource whose writes follow a course. */
class FaultyResource extends ManagedResource<object> {
  course: Course | undefined;
  override start(options: RunOptions = {}): Run {
    const run = super.start(options);
    const client = new FaultyClient(this.service, this.course);
    Object.defineProperty(run.session, "client", { value: client.wrap(run.session.client) });
    return run;
  }
}

describe("the choice of an authority with any fault, kill and interference", () => {
  let service: Service;
  let zoneId: string;
  beforeEach(async () => {
    const certificates = {
      hostnames: [{ hostname: NAME, certificateAuthority: "lets_encrypt" }],
      totalTls: { enabled: true, certificateAuthority: "lets_encrypt" },
    };
    service = new Service(await freshEmulator({ seed: { zones: [{ name: "saas.example.com", certificates }] } }));
    zoneId = await service.zone();
  });

  const hostname = async () => {
    const path = `/zones/${zoneId}/custom_hostnames`;
    return (await service.ask<{ id: string; ssl: { certificate_authority: string } }[]>("GET", path))[0];
  };
  const totalTls = () => service.ask<{ certificate_authority: string }>("GET", `/zones/${zoneId}/acm/total_tls`);
  const authority = async (kind: CaKind): Promise<string | undefined> =>
    kind === "TotalTlsCa" ? (await totalTls()).certificate_authority : (await hostname())?.ssl.certificate_authority;
  const choose = async (kind: CaKind, choice: string): Promise<void> => {
    const body = { certificate_authority: choice };
    if (kind === "TotalTlsCa") await service.ask("POST", `/zones/${zoneId}/acm/total_tls`, { enabled: true, ...body });
    else {
      const path = `/zones/${zoneId}/custom_hostnames/${(await hostname())?.id ?? ""}`;
      await service.ask("PATCH", path, { ssl: { method: "txt", type: "dv", ...body } });
    }
  };

  test.each(faultCases(CASES, 48).map((each) => [JSON.stringify(each), each] as const))("%s", async (_name, each) => {
    const { kind, change, fault, interferes } = each;
    const [method, more] = WRITES[kind];
    const args = (choice: string) => ({ zoneId, certificateAuthority: choice, onDelete: "restore", ...more });
    const resource = new FaultyResource(kind, service);
    if (change !== "creating") await resource.up(args("google"));
    const wanted = { creating: "google", changing: "ssl_com", deleting: "lets_encrypt" }[change];
    let killed: { readonly kept: StoredResource<object> | undefined } | undefined;
    resource.course = {
      write: 0,
      fault: WRITE_FAULTS[fault] ?? { kind: "none" },
      interferedWrite: interferes ? 0 : -1,
      interfere: () => choose(kind, "ssl_com"),
      onKill: () => (killed = { kept: resource.kept }),
    };
    const run = () => (change === "deleting" ? resource.destroy() : resource.up(args(wanted)));
    const failed = await run().then(
      () => false,
      () => true,
    );
    resource.course = undefined;
    if (killed !== undefined) resource.kept = killed.kept;
    if (!failed) expect(await authority(kind)).toBe(wanted);
    const isThere = (await authority(kind)) === wanted;
    await service.forget();
    if (resource.kept !== undefined) await resource.refresh();
    await service.forget();
    if (change !== "deleting" || resource.kept !== undefined) await run();
    const sent = (await service.requests()).filter((request) => request.startsWith(method));
    expect([await authority(kind), isThere ? sent : []]).toEqual([wanted, []]);
    if (change !== "deleting") expect((await resource.up(args(wanted))).requests).toEqual([]);
  });
});
