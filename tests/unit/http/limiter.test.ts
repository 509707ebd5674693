import { Limiter } from "../../../client/http/limiter.js";
import { readQuotas } from "../../../client/http/quota.js";
import { VirtualClock } from "../../support/virtual-clock.js";

/** The service's rate limit: a number of requests in a window that starts with the first one, then refusals. */
class Counted {
  private used = 0;
  private startedAt = -Infinity;
  refused = 0;

  constructor(
    private readonly clock: VirtualClock,
    readonly size: number,
    private readonly windowSeconds = 300,
  ) {}

  /** Counts a request and returns the service's headers. */
  count(): readonly [string, string] {
    const now = this.clock.now();
    if (now - this.startedAt >= this.windowSeconds * 1000) {
      this.startedAt = now;
      this.used = 0;
    }
    this.used += 1;
    if (this.used > this.size) this.refused += 1;
    const left = Math.max(0, this.size - this.used);
    const seconds = Math.ceil(this.windowSeconds - (now - this.startedAt) / 1000);
    return [
      `"default";r=${String(left)};t=${String(seconds)}`,
      `"default";q=${String(this.size)};w=${String(this.windowSeconds)}`,
    ];
  }
}

/** Sends requests, a few at a time, each of which takes a tenth of a second; returns the seconds it took. */
async function send(
  clock: VirtualClock,
  limiter: Limiter,
  requests: number,
  answer: () => readonly [string | undefined, string | undefined],
  waits: number[] = [],
): Promise<number> {
  let left = requests;
  const start = clock.now();
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const sentAt = await limiter.enter((ms) => waits.push(ms));
      const headers = answer();
      await clock.sleep(100);
      limiter.leave(sentAt, readQuotas(...headers));
    }
  };
  await clock.run(Promise.all(Array.from({ length: 16 }, worker)));
  return (clock.now() - start) / 1000;
}

const silent = (): readonly [undefined, undefined] => [undefined, undefined];

describe("when the service names its quota", () => {
  test.each([
    [1200, 800, 0],
    [1200, 2400, 1],
    [600, 800, 1],
    [600, 1300, 2],
    [6000, 5000, 0],
    [6000, 12_500, 2],
  ])(
    "with %i in five minutes, %i requests wait for %i windows and are never refused",
    async (size, requests, windows) => {
      const clock = new VirtualClock(1000);
      const service = new Counted(clock, size);
      const seconds = await send(clock, new Limiter({ clock }), requests, () => service.count());
      expect(service.refused).toBe(0);
      expect(seconds).toBeGreaterThanOrEqual(windows * 300);
      // Sending within a window takes time too: sixteen at a time, a tenth of a second each.
      expect(seconds).toBeLessThan(windows * 300 + requests / 160 + 2);
    },
  );

  test("also respects the rate set by the user", async () => {
    const clock = new VirtualClock();
    const service = new Counted(clock, 6000);
    const limiter = new Limiter({ clock, requestsPerSecond: 2 });
    expect(await send(clock, limiter, 120, () => service.count())).toBeGreaterThan(58);
  });

  test("leaves other tools of the same token their share, and does not exceed the quota", async () => {
    const clock = new VirtualClock();
    const service = new Counted(clock, 1200);
    let others = 0;
    // For each of our requests another tool sends one, as long as the service allows it.
    const seconds = await send(clock, new Limiter({ clock }), 1000, () => {
      const headers = service.count();
      if (service.refused > 0) return headers;
      others += 1;
      return service.count();
    });
    expect(service.refused).toBe(0);
    expect(others).toBe(1000);
    expect(seconds).toBeLessThan(600);
  });

  test("reports a long wait and its length, once for each waiting request", async () => {
    const clock = new VirtualClock();
    const service = new Counted(clock, 600);
    const waits: number[] = [];
    await send(clock, new Limiter({ clock }), 650, () => service.count(), waits);
    const long = waits.filter((ms) => ms > 1000);
    expect(long.length).toBeGreaterThanOrEqual(1);
    expect(long.length).toBeLessThanOrEqual(50);
    for (const ms of long) expect(ms / 1000).toBeLessThanOrEqual(300);
  });

  test("waits for the end of a window that is already used up when the run starts", async () => {
    const clock = new VirtualClock();
    const limiter = new Limiter({ clock });
    const first = await send(clock, limiter, 1, () => ['"default";r=0;t=12', '"default";q=1200;w=300']);
    expect(first).toBeLessThan(1);
    expect(await send(clock, limiter, 5, () => ['"default";r=1000;t=300', '"default";q=1200;w=300'])).toBeGreaterThan(
      11,
    );
  });

  test("follows the tightest of several quotas", async () => {
    const clock = new VirtualClock();
    const [wide, tight] = [new Counted(clock, 1200), new Counted(clock, 50, 60)];
    const seconds = await send(clock, new Limiter({ clock }), 120, () => {
      const [limit, policy] = wide.count();
      const [tightLimit, tightPolicy] = tight.count().map((header) => header.replace("default", "burst"));
      return [`${limit}, ${tightLimit ?? ""}`, `${policy}, ${tightPolicy ?? ""}`];
    });
    expect([wide.refused, tight.refused]).toEqual([0, 0]);
    expect(seconds).toBeGreaterThanOrEqual(120);
    expect(seconds).toBeLessThan(125);
  });
});

