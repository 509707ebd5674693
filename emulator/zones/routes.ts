import { Paged } from "../call.js";
import type { Group } from "../group.js";
import type { Store } from "../store/store.js";
import { listZones, zoneAnswer } from "./zones.js";

export function zones(store: Store): Group {
  return {
    codes: { other: 1000 },
    routes: [
      ["GET", "/zones", ({ query }) => Paged.of(listZones(store.zones.in(""), query))],
      [
        "GET",
        "/zones/:owner",
        ({ owner }) => {
          const zone = store.zones.get("", owner.id);
          return zone === undefined ? null : zoneAnswer(zone);
        },
      ],
    ],
  };
}
