import { Paged } from "../call.js";
import type { Group } from "../group.js";
import type { Store } from "../store/store.js";
import { listZones, zoneAnswer } from "./zones.js";

export function zones(store: Store): Group {
  return {
    routes: [
      [
        "GET",
        "/zones",
        ({ query }) => {
          const { result, info } = listZones(store.zones.in(""), query);
          return new Paged(result, info);
        },
      ],
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
