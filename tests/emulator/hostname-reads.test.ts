import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import pLimit from "p-limit";
import type { Emulator } from "../../emulator/index.js";
import type { CustomHostname, CustomHostnamesClient } from "../../client/index.js";
import { FRESH_MS } from "../../provider/engine/reads/responses.js";
import * as budget from "../../provider/engine/reads/page-budget.js";
import { HostnameReads } from "../../provider/kinds/certificates/hostname-reads.js";
import { Service, TOKEN } from "../support/emulator.js";
import { send } from "../support/http.js";
import { unpacedClientFor } from "../support/client.js";
import { fc, runs } from "../support/properties.js";
import { emulatorWith } from "../support/emulators.js";

const nameOf = (index: number): string => `shop-${String(index).padStart(5, "0")}.customer.test`;

/** What the service tells of the number of hostnames: of the zone, as it documents; nothing. */
type Told = "zone" | "nothing";

/** Passes requests on to the emulator, and changes what the responses tell of the number of hostnames. */
async function startTelling(told: () => Told, url: string): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    void send(new URL(request.url ?? "", url).href, "GET", { headers }).then(({ status, text }) => {
      const body = JSON.parse(text) as { result: unknown; result_info?: object };
      if (told() === "nothing") delete body.result_info;
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/client/v4`, server };
}

describe.each([
  ["1,000 hostnames", 1000, 1],
  ["3,000 hostnames", 3000, 3],
])("a zone with %s", (_, count, pages) => {
  let emulator: Emulator;
  let server: Server;
  let told: Told = "zone";
  let tellingUrl: string;
  let service: Service;
  let zoneId: string;
  let all: CustomHostname[];
  let reads: HostnameReads;
  let time = 0;
  /** How often the cache looked at the time: once for each entry that it considers. */
  let looks = 0;
  /** The duration of each request, in milliseconds. */
  let pace = 0;
  /** Requests made in this test, and what is called before each. */
  let sent = 0;
  let beforeRequest: () => void;
  /** Called once for each request. */
  let working: () => CustomHostnamesClient;
  let client: CustomHostnamesClient;
  const useService = (tells: Told): void => {
    told = tells;
    client = unpacedClientFor(tells === "zone" ? emulator.url : tellingUrl).customHostnames;
  };
  beforeAll(async () => {
    const hostnames = Array.from({ length: count }, (_item, index) => ({ hostname: nameOf(index) }));
    emulator = await emulatorWith({ seed: { zones: [{ name: "saas.example.com", certificates: { hostnames } }] } });
    service = new Service(emulator);
    zoneId = await service.zone();
    all = await unpacedClientFor(emulator.url).customHostnames.list(zoneId);
    ({ url: tellingUrl, server } = await startTelling(() => told, emulator.url));
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  beforeEach(async () => {
    [time, pace, sent] = [0, 0, 0];
    beforeRequest = () => undefined;
    useService("zone");
    working = () => {
      time += pace;
      sent += 1;
      beforeRequest();
      return client;
    };
    const now = (): number => {
      looks += 1;
      return time;
    };
    reads = new HostnameReads(working, { now });
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
      // One page may be read speculatively.
      expect(sent).toBeLessThanOrEqual(pages === 1 ? wanted : wanted + 1);
      // Two hostnames are read one by one.
      if (atOnce >= pages + 2 || pages === 1) expect(sent).toBeLessThanOrEqual(pages + 2);
      if (wanted === 1000 && atOnce === 16) expect(sent).toBeLessThanOrEqual(60);
    },
  );

  interface Manner {
    readonly atOnce: number;
    readonly byName?: boolean;
    /** Positions in the order of the callers whose hostname no longer exists. */
    readonly gone?: readonly number[];
  }
  const GONE = "f".repeat(24);
  /**
   * Asks for hostnames. Returns by how many the requests exceeded, at worst, the hostnames asked for so far, and how many
   * pages were read.
   */
  const excessOf = async (
    indexes: readonly number[],
    { atOnce, byName = false, gone = [] }: Manner,
  ): Promise<{ excess: number; readPages: number }> => {
    reads = new HostnameReads(working, { now: () => time });
    await service.forget();
    sent = 0;
    let [asked, excess] = [0, 0];
    // Not an assertion here: its error would count as one of the request.
    beforeRequest = () => {
      excess = Math.max(excess, sent - asked);
    };
    const ask = async (index: number, position: number): Promise<void> => {
      asked += 1;
      if (gone.includes(position)) {
        expect(await reads.byId(zoneId, GONE + String(position).padStart(8, "0"))).toBeUndefined();
      } else if (byName) {
        expect((await reads.byName(zoneId, nameOf(index))).map(({ id }) => id)).toEqual([idOf(index)]);
      } else expect((await reads.byId(zoneId, idOf(index)))?.hostname).toBe(nameOf(index));
    };
    const limit = pLimit(atOnce);
    await Promise.all(indexes.map((index, position) => limit(() => ask(index, position))));
    const queries = await service.queries();
    expect(queries).toHaveLength(sent);
    return { excess, readPages: queries.filter((query) => /custom_hostnames\?page=/.test(query)).length };
  };
  /** The worst for pages, which begin with the first hostnames. */
  const fromTheEnd = (wanted: number): number[] => Array.from({ length: wanted }, (_item, index) => count - 1 - index);

  /** Hostnames in no order. */
  const scattered = (wanted: number, first = 0): number[] =>
    Array.from({ length: wanted }, (_item, index) => (first + index * 7919) % count);

  const anyWanted = fc.oneof(
    fc.integer({ min: 1, max: Math.min(20 * pages, 60) }),
    fc.constantFrom(pages, pages + 1, pages + 2),
  );
  const anyPlaces = fc
    .tuple(anyWanted, fc.constantFrom("anywhere", "first", "last", "last"), fc.nat(count - 1))
    .map(([wanted, start, first]) =>
      start === "anywhere"
        ? scattered(wanted, first)
        : start === "first"
          ? Array.from({ length: wanted }, (_item, index) => index)
          : fromTheEnd(wanted),
    );
  const aboutPages = [pages - 1, pages, pages + 1].filter((atOnce) => atOnce > 0);
  const anyManner = {
    atOnce: fc.oneof(fc.integer({ min: 1, max: 16 }), fc.constantFrom(...aboutPages)),
    byName: fc.boolean(),
  };
  const anyPace = fc.constantFrom(0, 1000, 7000);
  const numRuns = 6;

  test("makes one request for each hostname asked for so far, and one more at most for a page", () =>
    fc.assert(
      fc.asyncProperty(anyPlaces, fc.record(anyManner), anyPace, async (indexes, manner, slow) => {
        pace = slow;
        expect((await excessOf(indexes, manner)).excess).toBeLessThanOrEqual(pages === 1 ? 0 : 1);
        if (manner.atOnce >= pages + 2) expect(sent).toBeLessThanOrEqual(pages + 2);
      }),
      { numRuns: runs(numRuns) },
    ));

  test("makes one more at most for each hostname that is gone, and for each page", () =>
    fc.assert(
      fc.asyncProperty(
        anyPlaces,
        fc.record({ ...anyManner, gone: fc.subarray(Array.from({ length: 20 }, (_item, index) => index)) }),
        anyPace,
        async (indexes, manner, slow) => {
          pace = slow;
          const { excess, readPages } = await excessOf(indexes, manner);
          const absent = manner.gone.filter((position) => position < indexes.length).length;
          expect(excess).toBeLessThanOrEqual(Math.min(absent, readPages) + 1);
          // While the hostnames that are gone are requested, the list must not become stale.
          const staysFresh = absent * slow <= FRESH_MS;
          if (staysFresh && manner.atOnce >= pages + 2 + absent) {
            expect(sent).toBeLessThanOrEqual(pages + 2 + absent);
          }
        },
      ),
      { numRuns: runs(numRuns / 2) },
    ));

  test("makes one more at most where the service does not tell the number of pages", () =>
    fc.assert(
      fc.asyncProperty(anyPlaces, fc.record(anyManner), anyPace, async (indexes, manner, slow) => {
        useService("nothing");
        pace = slow;
        expect((await excessOf(indexes, manner)).excess).toBeLessThanOrEqual(1);
      }),
      { numRuns: runs(numRuns / 2) },
    ));

  test("makes one more at most in a zone with more pages than callers, and then pages pay", async () => {
    for (const atOnce of [1, 2]) {
      const { excess, readPages } = await excessOf(fromTheEnd(20 * pages + 200), { atOnce });
      expect(excess).toBe(pages > 1 ? 1 : 0);
      // The first page pays for nothing, so the others wait until as many callers do.
      expect(readPages).toBe(atOnce < pages ? 1 : pages);
      expect((await excessOf(scattered(20 * pages + 200), { atOnce })).excess).toBeLessThanOrEqual(1);
      expect(sent).toBeLessThanOrEqual(22 * pages + 20);
    }
  });

  test("does not take a full page for the whole list where the service does not tell the number of pages", async () => {
    useService("nothing");
    await askFor(spread(3), 3);
    await service.forget();
    expect((await reads.byName(zoneId, nameOf(count - 1))).map(({ id }) => id)).toEqual([idOf(count - 1)]);
    expect(await reads.byName(zoneId, "nobody.customer.test")).toEqual([]);
    // So the absence of a hostname is confirmed by a request.
    expect(await requests()).toBeGreaterThanOrEqual(1);
  });

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
    expect(await requests()).toBeLessThanOrEqual(pages === 1 ? 40 : 41);
    expect(await reads.byName(zoneId, "nobody.customer.test")).toEqual([]);
  });

  test("finds a name in the whole list by a lookup, however long the list is", async () => {
    await askFor(spread(count), 16);
    await requests();
    looks = 0;
    const names = spread(100).map(nameOf);
    const found = await Promise.all(names.map((name) => reads.byName(zoneId, name)));
    expect(found.map((hostnames) => hostnames.map(({ hostname }) => hostname))).toEqual(names.map((name) => [name]));
    expect(await requests()).toBe(0);
    expect(looks).toBeLessThanOrEqual(10 * names.length);
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

  test("answers everybody who asks again for hostnames that were forgotten while they waited", async () => {
    // No page can be read, so most of them wait for their turn.
    await service.fault({ method: "GET", path: "custom_hostnames$", status: 500, times: 50 });
    const asked = spread(20);
    const again: ReturnType<HostnameReads["byId"]>[] = [];
    beforeRequest = () => {
      if (sent !== 5) return;
      for (const index of asked) reads.forget(zoneId, idOf(index));
      again.push(...asked.map((index) => reads.byId(zoneId, idOf(index))));
    };
    await askFor(asked, 20);
    expect((await Promise.all(again)).map((hostname) => hostname?.id)).toEqual(asked.map(idOf));
  });

  test("reads each hostname itself when the list cannot be read", async () => {
    await service.fault({ method: "GET", path: "custom_hostnames$", status: 500, times: 50 });
    await askFor(spread(30), 8);
    // The page, which failed.
    expect(await requests()).toBe(31);
  });

  test("looks at a few of those that wait for each response, however many there are", async () => {
    const decide = jest.spyOn(budget, "shouldReadPage");
    await service.fault({ method: "GET", path: "custom_hostnames$", status: 500, times: 50 });
    await askFor(spread(400), 400);
    const decisions = decide.mock.calls.length;
    decide.mockRestore();
    expect(await requests()).toBe(401);
    expect(decisions).toBeLessThanOrEqual(10 * 400);
  });
});
