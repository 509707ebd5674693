import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runMigration } from "../../tools/cli/migration/command.js";
import type { ZoneEntry } from "../../tools/cli/migration/views.js";
import { readEach } from "../../tools/cli/zones.js";
import type { MigrationOptions } from "../../tools/cli/migration/command.js";
import type { Progress } from "../../tools/cli/progress.js";
import type { Emulator, ZoneSeed } from "../../emulator/index.js";
import { createClient, Limiter, type Client } from "../../client/index.js";
import { isDigest } from "../../core/previous-waf/digest.js";
import { Service, TOKEN } from "../support/emulator.js";
import { emulatorWith } from "../support/emulators.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Two hundred zones of every plan: most are ready, some are migrated, some are blocked by overrides. */
const zones: ZoneSeed[] = Array.from({ length: 200 }, (_, index) => ({
  name: `zone-${String(index).padStart(3, "0")}.example.com`,
  plan: (["free", "pro", "business", "enterprise"] as const)[index % 4] ?? "pro",
  ...(index % 10 === 9
    ? {}
    : { previousWaf: index % 20 === 3 ? { overrides: [{ urls: ["a.example.com/*"], rules: {} }] } : {} }),
}));

describe("migration commands for many zones", () => {
  let emulator: Emulator;
  let service: Service;
  let client: Client;
  let account: string;
  let printed: string[];
  let steps: string[];
  const progress: Progress = {
    start: (total) => steps.push(`of ${String(total)}`),
    step: (name) => steps.push(name),
    stop: () => steps.push("done"),
  };
  beforeAll(async () => {
    emulator = await emulatorWith({ seed: { zones } });
    service = new Service(emulator);
    account = await service.account();
    const clock = { now: () => 0, sleep: () => Promise.resolve() };
    client = createClient({
      baseUrl: emulator.url,
      credentials: { kind: "token", apiToken: TOKEN },
      maxRetries: 1,
      clock,
      limiter: new Limiter({ requestsPerSecond: 100_000, clock }),
    });
  });
  beforeEach(async () => {
    [printed, steps] = [[], []];
    await service.noFaults();
    await service.forget();
  });
  const run = (command: "status" | "check" | "plan", options: Partial<MigrationOptions> = {}): Promise<number> =>
    runMigration(command, { account: [account], parallel: "8", ...options }, () => client, {
      print: (line) => printed.push(line),
      progress,
    });
  const json = (): ZoneEntry[] => JSON.parse(printed.join("")) as ZoneEntry[];

  test("status makes one request for each zone, and prints a table", async () => {
    expect(await run("status")).toBe(0);
    // Four pages of zones, then one request for each zone.
    expect(await service.requests()).toHaveLength(204);
    expect(steps[0]).toBe("of 200");
    expect(steps).toHaveLength(202);
    expect(printed.join("")).toMatch(/│ zone-000\.example\.com │ free +│ notStarted │ start +│ enabled +│ disabled +│/);
    expect(printed.join("")).toContain("200 zones: 20 migrated.");
  });

  test("check reports the result of every zone, also when some requests fail", async () => {
    const broken = zones.slice(50, 60).map((zone) => zone.name);
    const all = await client.zones.list();
    for (const { id } of all.filter(({ name }) => broken.includes(name))) {
      await service.fault({ path: `/zones/${id}/waf_migration/status`, status: 500, times: 2 });
    }
    // These succeed on the second attempt.
    await service.fault({ path: "/waf_migration/check", status: 503, times: 1 });
    await service.fault({ path: "/waf_migration/config", cut: "before", times: 1 });
    expect(await run("check", { json: true })).toBe(3);
    const entries = json();
    expect(entries.map(({ zoneName }) => zoneName)).toEqual(zones.map(({ name }) => name));
    expect(entries.filter(({ failure }) => failure !== undefined).map(({ zoneName }) => zoneName)).toEqual(broken);
    expect(entries.filter(({ ready }) => ready === false)).toHaveLength(10);
    expect(entries.find(({ ready }) => ready === false)?.obstacles?.join()).toMatch(
      /DELETE \/zones\/[0-9a-f]{32}\/firewall\/waf\/overrides/,
    );
  });

  test("check reports where the check and the status disagree about the state", async () => {
    const name = "zone-001.example.com";
    const result = { compatible: true, migration_state: "validation" };
    await service.fault({
      path: "/waf_migration/check",
      body: { success: true, errors: [], messages: [], result },
      times: 2,
    });
    expect(await run("check", { json: true, account: [], zone: [name] })).toBe(0);
    const note = expect.stringContaining('state "validation", but the status reports "start"') as string;
    expect(json()).toMatchObject([{ zoneName: name, ready: true, obstacles: [], notes: [note] }]);
    printed = [];
    expect(await run("check", { account: [], zone: [name] })).toBe(0);
    expect(printed.join("")).toContain(`${name}:\n- The compatibility check reports`);
    printed = [];
    expect(await run("check", { json: true, account: [], zone: [name] })).toBe(0);
    expect(json()[0]?.notes).toBeUndefined();
  });

  test("plan prints once what applies to every zone", async () => {
    const zone = ["zone-000.example.com", "zone-001.example.com", "zone-002.example.com"];
    for (const options of [{}, { markdown: true }]) {
      printed = [];
      expect(await run("plan", { account: [], zone, ...options })).toBe(0);
      const text = printed.join("");
      expect(text.split("Rules that will be written")).toHaveLength(4);
      expect(text.split("Tools that stop working")).toHaveLength(2);
      expect(text).toMatch(/Rollout:?\n[\s\S]*2022-05-04[\s\S]*2022-09-19/);
    }
    // Code in our own text stays code, and is not escaped.
    expect(printed.join("")).toContain("`pulumi state delete <urn>`");
  });

  test("plan contains the report of each zone, a digest to pin, and JSON", async () => {
    const folder = temporaryFolder();
    const output = join(folder, "plan.json");
    expect(await run("plan", { json: true, output })).toBe(2);
    expect(printed).toEqual([]);
    const entries = JSON.parse(readFileSync(output, "utf8")) as ZoneEntry[];
    const ready = entries.filter(({ ready: is, phase }) => is === true && phase === "notStarted");
    expect(ready).toHaveLength(170);
    expect(ready.every(({ zoneId, configDigest }) => zoneId.length === 32 && isDigest(configDigest ?? ""))).toBe(true);
    expect(await run("plan", { markdown: true, account: [], zone: ["zone-001.example.com"] })).toBe(0);
    expect(printed.join("")).toMatch(
      /^\| Zone \| Plan \| Phase \| Ready \|\n\| --- [\s\S]*### Rules that will be written\n\n1\. execute Cloudflare Managed Ruleset/,
    );
  });

  test("reports missing zones next to existing ones", async () => {
    const exit = await run("status", {
      account: [],
      zone: ["zone-001.example.com", "nowhere.example.com", "f".repeat(32)],
    });
    expect(exit).toBe(3);
    expect(printed.join("")).toContain("there is no zone nowhere.example.com");
    expect(printed.join("")).toContain("3 zones: 2 could not be read.");
  });

  test("runs no more requests concurrently than allowed", async () => {
    let [running, most] = [0, 0];
    const all = await client.zones.list();
    const results = await readEach(all, {
      parallel: 8,
      progress,
      read: async ({ id }) => {
        running += 1;
        most = Math.max(most, running);
        const status = await client.wafMigration.status(id);
        running -= 1;
        return status;
      },
    });
    expect([results.length, most]).toEqual([200, 8]);
  });

  test("refuses invalid options", async () => {
    await expect(run("status", { account: [] })).rejects.toThrow("specify zones with --zone");
    await expect(run("status", { parallel: "many" })).rejects.toThrow(
      "--parallel must be a whole number of at least 1, not many",
    );
    await expect(run("status", { json: true, markdown: true })).rejects.toThrow("are mutually exclusive");
  });
});
