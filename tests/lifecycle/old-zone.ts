import type { Plan, PreviousWafSeed } from "../../emulator/index.js";
import type { MigrationState } from "../../provider/kinds/waf-migration/description.js";
import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { ManagedResource } from "./managed.js";

export const NAME = "old.example.com";
export const PHASE = "http_request_firewall_managed";

/** A zone that is not yet migrated, and the resource that migrates it. */
export interface OldZone {
  readonly service: Service;
  readonly zoneId: string;
  readonly migration: ManagedResource<MigrationState>;
}

/** @param running a service that is used again, with everything in it replaced */
export async function startOldZone(
  previousWaf: PreviousWafSeed = {},
  plan: Plan = "enterprise",
  running?: Service,
): Promise<OldZone> {
  const service = running ?? new Service(await freshEmulator());
  await service.reset({ zones: [{ name: NAME, plan, previousWaf }] });
  return { service, zoneId: await service.zone(plan), migration: new ManagedResource("ZoneWafMigration", service) };
}
