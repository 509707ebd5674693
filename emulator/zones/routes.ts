import { accountsOf } from "../accounts/seed.js";
import { bodyOf, Paged, zoneOf } from "../call.js";
import type { EmulatorClock } from "../clock.js";
import type { Group } from "../group.js";
import type { Store } from "../store/store.js";
import { DEFAULT_ZONES, zoneFrom } from "./seed.js";
import { ZonesService } from "./service.js";

const ZONE = "/zones/:owner";

/** Zones with their plans. */
export function zones(store: Store, clock: EmulatorClock, groups: readonly Group[]): Group {
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
    addSeed: (seed) => {
      const accounts = accountsOf(seed);
      for (const zone of seed.zones ?? DEFAULT_ZONES) service.add(zoneFrom(zone, accounts), zone);
    },
  };
}
