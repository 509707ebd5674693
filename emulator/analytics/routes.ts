import { bodyCheck, object } from "../body.js";
import { bodyOf, RawResponse, type Call, type Route } from "../call.js";
import type { EmulatorClock } from "../clock.js";
import type { ServedRequest, SecurityEvent } from "../edge/log.js";
import type { Store } from "../store/store.js";
import { answerQuery } from "./answer.js";
import { parseQuery, QueryError } from "./graphql.js";

/** What the edge has served. */
interface Served {
  readonly requests: { list(): readonly ServedRequest[] };
  readonly events: { list(): readonly SecurityEvent[] };
}

interface Sampling {
  readonly sampleInterval: number;
  readonly maxDuration: number;
}

const EVERYTHING: Sampling = { sampleInterval: 1, maxDuration: 30 * 86_400 };

const checkSampling = bodyCheck(
  object({ sampleInterval: { type: "integer", minimum: 1 }, maxDuration: { type: "integer", minimum: 1 } }),
  [],
);

/** The GraphQL analytics of zones, from what their edge has served. */
export function analyticsRoutes(
  served: Served,
  { store, clock }: { readonly store: Store; readonly clock: EmulatorClock },
): { readonly routes: readonly Route[]; readonly controls: readonly Route[] } {
  const sampling = (): Sampling => (store.meta.get("", "sampling") as Sampling | undefined) ?? EVERYTHING;
  const answer = (call: Call): RawResponse => {
    const { query, variables } = bodyOf(call);
    try {
      const fields = parseQuery(String(query), (variables ?? {}) as Readonly<Record<string, unknown>>);
      const data = answerQuery(fields, {
        ...sampling(),
        zones: store.zones.in("").map(({ id }) => id),
        requests: served.requests.list() as unknown as Parameters<typeof answerQuery>[1]["requests"],
        events: served.events.list() as unknown as Parameters<typeof answerQuery>[1]["events"],
        now: clock.now(),
      });
      return new RawResponse({ data, errors: null });
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      return new RawResponse({ data: null, errors: [{ message: error.message, path: null }] });
    }
  };
  return {
    routes: [["POST", "/graphql", answer]],
    controls: [
      [
        "POST",
        "/analytics",
        (call) => {
          const changed = { ...sampling(), ...checkSampling(bodyOf(call)) };
          store.meta.put("", "sampling", changed);
          return changed;
        },
      ],
    ],
  };
}
