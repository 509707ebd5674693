import { EngineStack, type Library } from "./support/stack.js";

const program = ({ PhaseEntrypoint }: Library, { zoneId }: { zoneId: string }) => {
  for (const phase of ["http_ratelimit", "http_request_firewall_custom", "http_request_firewall_managed"]) {
    new PhaseEntrypoint(phase, { zoneId, phase, rules: [] });
  }
};

test("a run that must slow down reports it at the resource's row, and succeeds", async () => {
  const stack = await EngineStack.start({ config: { "rulesets:requestsPerSecond": { value: "0.9" } } });
  try {
    const up = await stack.up(program, { zoneId: await stack.service.zone() });
    expect(up.changes).toEqual({ create: 4 });
    expect(up.text).toMatch(/waiting \d s to stay under the rate limit/);
    expect(up.requests).toHaveLength(4);
  } finally {
    await stack.close();
  }
});

test("after a 429 the run waits as long as the service says, and sends the write again", async () => {
  const stack = await EngineStack.start({ config: { "rulesets:maxRetries": { value: "2" } } });
  try {
    const zoneId = await stack.service.zone();
    await stack.service.fault({ method: "POST", status: 429, headers: { "Retry-After": "1" } });
    const up = await stack.up(program, { zoneId });
    expect(up.changes).toEqual({ create: 4 });
    expect(up.requests.filter((request) => request.startsWith("POST"))).toHaveLength(4);
  } finally {
    await stack.close();
  }
});

test("a preview reports how many requests the update will make, and how long it will wait for the quota", async () => {
  const zones = Array.from({ length: 8 }, (_, index) => ({
    name: `z${String(index)}.test`,
    plan: "enterprise" as const,
  }));
  const rateLimit = { quota: 20, windowSeconds: 300, enforce: true };
  const stack = await EngineStack.start({ seed: { zones, rateLimit } });
  try {
    const found = await stack.service.ask<{ id: string }[]>("GET", "/zones");
    await stack.service.advanceClock(300);
    const preview = await stack.preview(
      ({ PhaseEntrypoint }: Library, { ids }: { ids: string[] }) => {
        for (const zoneId of ids) {
          for (const phase of ["http_ratelimit", "http_request_firewall_custom", "http_request_origin"])
            new PhaseEntrypoint(`${zoneId}-${phase}`, { zoneId, phase, rules: [] });
        }
      },
      { ids: found.map(({ id }) => id) },
    );
    expect([preview.ok, preview.requests.length]).toEqual([true, 8]);
    expect(preview.text).toMatch(
      /`pulumi up` will make about 32 requests, and the service allows 20 requests in 5 minutes: it will wait about \d+ (minutes|seconds)\./,
    );
  } finally {
    await stack.close();
  }
});
