import type { Emulator, Plan, PreviousWafSeed, Seed } from "../../emulator/index.js";
import type { MigrationState } from "../../provider/kinds/waf-migration/description.js";
import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { ManagedResource } from "./managed.js";

export const NAME = "old.example.com";
export const PHASE = "http_request_firewall_managed";

/** A zone that is not yet migrated, and the resource that migrates it. */
export interface OldZone {
  readonly emulator: Emulator;
  readonly service: Service;
  readonly zoneId: string;
  readonly migration: ManagedResource<MigrationState>;
}

export async function startOldZone(previousWaf: PreviousWafSeed = {}, plan: Plan = "enterprise"): Promise<OldZone> {
  const emulator = await freshEmulator({ seed: seedOf(previousWaf, plan) });
  return oldZoneIn(emulator, new Service(emulator), plan);
}

/** The same in a running emulator, replacing everything in it. */
export async function renewOldZone(
  emulator: Emulator,
  previousWaf: PreviousWafSeed = {},
  plan: Plan = "enterprise",
): Promise<OldZone> {
  const service = new Service(emulator);
  await service.reset(seedOf(previousWaf, plan));
  return oldZoneIn(emulator, service, plan);
}

function seedOf(previousWaf: PreviousWafSeed, plan: Plan): Seed {
  return { zones: [{ name: NAME, plan, previousWaf }] };
}

async function oldZoneIn(emulator: Emulator, service: Service, plan: Plan): Promise<OldZone> {
  const zoneId = await service.zone(plan);
  return { emulator, service, zoneId, migration: new ManagedResource("ZoneWafMigration", service) };
}
