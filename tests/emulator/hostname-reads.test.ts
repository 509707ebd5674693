import * as fc from "fast-check";
import pLimit from "p-limit";
import { startEmulator, type Emulator } from "../../emulator/index.js";
import type { CustomHostname, CustomHostnamesClient } from "../../provider/client/index.js";
import { HostnameReads } from "../../provider/kinds/hostnames/hostname-reads.js";
import { Service } from "../support/emulator.js";
import { unpacedClientFor } from "../support/client.js";

const nameOf = (index: number): string => `shop-${String(index).padStart(5, "0")}.customer.test`;

describe.each([
  ["1,000 hostnames", 1000, 1],
  ["2,500 hostnames", 2500, 3],
  ["15,000 hostnames", 15_000, 15],
])("a zone with %s", (_, count, pages) => {
  let emulator: Emulator;
  let service: Service;
  let zoneId: string;
  let all: CustomHostname[];
  let reads: HostnameReads;
  let time = 0;
  /** The duration of each request, in milliseconds. */
  let pace = 0;
  /** Requests made in this test, and a check of their number before each. */
  let sent = 0;
  let checkSent: () => void;
  /** Called once for each request. */
  let working: () => CustomHostnamesClient;
  beforeAll(async () => {
    const hostnames = Array.from({ length: count }, (_item, index) => ({ hostname: nameOf(index) }));
    emulator = await startEmulator({ seed: { zones: [{ name: "saas.example.com", certificates: { hostnames } }] } });
    service = new Service(emulator);
    zoneId = await service.zone();
    all = await unpacedClientFor(emulator.url).customHostnames.list(zoneId);
  });
  afterAll(() => emulator.close());
  beforeEach(async () => {
    [time, pace, sent] = [0, 0, 0];
    checkSent = () => undefined;
    const { customHostnames } = unpacedClientFor(emulator.url);
    working = () => {
      time += pace;
      sent += 1;
      checkSent();
      return customHostnames;
    };
    reads = new HostnameReads(working, { now: () => time });
    await service.noFaults();
    await service.forget();
  });
  const requests = async (): Promise<number> => (await service.requests()).length;
  const idOf = (index: number): string => all[index % count]?.id ?? "";
  /** Hostnames spread evenly over the zone. */
  const spread = (wanted: number): number[] =>
    Array.from({ length: wanted }, (_item, index) => Math.floor((index * count) / wanted));
  const askFor = async (indexes: readonly number[], atOnce: number): Promise<void> => {
    const limit = pLimit(atOnce);
    const found = await Promise.all(indexes.map((index) => limit(() => reads.byId(zoneId, idOf(index)))));
    expect(found.map((hostname) => hostname?.id)).toEqual(indexes.map(idOf));
  };

  test.each([
    [1, 1],
    [4, 1],
    [100, 1],
    [100, 16],
    [1000, 1],
    [1000, 16],
  ])(
    "reads %i of them, %i at a time, with at most one request each, or pages where that is less",
    async (wanted, atOnce) => {
      pace = 3000;
      await askFor(spread(wanted), atOnce);
      expect(await requests()).toBe(sent);
      // In a zone with more pages than callers, one page is read on trust after twenty times the list.
      expect(sent).toBeLessThanOrEqual(atOnce < pages && wanted > 20 * pages ? wanted + 1 : wanted);
      // One for itself, and one to learn the number of pages.
      if (atOnce >= pages + 2 || pages === 1) expect(sent).toBeLessThanOrEqual(pages + 2);
      if (wanted === 1000 && atOnce === 16) expect(sent).toBeLessThanOrEqual(60);
    },
  );

  test("never makes more requests than one for each hostname asked for so far", () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(count - 1), { minLength: 1, maxLength: 40 }),
        fc.record({
          atOnce: fc.integer({ min: 1, max: 16 }),
          start: fc.constantFrom("anywhere", "first", "last"),
          byName: fc.boolean(),
          pace: fc.constantFrom(0, 1000, 7000),
          gone: fc.subarray([2, 5, 9]),
        }),
        async (places, { atOnce, start, byName, pace: slow, gone }) => {
          const indexes = places.map((place, index) =>
            start === "anywhere" ? place : start === "first" ? index : count - 1 - index,
          );
          reads = new HostnameReads(working, { now: () => time });
          [sent, pace] = [0, slow];
          const asked = new Set<number>();
          // The absence of a hostname is confirmed by its own request.
          let absent = 0;
          checkSent = () => {
            expect(sent).toBeLessThanOrEqual(asked.size + absent);
          };
          const limit = pLimit(atOnce);
          const ask = async (index: number, position: number): Promise<void> => {
            asked.add(index);
            if (gone.includes(position)) {
              absent += 1;
              expect(await reads.byId(zoneId, "f".repeat(24) + String(index).padStart(8, "0"))).toBeUndefined();
            } else if (byName) {
              expect((await reads.byName(zoneId, nameOf(index))).map(({ id }) => id)).toEqual([idOf(index)]);
            } else expect((await reads.byId(zoneId, idOf(index)))?.hostname).toBe(nameOf(index));
          };
          await Promise.all(indexes.map((index, position) => limit(() => ask(index, position))));
          if (atOnce >= pages + 2 + gone.length) expect(sent).toBeLessThanOrEqual(pages + 2 + absent);
        },
      ),
      { numRuns: count === 15_000 ? 10 : 40 },
    ));

  test("reuses the whole list from the time it is complete, however long its pages took", async () => {
    pace = 3000;
    await askFor(spread(1000), 16);
    await requests();
    time += 20_000;
    pace = 0;
    await askFor([0, 1, 2, count - 1], 4);
    expect(await requests()).toBe(0);
    time += 15_000;
    await askFor([0], 1);
    expect(await requests()).toBe(1);
  });

  test("shares a response among concurrent readers", async () => {
    await Promise.all(Array.from({ length: 20 }, () => reads.byId(zoneId, idOf(7))));
    expect(await requests()).toBe(1);
    await Promise.all(Array.from({ length: 20 }, () => reads.byName(zoneId, nameOf(8))));
    expect(await requests()).toBe(1);
  });

  test("reads by name, and needs the whole list only to know that there is no other", async () => {
    const names = spread(40).map(nameOf);
    const limit = pLimit(8);
    const found = await Promise.all(names.map((name) => limit(() => reads.byName(zoneId, name))));
    expect(found.map((hostnames) => hostnames.map(({ hostname }) => hostname))).toEqual(names.map((name) => [name]));
    expect(await requests()).toBeLessThanOrEqual(40);
    expect(await reads.byName(zoneId, "nobody.customer.test")).toEqual([]);
  });

  test("never answers from the list what changed after the list began", async () => {
    await askFor(spread(1000), 16);
    const id = idOf(3);
    reads.forget(zoneId, id);
    await requests();
    expect((await reads.byId(zoneId, id))?.id).toBe(id);
    expect(await requests()).toBe(1);
  });

  test("reads a hostname itself when it was forgotten while the list was under way", async () => {
    const asked = spread(20);
    const answers = Promise.all(asked.map((index) => reads.byId(zoneId, idOf(index))));
    // The list is under way by now, or waits for the first responses: in both cases it began before this.
    for (const index of asked) reads.forget(zoneId, idOf(index));
    await answers;
    await requests();
    await askFor(asked.slice(0, 3), 1);
    expect(await requests()).toBeLessThanOrEqual(3);
    expect(await reads.byId(zoneId, "0".repeat(32))).toBeUndefined();
  });

  test("reads each hostname itself when the list cannot be read", async () => {
    await service.fault({ method: "GET", path: "custom_hostnames$", status: 500, times: 50 });
    await askFor(spread(30), 8);
    // The search for the number of pages, which failed.
    expect(await requests()).toBe(31);
  });
});
