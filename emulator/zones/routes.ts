import { accountsOf } from "../accounts/seed.js";
import { bodyOf, Paged, zoneOf } from "../call.js";
import type { GroupDefinition } from "../group-definition.js";
import { DEFAULT_ZONES, zoneFrom, zonesSeed, type BareZoneSeed, type ZonesSeed } from "./seed.js";
import { ZonesService } from "./service.js";

const ZONE = "/zones/:owner";

/** Zones with their plans. */
export const zones: GroupDefinition<object, BareZoneSeed> = {
  seed: zonesSeed,
  build: ({ store, clock, groups }) => {
    const service = new ZonesService(store, clock, groups);
    return {
      codes: { other: 1000 },
      routes: [
        ["GET", "/zones", ({ query }) => Paged.of(service.list(query))],
        ["POST", "/zones", (call) => service.create(bodyOf(call))],
        ["GET", ZONE, (call) => service.get(zoneOf(call))],
        ["PATCH", ZONE, (call) => service.update(zoneOf(call), bodyOf(call))],
        ["DELETE", ZONE, (call) => service.delete(zoneOf(call))],
        ["PUT", `${ZONE}/activation_check`, (call) => service.activate(zoneOf(call))],
        ["GET", `${ZONE}/subscription`, (call) => service.subscription(zoneOf(call))],
        ["POST", `${ZONE}/subscription`, (call) => service.subscribe(zoneOf(call), bodyOf(call))],
        ["PUT", `${ZONE}/subscription`, (call) => service.subscribe(zoneOf(call), bodyOf(call))],
      ],
      addSeed: (seed: ZonesSeed) => {
        const accounts = accountsOf(seed);
        for (const zone of seed.zones ?? DEFAULT_ZONES) service.add(zoneFrom(zone, accounts), zone);
      },
    };
  },
};
