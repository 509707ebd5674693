import * as fc from "fast-check";
import type { RulesetsClient } from "../../provider/client/index.js";
import { Reads } from "../../provider/engine/reads.js";
import { RefreshLists } from "../../provider/engine/refresh-lists.js";
import type { Scope } from "../../provider/model/ids.js";
import type { RulesetSummary } from "../../provider/model/ruleset.js";

interface Resource {
  readonly zone: number;
  readonly rulesetId: string;
  /** Whether someone else changed the ruleset since the state was written. */
  readonly changed: boolean;
}

/** All rulesets of a number of zones. */
function stackOf(zones: number, inEach: number, isChanged: (index: number) => boolean = () => false): Resource[] {
  return Array.from({ length: zones * inEach }, (_, index) => ({
    zone: Math.floor(index / inEach),
    rulesetId: `r${String(index)}`,
    changed: isChanged(index),
  }));
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Refreshes a stack like the engine, a number of resources at a time, with a clock that advances a second per request. */
async function refresh(resources: readonly Resource[], atOnce: number, seconds = 1) {
  const asked: string[] = [];
  let now = 0;
  const answer = async (what: string): Promise<void> => {
    asked.push(what);
    await turn();
    now += 1000 * seconds;
  };
  const summary = ({ rulesetId: id, changed }: Resource): RulesetSummary => ({
    id,
    name: "",
    kind: "zone",
    phase: id,
    version: changed ? "2" : "1",
    description: "",
  });
  const client = {
    list: async ({ id }: Scope) => {
      await answer(`list of ${id}`);
      return resources.filter(({ zone }) => String(zone) === id).map(summary);
    },
  } as unknown as RulesetsClient;
  const reads = new Reads(() => client, { now: () => now });
  const lists = new RefreshLists((scope) => reads.listOfRefresh(scope));
  const found = new Map<string, boolean>();
  const queue = [...resources];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { zone, rulesetId, changed } = next;
      const scope = { level: "zones", id: String(zone) } as const;
      const unchanged = await lists.isUnchanged(scope, { rulesetId, version: "1" });
      if (!unchanged) {
        await answer(`read of ${rulesetId}`);
        lists.learn(changed);
      }
      found.set(rulesetId, !unchanged && changed);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return { asked, found };
}

/** The first of every zone, then the second of every zone: never two of the same zone in a row. */
const apart = (resources: readonly Resource[], zones: number): Resource[] => {
  const inEach = resources.length / zones;
  return Array.from({ length: inEach }, (_, place) => resources.filter((_, index) => index % inEach === place)).flat();
};

describe("a refresh", () => {
  test.each([1, 2, 8, 16, 200])(
    "makes one request for each of 40 zones when nothing changed, %i at a time",
    async (atOnce) => {
      const { asked } = await refresh(stackOf(40, 3), atOnce);
      // One by one, the first cannot know that there are others.
      expect(asked).toHaveLength(atOnce === 1 ? 41 : 40);
    },
  );
  test.each([2, 8, 16, 40, 120])("does so in any order, %i at a time", async (atOnce) => {
    const { asked } = await refresh(apart(stackOf(40, 3), 40), atOnce);
    expect(asked).toEqual(Array.from({ length: 40 }, (_, zone) => `list of ${String(zone)}`));
  });
  test("does so however slow the service is", async () => {
    const { asked } = await refresh(apart(stackOf(40, 3), 40), 8, 14);
    expect(asked).toHaveLength(40);
  });
  test("reads a single ruleset itself, changed or not", async () => {
    expect((await refresh(stackOf(1, 1), 8)).asked).toEqual(["read of r0"]);
    expect(
      (
        await refresh(
          stackOf(1, 1, () => true),
          8,
        )
      ).asked,
    ).toEqual(["read of r0"]);
  });
  test.each([1, 8])(
    "makes one request for each ruleset that is the only one in its zone, %i at a time",
    async (atOnce) => {
      expect((await refresh(stackOf(40, 1), atOnce)).asked).toHaveLength(40);
      // Several at a time need one request to find out that lists do not help here.
      const changed = await refresh(
        stackOf(40, 1, () => true),
        atOnce,
      );
      expect(changed.asked.length).toBeLessThanOrEqual(atOnce === 1 ? 40 : 41);
    },
  );
  test("requests no more lists after one failed", async () => {
    let asked = 0;
    const lists = new RefreshLists(() => {
      asked += 1;
      return Promise.reject(new Error("forbidden"));
    });
    const scope = { level: "zones", id: "z" } as const;
    for (let count = 0; count < 5; count += 1)
      expect(await lists.isUnchanged(scope, { rulesetId: "r", version: "1" })).toBe(false);
    expect(asked).toBe(1);
  });
  test("finds changes in any stack, and when nothing changed makes one request for each zone", () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 4 }),
        fc.func(fc.boolean()),
        fc.integer({ min: 1, max: 20 }),
        fc.boolean(),
        async (zones, inEach, isChanged, atOnce, mixed) => {
          const stack = stackOf(zones, inEach, (index) => isChanged(index));
          const { asked, found } = await refresh(mixed ? apart(stack, zones) : stack, atOnce);
          for (const { rulesetId, changed } of stack) expect(found.get(rulesetId)).toBe(changed);
          expect(new Set(asked).size).toBe(asked.length);
          const still = await refresh(mixed ? apart(stackOf(zones, inEach), zones) : stackOf(zones, inEach), atOnce);
          expect(still.asked.length).toBeLessThanOrEqual(zones + (atOnce === 1 ? 1 : 0));
        },
      ),
      { numRuns: 40 },
    ));
});
