import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ShardResult } from "../../tools/fleet/results.js";
import type { Emulator } from "../../emulator/index.js";
import { cli, type Finished } from "../cli/support.js";
import { Service, TOKEN } from "../support/emulator.js";
import { until } from "../support/patience.js";
import { fleetCommand, fleetProject, killGroup, startFleet } from "./support/fleet-project.js";
import type { ProjectStack } from "./support/project.js";
import { emulatorWith } from "../support/emulators.js";

const PHASE = "http_request_firewall_custom";
const SECRET = "s3cret-header-value";

/* Each test continues where the one before it ended: a rollout of twelve zones in three shards and two waves. */

describe("a fleet", () => {
  let project: ProjectStack;
  let emulator: Emulator;
  let service: Service;
  const zones = new Map<string, string>();
  const named = (name: string): string => zones.get(name) ?? "";

  beforeAll(async () => {
    const names = Array.from({ length: 12 }, (_, index) => `z${String(index).padStart(2, "0")}.test`);
    emulator = await emulatorWith({ seed: { zones: names.map((name) => ({ name })) } });
    service = new Service(emulator);
    for (const name of names) zones.set(name, await service.zoneNamed(name));
    project = fleetProject(
      { RULESETS_BASE_URL: emulator.url, FLEET_TOKEN: TOKEN },
      {
        phase: PHASE,
        rules: `
{ ref: "admin", action: name === "z07.test" ? "managed_challenge" : "block", expression: \`http.host eq "admin.\${name}"\` },
{ ref: "key", action: "block", expression: secret('any(http.request.headers["x-key"][*] eq "${SECRET}")') },
`,
        definition: `
zones: { include: "*.test" }
shardSize: 5
tokens: [{ variable: FLEET_TOKEN }]
waves:
  - name: canary
    zones: [z01.test, z02.test]
    gates: [{ run: sh gate.sh }]
  - name: rest
    gates: [{ approval: the security team }]
`,
      },
    );
    project.write("gate.sh", "exit 2\n");
  });

  const fleet = (...args: string[]): Promise<Finished> => fleetCommand(project, ...args);
  const runShard = async (id: string): Promise<ShardResult & { readonly code: number; readonly words: string }> => {
    const { code, stdout, stderr } = await fleet("run-shard", id, "--json");
    if (!stdout.startsWith("{")) throw new Error(stderr);
    return { ...(JSON.parse(stdout) as ShardResult & { readonly words: string }), code };
  };
  const writes = async (): Promise<string[]> =>
    (await service.requests()).filter((request) => !request.startsWith("GET "));
  const versions = async (names: readonly string[]): Promise<(string | undefined)[]> =>
    Promise.all(names.map(async (name) => (await service.entrypoint(named(name), PHASE))?.version));

  test("is planned without a write: shards, waves, requests, and changes folded by equal ones", async () => {
    const { code, stdout, stderr } = await fleet("plan");
    expect([code, stderr]).toEqual([0, expect.stringContaining("s003 (rest): 5 changes in 5 zones")]);
    expect(stdout).toMatch(/canary +│ 1 +│ 2 +│ run: sh gate\.sh/);
    expect(stdout).toMatch(/rest +│ 2 +│ 10 +│ approval: the security team/);
    expect(stdout).toContain("The same edit in 11 of 12 zones; 1 zone differs: z07.test.");
    expect(await writes()).toEqual([]);
    // Pulumi drops the provider of secrets from the settings of a new stack if it is not named.
    expect(project.read("Pulumi.fleet-s001.yaml")).toContain(project.read("Pulumi.fleet.yaml"));
  });

  test("calls a missing token a mistake, and records nothing for its shard", async () => {
    const { FLEET_TOKEN: _, ...variables } = project.variables;
    const { code, stderr } = await cli(["fleet", "run-shard", "s001"], variables, project.folder);
    expect([code, stderr]).toEqual([1, expect.stringContaining("FLEET_TOKEN")]);
    const rollback = await fleet("rollback", "canary", "--json");
    expect([rollback.code, JSON.parse(rollback.stdout)]).toEqual([0, { wave: "canary", written: false, shards: [] }]);
  });

  test("does not begin a wave before the one before it", async () => {
    expect(await runShard("s002")).toMatchObject({ code: 3, words: "not run: the wave canary before it is not done" });
    expect((await fleet("gate", "canary")).code).toBe(3);
  });

  test("continues a shard that was killed while a write was on its way, and applies nothing twice", async () => {
    await service.fault({ method: "POST", path: `/zones/${named("z02.test")}/rulesets`, hold: true });
    const child = startFleet(project, "run-shard", "s001");
    await until(async () => (await service.waitingFaults()).length === 0);
    await until(async () => (await service.entrypoint(named("z01.test"), PHASE)) !== undefined);
    expect((await fleet("run-shard", "s001")).stdout).toMatch(/^s001: not run: process \d+ runs it/);
    await killGroup(child);
    await service.noFaults();
    await until(async () => (await service.entrypoint(named("z02.test"), PHASE)) !== undefined);

    const again = await runShard("s001");
    expect(again).toMatchObject({ code: 0, ran: true, state: "done", attempts: 2 });
    expect(await versions(["z01.test", "z02.test"])).toEqual(["1", "1"]);
    await service.forget();
    expect(await runShard("s001")).toMatchObject({ code: 0, ran: false, words: "is done already" });
    expect(await service.requests()).toEqual([]);
  });

  test("stops at a gate that does not hold", async () => {
    expect(await fleet("gate", "canary")).toMatchObject({ code: 2 });
    expect(await runShard("s002")).toMatchObject({ code: 3 });
    const status = await fleet("status");
    expect([status.code, status.stdout]).toEqual([
      2,
      expect.stringContaining("a gate of the wave canary does not hold"),
    ]);

    project.write("gate.sh", "grep -c z0 > /dev/null && test $FLEET_WAVE = canary\n");
    const changed = await fleet("gate", "canary");
    expect([changed.code, changed.stdout]).toEqual([3, expect.stringContaining("changed since the plan: gate.sh. To")]);
    const accepted = await fleet("gate", "canary", "--accept-changed-files");
    expect([accepted.code, accepted.stdout]).toEqual([
      0,
      expect.stringContaining("changed since the plan, and accepted: gate.sh"),
    ]);
  });

  test("lets no shard start after a stop, until it is removed", async () => {
    expect((await fleet("stop", "--reason", "a fire")).code).toBe(0);
    expect((await runShard("s002")).words).toMatch(/^not run: the rollout has stopped: .*: a fire$/);
    const removed = await fleet("resume", "--no-run");
    expect(removed).toMatchObject({
      code: 0,
      stdout: "Next: 2 shards of the wave rest (s002 and s003).\nTo continue: `fleet resume`\n",
    });
  });

  test("stops a shard with a zone that moved since the plan, and no other", async () => {
    const { stdout } = await fleet("plan", "--shards-only", "--json", "--frozen", "--plan", "other");
    const { shards } = JSON.parse(stdout) as { shards: { id: string; zones: { id: string; name: string }[] }[] };
    const [zone] = shards.find(({ id }) => id === "s002")?.zones ?? [];
    await service.create(`zones/${zone?.id ?? ""}`, {
      name: "mine",
      kind: "zone",
      phase: PHASE,
      rules: [{ action: "log", expression: "true" }],
    });
    await service.forget();
    const moved = await runShard("s002");
    expect(moved).toMatchObject({ code: 2, state: "moved", moved: [{ zoneId: zone?.id }] });
    expect(moved.words).toContain(`1 zone moved since the plan: ${zone?.name ?? ""}`);
    expect(await writes()).toEqual([]);

    const rest = await fleet("resume");
    expect(rest.code).toBe(3);
    expect(rest.stdout).toContain("s003: 5 resources changed");
    expect(rest.stdout).toContain("approval: the security team: nobody has approved it");
    expect((await fleet("approve", "rest", "--by", "someone")).code).toBe(0);
    expect((await fleet("resume")).stdout).toContain("Finished: 2 of 3 shards. Not rolled out: 5 zones in s002 (5).");
  });

  test("keeps secrets out of everything that it writes", () => {
    const folder = join(project.folder, "fleet-plan");
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    expect(files.length).toBeGreaterThan(8);
    for (const file of files) {
      const text = readFileSync(join(file.parentPath, file.name), "utf8");
      expect([file.name, text.includes(SECRET), text.includes(TOKEN)]).toEqual([file.name, false, false]);
    }
  });

  test("goes back a wave by the versions of the service, except what somebody changed since", async () => {
    const shown = await fleet("rollback", "rest");
    expect([shown.code, shown.stdout]).toEqual([2, expect.stringContaining("s003: 5 rulesets would be restored")]);
    await service.forget();
    const { shards } = JSON.parse(project.read("fleet.lock.json")) as { shards: Record<string, { zones: object }> };
    const [edited = "", ...others] = Object.keys(shards.s003?.zones ?? {});
    const ruleset = await service.entrypoint(edited, PHASE);
    await service.addRule(`zones/${edited}`, ruleset?.id ?? "", { action: "log", expression: "true" });

    // The service refuses one of the writes, so the rollback has not ended.
    await service.fault({ method: "DELETE", path: `/zones/${others[0] ?? ""}/rulesets`, status: 403, times: 20 });
    const half = await fleet("rollback", "rest", "--yes");
    expect([half.code, half.stdout]).toEqual([3, expect.stringMatching(/s003: 3 rulesets restored\n[^]*: 403 /)]);
    expect((await fleet("status")).stdout).toContain("`fleet rollback rest --yes` ends it");
    await service.noFaults();
    const back = await fleet("rollback", "rest", "--yes");
    expect(back.code).toBe(3);
    expect(back.stdout).toMatch(
      /s003: 1 ruleset restored, 3 were already restored\n +left: z\d+\.test.*somebody else changed it since: version 1 is now 2/,
    );
    for (const zone of others) expect(await service.entrypoint(zone, PHASE)).toBeUndefined();
    expect((await service.rules(edited, PHASE)).length).toBe(3);
    expect(await versions(["z01.test", "z02.test"])).toEqual(["1", "1"]);
    expect((await fleet("status")).stdout).toContain("Stopped: the wave rest was rolled back");
    const { gates } = JSON.parse((await fleet("status", "--json")).stdout) as { gates: object };
    expect(Object.keys(gates)).toEqual(["canary"]);
  });
});
