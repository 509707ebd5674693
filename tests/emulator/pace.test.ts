import { setImmediate } from "node:timers/promises";
import pLimit from "p-limit";
import { startEmulator, type Emulator, type LoggedRequest, type ZoneSeed } from "../../emulator/index.js";
import { createClient } from "../../client/index.js";
import { connect } from "../../provider/connect.js";
import { Service, TOKEN } from "../support/emulator.js";

const PHASES = ["http_request_firewall_custom", "http_ratelimit", "http_request_transform"];
const zones: ZoneSeed[] = Array.from({ length: 200 }, (_, index) => ({
  name: `zone-${String(index)}.example.com`,
  plan: "enterprise",
}));

describe("600 entry points in 200 zones, against a service that enforces its quota", () => {
  let emulator: Emulator;
  afterEach(() => emulator.close());

  test.each([
    [1200, 0],
    [600, 1],
    [6000, 0],
  ])("with %i requests in five minutes wait for %i windows, and no request is refused", async (quota, windows) => {
    emulator = await startEmulator({ seed: { zones, rateLimit: { quota, windowSeconds: 300, enforce: true } } });
    const service = new Service(emulator);
    let slept = 0;
    const start = Date.now();
    const clock = {
      now: () => start + slept,
      sleep: async (ms: number): Promise<void> => {
        slept += ms;
        await service.advanceClock(ms / 1000);
      },
    };
    const client = createClient({
      baseUrl: emulator.url,
      credentials: { kind: "token", apiToken: TOKEN },
      clock,
    });
    const limit = pLimit(16);
    const found = await client.zones.list({});
    await Promise.all(
      found.map(({ id }) =>
        limit(async () => {
          const scope = { level: "zones", id } as const;
          await client.rulesets.list(scope);
          for (const phase of PHASES)
            await client.rulesets.create(scope, { name: "default", kind: "zone", phase, description: "", rules: [] });
        }),
      ),
    );
    const answer = await fetch(emulator.url.replace("/client/v4", "/__emulator/requests"));
    const requests = (await answer.json()) as LoggedRequest[];
    expect(requests.filter(({ method }) => method === "POST")).toHaveLength(600);
    expect(requests.filter(({ status }) => status === 429)).toEqual([]);
    expect(Math.ceil(slept / 300_000)).toBe(windows);
  });
});

describe("a run that waits for a long time for the quota", () => {
  let emulator: Emulator;
  const lines: string[] = [];
  beforeEach(async () => {
    lines.length = 0;
    const rateLimit = { quota: 40, windowSeconds: 300, enforce: true };
    emulator = await startEmulator({ seed: { zones: zones.slice(0, 2), rateLimit } });
  });
  afterEach(() => emulator.close());
  const run = () => {
    const service = new Service(emulator);
    let slept = 0;
    const start = Date.now();
    const clock = {
      now: () => start + slept,
      sleep: async (ms: number): Promise<void> => {
        // Time passes only once every request that can be queued now is.
        await setImmediate();
        slept += ms;
        await service.advanceClock(ms / 1000);
      },
    };
    const note = (text: string): void => {
      lines.push(text);
    };
    return connect(
      { credentials: { kind: "token", apiToken: TOKEN }, baseUrl: emulator.url },
      {
        clock,
        longRun: { start: note, progress: note },
        onWait: (ms, reason) => {
          note(`waiting ${String(ms)} ms ${reason}`);
        },
      },
    );
  };

  test("is announced when requests are queued, with their number and the time, and then reports its progress", async () => {
    const client = run();
    const [zone] = await client.zones.list({});
    await Promise.all(Array.from({ length: 100 }, () => client.zones.get(zone?.id ?? "")));
    expect(lines[0]).toMatch(
      /^about \d+ requests are still to be made, and the service allows 40 requests in 5 minutes: this run will wait about \d+ minutes\.$/,
    );
    expect(lines.slice(1).join("\n")).toMatch(/^\d+ of about \d+ requests made, about \d+/);
    expect(lines.join("\n")).not.toMatch(/^waiting/m);
  });

  test("is announced at its first request if the caller knows the number, though it makes one after another", async () => {
    const client = run();
    const [zone] = await client.zones.list({});
    client.pace.expect(100);
    for (let made = 0; made < 3; made += 1) await client.zones.get(zone?.id ?? "");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^about (99|100) requests are still to be made, and the service allows 40 requests in 5 minutes: this run/,
    );
    for (let made = 3; made < 100; made += 1) await client.zones.get(zone?.id ?? "");
    expect(lines.at(-1)).toMatch(/^10\d of about 10\d requests made/);
  });

  test("says nothing when it need not wait", async () => {
    const client = run();
    client.pace.expect(10);
    for (let made = 0; made < 10; made += 1) await client.zones.list({});
    expect(lines).toEqual([]);
  });
});
