import { startEmulator, type Emulator } from "../../emulator/index.js";
import type { RulesetsClient } from "../../provider/client/index.js";
import { Reads } from "../../provider/engine/reads.js";
import { RefreshLists } from "../../provider/engine/refresh-lists.js";
import type { Scope } from "../../provider/model/ids.js";
import { Service } from "../support/emulator.js";
import { VirtualClock } from "../support/virtual-clock.js";
import { unpacedClientFor } from "../support/client.js";
import { fc, runs } from "../support/properties.js";

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
  emulator = await startEmulator({
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
afterAll(() => emulator.close());
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
  const reads = new Reads(() => client, clock);
  const lists = new RefreshLists(async (scope) => {
    const list = await reads.listOfRefresh(scope);
    await clock.sleep(pace);
    return list;
  }, clock);
  const one = async (resource: Resource): Promise<void> => {
    const { scope, rulesetId, changed } = resource;
    const unchanged = await lists.isUnchanged(scope, resource);
    if (unchanged) {
      expect(changed).toBe(false);
      return;
    }
    const actual = await client.find(scope, rulesetId);
    await clock.sleep(pace);
    expect(actual?.version !== resource.version).toBe(changed);
    lists.learn(resource, changed);
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

const all = (): boolean => true;
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a refresh", () => {
  /** Requests when no ruleset changed, when the last one did, and when all did. */
  test.each([
    { zones: 1, inEach: 1, atOnce: 1, order: "by zone", requests: [1, 1, 1] },
    { zones: 1, inEach: 1, atOnce: 16, order: "by zone", requests: [1, 1, 1] },
    // One by one, the first cannot know that there are others, and if it has not changed, its read is one too many.
    { zones: 1, inEach: 3, atOnce: 1, order: "by zone", requests: [2, 3, 4] },
    { zones: 1, inEach: 3, atOnce: 16, order: "by zone", requests: [1, 2, 4] },
    // A list whose ruleset is the only one, and changed, is one too many.
    { zones: 50, inEach: 1, atOnce: 1, order: "by zone", requests: [50, 51, 50] },
    { zones: 50, inEach: 1, atOnce: 16, order: "by zone", requests: [50, 51, 51] },
    { zones: 50, inEach: 3, atOnce: 1, order: "by zone", requests: [51, 52, 200] },
    { zones: 50, inEach: 3, atOnce: 16, order: "by zone", requests: [50, 51, 200] },
    { zones: 50, inEach: 3, atOnce: 1, order: "by phase", requests: [51, 52, 200] },
    { zones: 50, inEach: 3, atOnce: 16, order: "by phase", requests: [50, 51, 200] },
  ])(
    "of zones: $zones, rulesets in each: $inEach, $order, $atOnce at a time, makes $requests requests",
    async ({ zones, inEach, atOnce, order, requests }) => {
      const count = zones * inEach;
      const made = async (isChanged: (index: number) => boolean): Promise<number> => {
        const stack = stackOf(zones, inEach, isChanged);
        return (await refresh(order === "by phase" ? apartFrom(stack, zones) : stack, { atOnce })).length;
      };
      expect([await made(() => false), await made((index) => index === count - 1), await made(all)]).toEqual(requests);
    },
  );
  test.each([1, 2, 8, 16, 120])(
    "makes one request for each of 40 zones when nothing changed, %i at a time",
    async (atOnce) => {
      // One by one, the first cannot know that there are others.
      expect(await refresh(stackOf(40, 3), { atOnce })).toHaveLength(atOnce === 1 ? 41 : 40);
    },
  );
  test.each([2, 8, 16, 40, 120])("does so in any order, %i at a time", async (atOnce) => {
    const requests = await refresh(apartFrom(stackOf(40, 3), 40), { atOnce });
    expect(requests).toEqual(seeded.slice(0, 40).map(([first]) => `GET /zones/${first?.scope.id ?? ""}/rulesets`));
  });
  test("does so however slow the service is", async () => {
    expect(await refresh(apartFrom(stackOf(40, 3), 40), { atOnce: 8, pace: 14_000 })).toHaveLength(40);
  });
  test("makes one more at most when the calls of the engine come one after the other", async () => {
    expect(await refresh(stackOf(40, 3), { atOnce: 120, apart: 40 })).toHaveLength(41);
    expect(await refresh(stackOf(1, 3), { atOnce: 3, apart: 40 })).toHaveLength(2);
    expect(await refresh(stackOf(1, 3), { atOnce: 3 })).toHaveLength(1);
  });
  test("reads a single ruleset itself, changed or not", async () => {
    const [only] = stackOf(1, 1);
    const path = [`GET /zones/${only?.scope.id ?? ""}/rulesets/${only?.rulesetId ?? ""}`];
    expect(await refresh(stackOf(1, 1), { atOnce: 8 })).toEqual(path);
    expect(await refresh(stackOf(1, 1, all), { atOnce: 8 })).toEqual(path);
  });
  test.each([1, 8])(
    "makes one request for each ruleset that is the only one in its zone, %i at a time",
    async (atOnce) => {
      expect(await refresh(stackOf(40, 1), { atOnce })).toHaveLength(40);
      // Of several zones at once, one list shows whether lists help.
      expect(await refresh(stackOf(40, 1, all), { atOnce })).toHaveLength(atOnce === 1 ? 40 : 41);
    },
  );
  test("goes on reading lists after a few changes, for the other rulesets of each zone", async () => {
    const few = (index: number): boolean => index % 12 === 5;
    const requests = await refresh(apartFrom(stackOf(40, 3, few), 40), { atOnce: 8 });
    expect(requests).toHaveLength(40 + 10);
  });
  test("requests no more lists after one failed", async () => {
    await service.fault({ method: "GET", path: "/rulesets$", status: 403, times: 99 });
    const requests = await refresh(stackOf(10, 1), { atOnce: 8 });
    expect(requests.filter((request) => request.endsWith("/rulesets"))).toHaveLength(1);
    expect(requests).toHaveLength(11);
  });
  test("finds changes in any stack, and what it cannot know costs one request for each change and each caller", () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 1, max: 4 }),
        fc.func(fc.boolean()),
        fc.record({ atOnce: fc.integer({ min: 1, max: 20 }), apart: fc.constantFrom(0, 40) }),
        fc.boolean(),
        async (zones, inEach, isChanged, manner, mixed) => {
          const ordered = (stack: Resource[]): Resource[] => (mixed ? apartFrom(stack, zones) : stack);
          const stack = stackOf(zones, inEach, (index) => isChanged(index));
          const changed = stack.filter((resource) => resource.changed).length;
          const requests = await refresh(ordered(stack), manner);
          expect(new Set(requests).size).toBe(requests.length);
          const goal = inEach === 1 ? zones : zones + changed;
          const unknown = changed === 0 ? 1 : changed + manner.atOnce;
          expect(requests.length).toBeLessThanOrEqual(goal + unknown);
          const unchanged = await refresh(ordered(stackOf(zones, inEach)), manner);
          const alone = inEach > 1 && (manner.atOnce === 1 || manner.apart > 0);
          expect(unchanged.length).toBeLessThanOrEqual(zones + (alone ? 1 : 0));
        },
      ),
      { numRuns: runs(60) },
    ));
});
