import pLimit from "p-limit";
import type { Emulator, LoggedRequest, ZoneSeed } from "../../emulator/index.js";
import { createClient } from "../../client/index.js";
import { Service, TOKEN } from "../support/emulator.js";
import { emulatorWith } from "../support/emulators.js";

const PHASES = ["http_request_firewall_custom", "http_ratelimit", "http_request_transform"];
const zones: ZoneSeed[] = Array.from({ length: 50 }, (_, index) => ({
  name: `zone-${String(index)}.example.com`,
  plan: "enterprise",
}));

describe("150 entry points in 50 zones, against a service that enforces its quota", () => {
  let emulator: Emulator;

  test.each([
    [300, 0],
    [150, 1],
    [1500, 0],
  ])("with %i requests in five minutes wait for %i windows, and no request is refused", async (quota, windows) => {
    emulator = await emulatorWith({ seed: { zones, rateLimit: { quota, windowSeconds: 300, enforce: true } } });
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
    expect(requests.filter(({ method }) => method === "POST")).toHaveLength(150);
    expect(requests.filter(({ status }) => status === 429)).toEqual([]);
    expect(Math.ceil(slept / 300_000)).toBe(windows);
  });
});
