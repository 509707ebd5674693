import { analyticsRoutes } from "../analytics/routes.js";
import type { GroupDefinition } from "../group-definition.js";
import { noSeed } from "../seed-part.js";
import { Edge } from "./edge.js";
import { serveEdge } from "./listener.js";
import { echo, proxyTo } from "./origin.js";

/** Access to what the zones served: events, requests and fields. */
export const edge: GroupDefinition = {
  seed: noSeed,
  build: ({ store, clock, deployed: rules, hosts: zones, limits }) => {
    const served = new Edge({ zones, rules, clock, maxEntries: limits.events });
    const analytics = analyticsRoutes(served, { store, clock });
    const forget = () => {
      served.clear();
      return { ok: true };
    };
    return {
      routes: analytics.routes,
      controls: [
        ...analytics.controls,
        ["GET", "/events", ({ query }) => ofZone(served.events.list(), query.zone)],
        ["DELETE", "/events", forget],
        ["GET", "/logs", ({ query }) => ofZone(served.requests.list(), query.zone)],
        ["DELETE", "/logs", forget],
      ],
      addSeed: () => {
        rules.clear();
        served.clear();
      },
      serve: (origin, timeoutSeconds) =>
        serveEdge(served, origin === undefined ? echo : proxyTo(origin, timeoutSeconds)),
    };
  },
};

function ofZone<T extends { readonly zoneTag: string }>(entries: readonly T[], zone: string | undefined): readonly T[] {
  return zone === undefined ? entries : entries.filter(({ zoneTag }) => zoneTag === zone);
}
