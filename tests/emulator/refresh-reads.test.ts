import type { Emulator } from "../../emulator/index.js";
import type { RulesetsClient } from "../../client/index.js";
import { RulesetReads } from "../../provider/engine/reads/rulesets.js";
import type { Scope } from "../../core/model/ids.js";
import { Service } from "../support/emulator.js";
import { VirtualClock } from "../support/virtual-clock.js";
import { unpacedClientFor } from "../support/client.js";
import { fc, runs } from "../support/properties.js";
import { emulatorWith } from "../support/emulators.js";

const ZONES = 50;
const PHASES = ["http_request_firewall_custom", "http_ratelimit", "http_request_transform", "http_request_origin"];

interface Resource {
  readonly scope: Scope;
  readonly rulesetId: string;
  /** The version in the state. */
  readonly version: string;
  /** Whether someone else changed the ruleset since the state was written. */
  readonly changed: boolean;
}

interface Manner {
  /** How many resources the engine refreshes at a time. */
  readonly atOnce: number;
  /** The time between the calls of the engine, in milliseconds. @default 0 */
  readonly apart?: number;
  /** The duration of a request, in milliseconds. @default 1000 */
  readonly pace?: number;
}

let emulator: Emulator;
let service: Service;
let client: RulesetsClient;
/** By zone, its rulesets. */
let seeded: Resource[][];

beforeAll(async () => {
  const names = Array.from({ length: ZONES }, (_, index) => `zone-${String(index)}.example.com`);
  emulator = await emulatorWith({
    seed: {
      zones: names.map((name) => ({ name, plan: "enterprise" })),
      rulesets: names.flatMap((zone) => PHASES.map((phase) => ({ zone, phase, rules: [] }))),
    },
  });
  service = new Service(emulator);
  client = unpacedClientFor(emulator.url).rulesets;
  const zones = await service.ask<{ id: string }[]>("GET", "/zones?per_page=50");
  seeded = await Promise.all(
    zones.map(async ({ id }): Promise<Resource[]> => {
      const scope = { level: "zones", id } as const;
      const found = (await client.list(scope)).filter(({ kind }) => kind === "zone");
      return found.map(({ id: rulesetId, version }) => ({ scope, rulesetId, version, changed: false }));
    }),
  );
});
beforeEach(async () => {
  await service.noFaults();
  await service.forget();
});

/** A number of rulesets of each zone, one zone after the other. */
function stackOf(zones: number, inEach: number, isChanged: (index: number) => boolean = () => false): Resource[] {
  const all = seeded.slice(0, zones).flatMap((rulesets) => rulesets.slice(0, inEach));
  return all.map((resource, index) =>
    isChanged(index) ? { ...resource, version: `${resource.version}0`, changed: true } : resource,
  );
}

/** The first of every zone, then the second of every zone: never two of the same zone in a row. */
function apartFrom(resources: readonly Resource[], zones: number): Resource[] {
  const inEach = resources.length / zones;
  return Array.from({ length: inEach }, (_, place) => resources.filter((_, index) => index % inEach === place)).flat();
}

/** Refreshes a stack like the engine, and returns the requests. Fails if a change is missed. */
async function refresh(resources: readonly Resource[], { atOnce, apart = 0, pace = 1000 }: Manner): Promise<string[]> {
  const clock = new VirtualClock();
  const slow = Object.create(client, {
    list: {
      value: async (scope: Scope) => {
        const list = await client.list(scope);
        await clock.sleep(pace);
        return list;
      },
    },
  }) as RulesetsClient;
  const reads = new RulesetReads(() => slow, clock);
  const one = async (resource: Resource): Promise<void> => {
    const { scope, rulesetId, changed } = resource;
    const unchanged = await reads.isUnchanged(scope, resource);
    if (unchanged) {
      expect(changed).toBe(false);
      return;
    }
    const actual = await client.find(scope, rulesetId);
    await clock.sleep(pace);
    expect(actual?.version !== resource.version).toBe(changed);
  };
  const queue = [...resources];
  const worker = async (place: number): Promise<void> => {
    if (apart > 0) await clock.sleep(place * apart);
    // What runs without time runs before the clock moves on.
    for (let turns = 0; turns < 3 && place > 0 && apart > 0; turns += 1) await turn();
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await one(next);
  };
  await clock.run(Promise.all(Array.from({ length: Math.min(atOnce, resources.length) }, (_, place) => worker(place))));
  return service.requests();
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a refresh", () => {
  test("lists each zone once when nothing changed, however slow the service is", async () => {
    expect(await refresh(apartFrom(stackOf(40, 3), 40), { atOnce: 8, pace: 14_000 })).toHaveLength(40);
  });
  test("requests no more lists after one failed", async () => {
    await service.fault({ method: "GET", path: "/rulesets$", status: 403, times: 99 });
    const requests = await refresh(stackOf(10, 1), { atOnce: 1 });
    expect(requests.filter((request) => request.endsWith("/rulesets"))).toHaveLength(1);
    expect(requests).toHaveLength(11);
  });
  test("makes one request for each zone and each change in any stack", () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 1, max: 4 }),
        fc.func(fc.boolean()),
        fc.record({ atOnce: fc.integer({ min: 1, max: 20 }), apart: fc.constantFrom(0, 40) }),
        fc.boolean(),
        async (zones, inEach, isChanged, manner, mixed) => {
          const stack = stackOf(zones, inEach, (index) => isChanged(index));
          const changed = stack.filter((resource) => resource.changed).length;
          const requests = await refresh(mixed ? apartFrom(stack, zones) : stack, manner);
          expect(new Set(requests).size).toBe(requests.length);
          expect(requests).toHaveLength(zones + changed);
        },
      ),
      { numRuns: runs(60) },
    ));
});
