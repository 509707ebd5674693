import { startEmulator, type Emulator } from "../../emulator/index.js";
import { Service } from "../support/emulator.js";
import { ManagedResource } from "./managed.js";
import { KINDS as ALL_KINDS } from "../../provider/kinds/index.js";
import { isRecording, OF_RULESETS, recordedStates, recordState } from "./recorded.js";

/* A state of an earlier version is read without a difference. */

const NAME = "old.example.com";
const HOSTNAME = "shop.customer.test";
/** Every kind has its program here, or in `states.test.ts`. */
type Kind = Exclude<keyof typeof ALL_KINDS, (typeof OF_RULESETS)[number]>;

const RATE = { characteristics: ["cf.colo.id", "ip.src"], period: 60, requestsPerPeriod: 5, mitigationTimeout: 60 };
const certificates = { hostnames: [{ hostname: HOSTNAME, certificateAuthority: "lets_encrypt" }] };
const seed = { zones: [{ name: NAME, previousWaf: {}, certificates }] };
const programs = (zoneId: string, accountId: string, caId: string): Record<Kind, object> => ({
  ZoneWafMigration: {
    zoneId,
    mode: "pending",
    acknowledgeIrreversible: NAME,
    adjustments: { overrides: [{ action: "log" }] },
  },
  CustomHostnameCa: { zoneId, hostname: HOSTNAME, certificateAuthority: "google", onDelete: "restore" },
  CustomHostnameCertificate: { customHostnameCaId: caId },
  TotalTlsCa: { zoneId, certificateAuthority: "ssl_com" },
  RulesetRule: { zoneId, phase: "http_ratelimit", ref: "mine", action: "block", expression: "ssl", ratelimit: RATE },
  RulesList: {
    accountId,
    name: "moves",
    kind: "redirect",
    description: "Ours",
    items: [{ source: "example.com/a", target: "https://example.com/b", status: 302, comment: "moved" }],
  },
});

const KINDS = Object.keys(programs("", "", "")) as readonly Kind[];

test("a state of every kind of resource is recorded", () => {
  expect([...KINDS, ...OF_RULESETS].sort()).toEqual(Object.keys(ALL_KINDS).sort());
});

/** What the service contained when the states were written: the emulator gives the same IDs in every run. */
async function createAll(): Promise<{
  emulator: Emulator;
  service: Service;
  managed: Record<Kind, ManagedResource<unknown>>;
  programs: Record<Kind, object>;
}> {
  const emulator = await startEmulator({ seed });
  const service = new Service(emulator);
  const [zoneId, accountId] = [await service.zone(), await service.account()];
  const managed = Object.fromEntries(
    KINDS.map((kind) => [kind, new ManagedResource<unknown>(kind, service)]),
  ) as Record<Kind, ManagedResource<unknown>>;
  const all = (): Record<Kind, object> => programs(zoneId, accountId, managed.CustomHostnameCa.kept?.id ?? "");
  for (const kind of KINDS) await managed[kind].up(all()[kind]);
  return { emulator, service, managed, programs: all() };
}

if (isRecording)
  test.each(KINDS)("records the state of a %s", async (kind) => {
    const { emulator, managed } = await createAll();
    recordState("zones", kind, managed[kind].kept);
    await emulator.close();
  });
else
  test.each(KINDS)("a %s of every released version continues without a difference", async (kind) => {
    for (const recorded of recordedStates("zones", kind)) {
      const { emulator, service, programs: all } = await createAll();
      const managed = new ManagedResource<unknown>(kind, service);
      managed.kept = recorded;
      expect(await managed.up(all[kind])).toMatchObject({ action: "none", requests: [] });
      expect(await managed.refresh()).toBe(true);
      expect(await managed.up(all[kind])).toMatchObject({ action: "none", requests: [] });
      await emulator.close();
    }
  });
