import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AnalyticsReport } from "../../tools/cli/rules/replay/analytics/render.js";
import type { Emulator } from "../../emulator/index.js";
import { estimate } from "../../tools/cli/rules/traffic/estimate.js";
import { Service, TOKEN } from "../support/emulator.js";
import { visit } from "../support/visit.js";
import { cli, folder, type Finished } from "./support.js";
import { emulatorWith } from "../support/emulators.js";

const phase = "http_request_firewall_custom";
const ADMIN = 'starts_with(http.request.uri.path, "/admin")';
const block = (expression: string, description = "Block admin") => ({ action: "block", expression, description });

describe("an estimate", () => {
  test("is a number if everything was counted, and otherwise an interval that contains what was counted", () => {
    expect(estimate([])).toEqual({ count: 0, low: 0, high: 0 });
    expect(
      estimate([
        { count: 7, sampleInterval: 1 },
        { count: 5, sampleInterval: 1 },
      ]),
    ).toEqual({ count: 12, low: 12, high: 12 });
    const coarse = estimate([{ count: 1000, sampleInterval: 10 }]);
    expect(coarse.count).toBe(1000);
    expect([Math.round(coarse.low / 10), Math.round(coarse.high / 10)]).toEqual([81, 122]);
    const one = estimate([{ count: 100, sampleInterval: 100 }]);
    expect([one.low, one.high]).toEqual([1, expect.any(Number)]);
    expect(one.high).toBeGreaterThan(500);
    expect(
      estimate([
        { count: 5, sampleInterval: 1 },
        { count: 100, sampleInterval: 100 },
      ]).low,
    ).toBe(5 + one.low);
  });
});