describe("when the service names no quota", () => {
  test("never reaches 1200 requests in any five minutes, however many are sent", async () => {
    const clock = new VirtualClock();
    const limiter = new Limiter({ clock });
    expect(await send(clock, limiter, 1199, silent)).toBeGreaterThan(300);
    expect(await send(clock, limiter, 1199, silent)).toBeGreaterThan(300);
  });

  test("lets a burst through immediately", async () => {
    const clock = new VirtualClock();
    expect(await send(clock, new Limiter({ clock }), 100, silent)).toBeLessThan(1);
  });

  test("respects the rate set by the user", async () => {
    const clock = new VirtualClock();
    expect(await send(clock, new Limiter({ clock, requestsPerSecond: 2 }), 123, silent)).toBeGreaterThanOrEqual(60);
  });
});

test("sends only a few requests before the first response", async () => {
  const clock = new VirtualClock();
  const limiter = new Limiter({ clock });
  const out: number[] = [];
  const all = Array.from({ length: 20 }, (_, index) => limiter.enter().then(() => out.push(index)));
  await new Promise<void>((resolve) => setImmediate(resolve));
  expect(out).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  limiter.leave(0, readQuotas('"default";r=1000;t=300', '"default";q=1200;w=300'));
  await Promise.all(all);
  expect(out).toEqual([...Array(20).keys()]);
});

test("ignores the quota of a response that was under way when a window ended", async () => {
  const clock = new VirtualClock();
  const limiter = new Limiter({ clock });
  const quota = (left: number, seconds: number) =>
    readQuotas(`"default";r=${String(left)};t=${String(seconds)}`, '"default";q=2;w=60');
  const [first, late] = [await limiter.enter(), await limiter.enter()];
  limiter.leave(first, quota(0, 60));
  await clock.run(clock.sleep(60_000));
  limiter.leave(late, quota(0, 60));
  await clock.run(limiter.enter());
  expect(clock.now()).toBe(60_000);
});

test("waits for the end of the service's window, which began later because its first requests were slow", async () => {
  const clock = new VirtualClock(1000);
  const service = new Counted(clock, 10);
  const limiter = new Limiter({ clock });
  let sent = 0;
  const worker = async (): Promise<void> => {
    while (sent < 40) {
      // The first ones of the second window.
      const isSlow = sent >= 10 && sent < 14;
      sent += 1;
      const sentAt = await limiter.enter();
      await clock.sleep(isSlow ? 700 : 10);
      const headers = service.count();
      await clock.sleep(10);
      limiter.leave(sentAt, readQuotas(...headers));
    }
  };
  await clock.run(Promise.all(Array.from({ length: 4 }, worker)));
  expect(service.refused).toBe(0);
  // Three further windows, and the time that the requests take.
  expect(clock.now() / 1000).toBeLessThan(1 + 3 * 301 + 2);
});

test("tells the first of several pauses that end at the same time from those that add nothing to it", () => {
  const limiter = new Limiter({ clock: new VirtualClock() });
  expect([240_000, 240_000, 240_500, 300_000, 1000].map((ms) => limiter.pause(ms))).toEqual([
    ...[true, false, false, true, false],
  ]);
});

test("holds all requests back while the service asks for a pause, including a pause in the middle", async () => {
  const clock = new VirtualClock();
  const limiter = new Limiter({ clock });
  limiter.pause(9000);
  await clock.run(limiter.enter());
  expect(clock.now()).toBe(9000);
  limiter.leave(9000, []);
  limiter.pause(1000);
  const next = limiter.enter();
  limiter.pause(5000);
  await clock.run(next);
  expect(clock.now()).toBe(14_000);
});

test("rate limit headers are parsed as lists, and anything else is ignored", () => {
  expect(readQuotas('"default";r=50;t=30', '"default";q=1200;w=300')).toEqual([
    { name: '"default"', remaining: 50, resetSeconds: 30, size: 1200, windowSeconds: 300 },
  ]);
  expect(readQuotas('"a";r=1;t=2, "b";t=4;r=3', '"b";q=10;w=60')).toEqual([
    { name: '"a"', remaining: 1, resetSeconds: 2 },
    { name: '"b"', remaining: 3, resetSeconds: 4, size: 10, windowSeconds: 60 },
  ]);
  expect(readQuotas('"default";r=50;t=30', '"default";q=0;w=0')[0]).not.toHaveProperty("size");
  for (const header of [undefined, "nonsense", '"default"', '"default";r=-1;t=x', ";;,,;r=1"])
    expect(readQuotas(header, header)).toEqual([]);
});

test.each([0, -1, NaN, Infinity, 1e12])("a rate of %s is refused", (requestsPerSecond) => {
  expect(() => new Limiter({ clock: new VirtualClock(), requestsPerSecond })).toThrow(
    `requestsPerSecond is ${String(requestsPerSecond)}; it must be a number from 0.001 to 1000000.`,
  );
});
