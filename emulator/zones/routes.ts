import { Paged, type Group } from "../call.js";
import type { Store } from "../store.js";
import { listZones, zoneAnswer } from "./zones.js";

export function zones(store: Store): Group {
  return {
    routes: [
      [
        "GET",
        "/zones",
        ({ query }) => {
          const { result, info } = listZones(store.zones, query);
          return new Paged(result, info);
        },
      ],
      [
        "GET",
        "/zones/:owner",
        ({ owner }) => {
          const zone = store.zones.find(({ id }) => id === owner.id);
          return zone === undefined ? null : zoneAnswer(zone);
        },
      ],
    ],
  };
}