describe("rules replay --since", () => {
  let emulator: Emulator;
  let service: Service;
  let zoneId: string;
  const files = folder({});
  beforeEach(async () => {
    emulator = await emulatorWith({ seed: { zones: [{ name: "shop.example.com" }] }, edge: {} });
    service = new Service(emulator);
    zoneId = await service.zoneNamed("shop.example.com");
    await deploy(block(`${ADMIN} and ip.src.country ne "DE"`));
  });
  const deploy = (...rules: readonly object[]): Promise<unknown> =>
    service.ask("PUT", `/zones/${zoneId}/rulesets/phases/${phase}/entrypoint`, { rules });
  const traffic = async (): Promise<void> => {
    const send = (path: string, country: string): Promise<unknown> =>
      visit(emulator.edgeUrl ?? "", `http://shop.example.com${path}`, {
        headers: { "x-edge-country": country, "x-edge-ip": "203.0.113.9", "user-agent": "probe" },
      });
    for (let i = 0; i < 4; i += 1) await send("/admin?x=1", "DE");
    for (let i = 0; i < 3; i += 1) await send("/admin", "FR");
    for (let i = 0; i < 5; i += 1) await send("/shop", "DE");
  };
  const replay = (rules: readonly object[], ...args: readonly string[]): Promise<Finished> => {
    const file = join(files, "after.json");
    writeFileSync(file, JSON.stringify({ phase, zoneId, name: "waf", rules }));
    return cli(
      [
        "rules",
        "replay",
        "--base-url",
        emulator.url,
        "--zone",
        "shop.example.com",
        "--since",
        "7d",
        "--after",
        file,
        ...args,
      ],
      { CLOUDFLARE_API_TOKEN: TOKEN },
    );
  };
  const json = async (rules: readonly object[], ...args: readonly string[]): Promise<AnalyticsReport> =>
    JSON.parse((await replay(rules, "--json", ...args)).stdout) as AnalyticsReport;
  const exactly = (count: number) => ({ count, low: count, high: count });

  test("foretells what an edit does to the traffic of last week, and the same traffic then gets exactly that", async () => {
    await traffic();
    const { stdout } = await replay([block(ADMIN)]);
    expect(stdout).toMatch(/^12 requests to shop\.example\.com from .* to .*: 1 kind of change\.\n/);
    expect(stdout).toContain(
      `allowed → blocked by "Block admin": 4 requests (stricter)\n  countries: DE 4\n  paths: /admin 4`,
    );
    expect(stdout).toContain('What rules did, as the service counted it:\n  block by "Block admin": 3');
    expect(stdout).toMatch(/Read with \d requests to the service's analytics\.\n$/);
    const foretold = await json([block(ADMIN)]);
    const after = foretold.outcomes.find(({ outcome }) => outcome === 'blocked by "Block admin"')?.after;
    expect(after).toEqual(exactly(7));
    await service.reset();
    zoneId = await service.zoneNamed("shop.example.com");
    await deploy(block(ADMIN));
    await traffic();
    const { events } = await json([block(ADMIN)]);
    expect(events).toEqual([{ name: 'block by "Block admin"', requests: after }]);
  });

  test("--no-looser fails for an edit that stops less", async () => {
    await traffic();
    const looser = [block('http.request.uri.path eq "/none"')];
    expect((await replay(looser, "--no-looser")).code).toBe(2);
    expect((await replay(looser)).code).toBe(0);
    expect((await replay([block(ADMIN)], "--no-looser")).code).toBe(0);
  });

  test("an expression on what analytics do not have is unknown, and named", async () => {
    await traffic();
    const { outcomes, unknown, notes } = await json([
      block('http.request.headers["x-key"][0] eq "a"'),
      block("ssl", "TLS"),
    ]);
    expect(outcomes.find(({ outcome }) => outcome === "unknown")?.after).toEqual(exactly(12));
    expect(unknown.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["analytics do not have `http.request.headers`"]),
    );
    expect(notes).toEqual([
      expect.stringMatching(/^The analytics of this zone do not have clientRequestScheme, .*clientAsn\.$/),
    ]);
    expect((await json([block("ssl")])).unknown).toEqual([
      { name: "analytics do not have `ssl`", requests: exactly(12) },
    ]);
    expect((await json([block(`${ADMIN} and ssl`)])).outcomes.map(({ outcome }) => outcome)).toContain("allowed");
  });

  test("says an interval where only a sample was counted", async () => {
    await traffic();
    await fetch(`${emulator.url.replace("/client/v4", "/__emulator")}/analytics`, {
      method: "POST",
      body: JSON.stringify({ sampleInterval: 4 }),
    });
    const { stdout } = await replay([block(ADMIN)]);
    expect(stdout).toMatch(/allowed → blocked by "Block admin": about 4 \(1 to \d+\) requests/);
  });

  test("asks in parts that the plan allows, and names what it does not keep", async () => {
    await traffic();
    await fetch(`${emulator.url.replace("/client/v4", "/__emulator")}/analytics`, {
      method: "POST",
      body: JSON.stringify({ maxDuration: 86_400 }),
    });
    await service.forget();
    const { queries, requests } = await json([block(ADMIN)]);
    const sent = (await service.requests()).filter((one) => one.endsWith("/graphql"));
    expect([queries, sent.length, requests]).toEqual([15, 15, exactly(12)]);
    const long = await json([block(ADMIN)], "--since", "8w");
    expect(long.notes).toContain("The plan of the zone keeps analytics for 720 hours.");
  });

  test("leaves rate limits out, and says so; refuses what it cannot do", async () => {
    await traffic();
    const limit = {
      ...block("true"),
      ratelimit: {
        characteristics: ["ip.src", "cf.colo.id"],
        period: 60,
        requests_per_period: 1,
        mitigation_timeout: 60,
      },
    };
    await service.ask("PUT", `/zones/${zoneId}/rulesets/phases/http_ratelimit/entrypoint`, { rules: [limit] });
    expect((await json([block(ADMIN)])).notes).toContain(
      "Rate limits are left out: analytics do not have the order of requests.",
    );
    const error = async (...args: readonly string[]): Promise<string> => {
      const { code, stderr } = await cli(["rules", "replay", "--base-url", emulator.url, "--after", files, ...args], {
        CLOUDFLARE_API_TOKEN: TOKEN,
      });
      expect(code).toBe(1);
      return stderr;
    };
    expect(await error("--since", "7d")).toContain("--since needs --zone");
    expect(await error()).toContain("pass files of requests, or --since");
    expect(await error("log.ndjson", "--since", "7d", "--zone", "a")).toContain("takes no files");
    expect((await replay([block(ADMIN)], "--since", "tomorrow")).stderr).toContain(
      "--since must be a time such as 90m, 24h, 7d or 4w",
    );
    await service.fault({ path: "/graphql", status: 403 });
    expect((await replay([block(ADMIN)])).stderr).toContain('"Analytics Read"');
  });
});
