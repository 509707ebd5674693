import { startEmulator, type Emulator, type Plan, type PreviousWafSeed } from "../../emulator/index.js";
import type { MigrationState } from "../../provider/kinds/waf-migration/description.js";
import { Service } from "../support/emulator.js";
import { Managed } from "./managed.js";

export const NAME = "old.example.com";
export const PHASE = "http_request_firewall_managed";

/** A zone that is still to be migrated, and the resource that does it. */
export interface OldZone {
  readonly emulator: Emulator;
  readonly service: Service;
  readonly zoneId: string;
  readonly migration: Managed<MigrationState>;
}

export async function startOldZone(previousWaf: PreviousWafSeed = {}, plan: Plan = "enterprise"): Promise<OldZone> {
  const emulator = await startEmulator({ seed: { zones: [{ name: NAME, plan, previousWaf }] } });
  const service = new Service(emulator);
  const zoneId = await service.zone(plan);
  return { emulator, service, zoneId, migration: new Managed("ZoneWafMigration", service) };
}
