import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator, type Emulator } from "../../emulator/index.js";
import { Service } from "../support/emulator.js";
import { Managed, type Kept } from "./managed.js";

/*
 * States of migrations and certificates as released versions left them: see states.test.ts. A newer version must read
 * them without a difference.
 */

const folder = join(__dirname, "states", "zones");
const NAME = "old.example.com";
const HOSTNAME = "shop.customer.test";
const KINDS = ["ZoneWafMigration", "CustomHostnameCa", "CustomHostnameCertificate", "TotalTlsCa"] as const;
type Kind = (typeof KINDS)[number];

const certificates = { hostnames: [{ hostname: HOSTNAME, certificateAuthority: "lets_encrypt" }] };
const seed = { zones: [{ name: NAME, previousWaf: {}, certificates }] };
const programs = (zoneId: string, caId: string): Record<Kind, object> => ({
  ZoneWafMigration: {
    zoneId,
    mode: "pending",
    acknowledgeIrreversible: NAME,
    adjustments: { overrides: [{ action: "log" }] },
  },
  CustomHostnameCa: { zoneId, hostname: HOSTNAME, certificateAuthority: "google", onDelete: "restore" },
  CustomHostnameCertificate: { customHostnameCaId: caId },
  TotalTlsCa: { zoneId, certificateAuthority: "ssl_com" },
});

/** What stood at the service when the states were written: the emulator gives the same ids in every run. */
async function make(): Promise<{
  emulator: Emulator;
  service: Service;
  made: Record<Kind, Managed<unknown>>;
  programs: Record<Kind, object>;
}> {
  const emulator = await startEmulator({ seed });
  const service = new Service(emulator);
  const zoneId = await service.zone();
  const made = Object.fromEntries(KINDS.map((kind) => [kind, new Managed<unknown>(kind, service)])) as Record<
    Kind,
    Managed<unknown>
  >;
  const all = (): Record<Kind, object> => programs(zoneId, made.CustomHostnameCa.kept?.id ?? "");
  for (const kind of KINDS) await made[kind].up(all()[kind]);
  return { emulator, service, made, programs: all() };
}

const { version } = JSON.parse(readFileSync(join(__dirname, "..", "..", "package.json"), "utf8")) as {
  version: string;
};
test.each(KINDS)("a %s of every released version goes on without a difference", async (kind) => {
  const files = readdirSync(folder);
  expect(files).toContain(`${version}.json`);
  for (const file of files) {
    const { emulator, service, programs: all } = await make();
    const recorded = (JSON.parse(readFileSync(join(folder, file), "utf8")) as Record<Kind, Kept<unknown>>)[kind];
    const managed = new Managed<unknown>(kind, service);
    managed.kept = recorded;
    expect(await managed.up(all[kind])).toMatchObject({ action: "none", requests: [] });
    expect(await managed.refresh()).toBe(true);
    expect(await managed.up(all[kind])).toMatchObject({ action: "none", requests: [] });
    await emulator.close();
  }
});
