import type { EmulatorClock } from "../clock.js";
import type { Group } from "../group.js";
import type { Limits } from "../limits.js";
import { Edge } from "./edge.js";
import type { HostZones } from "./host-zones.js";
import { serveEdge } from "./listener.js";
import { echo, proxyTo } from "./origin.js";
import type { EdgeRules } from "./rules.js";

interface Parts {
  readonly clock: EmulatorClock;
  readonly rules: EdgeRules;
  readonly zones: HostZones;
  readonly limits: Limits;
}

/** Access to what the zones served: events, requests and fields. */
export function edge({ clock, rules, zones, limits }: Parts): Group {
  const served = new Edge({ zones, rules, clock, kept: limits.events });
  const forget = () => {
    served.clear();
    return { ok: true };
  };
  return {
    routes: [],
    controls: [
      ["GET", "/events", ({ query }) => ofZone(served.events.list(), query.zone)],
      ["DELETE", "/events", forget],
      ["GET", "/logs", ({ query }) => ofZone(served.requests.list(), query.zone)],
      ["DELETE", "/logs", forget],
    ],
    addSeed: () => {
      served.clear();
    },
    serve: (origin) => serveEdge(served, origin === undefined ? echo : proxyTo(origin)),
  };
}

function ofZone<T extends { readonly zoneTag: string }>(entries: readonly T[], zone: string | undefined): readonly T[] {
  return zone === undefined ? entries : entries.filter(({ zoneTag }) => zoneTag === zone);
}
