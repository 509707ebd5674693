import type { ZoneSeed } from "../../emulator/index.js";
import { EngineStack, type Library } from "./support/stack.js";

const MINUTES = 60_000;

const program = ({ PhaseEntrypoint }: Library, { zoneIds }: { zoneIds: readonly string[] }) => {
  for (const zoneId of zoneIds) {
    for (const phase of ["http_ratelimit", "http_request_firewall_custom", "http_request_origin"]) {
      new PhaseEntrypoint(`${zoneId}-${phase}`, { zoneId, phase, rules: [] });
    }
  }
};

/** A stack that waits in no time, and the IDs of its zones. */
async function startStack(
  zones: number,
  options: { quota?: number; config?: Readonly<Record<string, string>> } = {},
): Promise<{ stack: EngineStack; zoneIds: readonly string[] }> {
  const seeds = Array.from({ length: zones }, (_, index): ZoneSeed => ({
    name: `z${String(index)}.test`,
    plan: "enterprise",
  }));
  const rateLimit = { quota: options.quota ?? 1200, windowSeconds: 300, enforce: true };
  const config = Object.fromEntries(Object.entries(options.config ?? {}).map(([name, value]) => [name, { value }]));
  const stack = await EngineStack.start({ seed: { zones: seeds, rateLimit }, config, virtualTime: true });
  const found = await stack.service.ask<{ id: string }[]>("GET", "/zones?per_page=50");
  // The window of that request is over.
  await stack.service.advanceClock(300);
  return { stack, zoneIds: found.map(({ id }) => id) };
}

test("an update that must slow down reports it at the resource's row, and takes as long as the rate demands", async () => {
  const { stack, zoneIds } = await startStack(1, { config: { "rulesets:requestsPerSecond": "0.1" } });
  const start = await stack.service.time();
  const up = await stack.up(program, { zoneIds });
  expect([up.ok, up.changes]).toEqual([true, { create: 4 }]);
  expect(up.text).toMatch(/waiting \d+ s to stay under the rate limit/);
  expect(up.requests).toHaveLength(4);
  expect((await stack.service.time()) - start).toBeGreaterThanOrEqual(30_000);
});

describe("eleven zones with three entry points each, and a quota of ten requests in five minutes", () => {
  test("the update waits no longer than the quota demands", async () => {
    const { stack, zoneIds } = await startStack(11, { quota: 10 });
    const start = await stack.service.time();
    const up = await stack.up(program, { zoneIds });
    const duration = (await stack.service.time()) - start;
    // No request was refused: the run retries none.
    expect([up.ok, up.changes, up.requests.length]).toEqual([true, { create: 34 }, 44]);
    // Ten requests in each window: the last four are sent in the fifth.
    expect(Math.floor(duration / (5 * MINUTES))).toBe(4);
  });
});
