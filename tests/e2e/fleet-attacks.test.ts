import { cpSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Emulator, Fault } from "../../emulator/index.js";
import type { ShardResult } from "../../tools/fleet/results.js";
import { cliProcess, type Finished } from "../cli/support.js";
import { Service, TOKEN } from "../support/emulator.js";
import { until } from "../support/patience.js";
import { fleetCommand, fleetProject, killGroup, startFleet, startGroup } from "./support/fleet-project.js";
import type { ProjectStack } from "./support/project.js";
import { emulatorWith } from "../support/emulators.js";

const PHASE = "http_request_firewall_custom";
/** `FLEET_KILLS=all` kills a shard at each of its requests. `fleet.test.ts` has one that writes. */
const ALL = process.env.FLEET_KILLS === "all";

/** The requests of a shard: each zone is read by the preview and by the run, and written. How many pass before one is held. */
const POINTS: readonly (readonly [string, Fault, number])[] = [
  ["the first read of the preview", { method: "GET", path: "/rulesets" }, 0],
  ["the last read of the preview", { method: "GET", path: "/rulesets" }, 1],
  ["the first read of the run", { method: "GET", path: "/rulesets" }, 2],
  ["the last read of the run", { method: "GET", path: "/rulesets" }, 3],
  ["the first write", { method: "POST", path: "/rulesets" }, 0],
  ["the second write", { method: "POST", path: "/rulesets" }, 1],
];
const KILLS = (ALL ? POINTS : []).map((point, index) => [...point, index + 1] as const);
/** Shards by what happens to them. */
const [ONCE, HELD, LAST] = [1, 2, 3].map((number) => KILLS.length + number) as [number, number, number];
const SHARDS = KILLS.length + 3;
const idOf = (shard: number): string => `s${String(shard).padStart(3, "0")}`;

/* Shards of two zones, in one wave, so that each can be attacked for itself. */

describe("a rollout under attack", () => {
  let project: ProjectStack;
  let emulator: Emulator;
  let service: Service;
  const zones = new Map<string, string>();
  const zoneOf = (shard: number, index = 0): string =>
    zones.get(`${String.fromCharCode(96 + shard)}${String(index)}.test`) ?? "";

  const fleet = (...args: string[]): Promise<Finished> => fleetCommand(project, ...args);
  const runShard = async (id: string, ...more: string[]) => answerOf(await fleet("run-shard", id, "--json", ...more));
  const answerOf = ({ code, stdout, stderr }: Finished) => {
    if (!stdout.startsWith("{")) return { code, words: stderr };
    return {
      ...(JSON.parse(stdout) as Partial<ShardResult> & { readonly ran: boolean; readonly words: string }),
      code,
    };
  };
  const version = async (zone: string): Promise<string | undefined> => (await service.entrypoint(zone, PHASE))?.version;
  const resultFile = (id: string): string => join("fleet-plan", "results", `${id}.json`);

  const definition = "shardSize: 2\nwaves: [{ name: all }]\nfailures: { failed: 100% }\n";

  beforeAll(async () => {
    for (let shard = 1; shard <= SHARDS; shard += 1)
      for (const index of [0, 1]) {
        const name = `${String.fromCharCode(96 + shard)}${String(index)}.test`;
        zones.set(name, `${String(shard).padStart(2, "0")}${String(index)}`.padStart(32, "0"));
      }
    emulator = await emulatorWith({ seed: { zones: [...zones].map(([name, id]) => ({ name, id })) } });
    service = new Service(emulator);
    project = fleetProject(
      { RULESETS_BASE_URL: emulator.url, CLOUDFLARE_API_TOKEN: TOKEN },
      {
        phase: PHASE,
        rules: `{ ref: "admin", action: "block", expression: 'http.request.uri.path eq "/admin"' }`,
        definition,
      },
    );
    const { code, stderr } = await fleet("plan");
    if (code !== 0) throw new Error(stderr);
    cpSync(join(project.folder, "fleet-plan"), join(project.folder, "other"), { recursive: true });
  });

  afterEach(() => service.noFaults());

  for (const [point, fault, before, shard] of KILLS)
    test(`that is killed at ${point} ends what it began, and applies nothing twice`, async () => {
      const id = idOf(shard);
      // Requests before the one that is held pass unchanged.
      if (before > 0) await service.fault({ ...fault, times: before, messages: [] });
      await service.fault({ ...fault, hold: true });
      const child = startFleet(project, "run-shard", id);
      await until(async () => child.exitCode !== null || (await service.waitingFaults()).length === 0);
      expect(child.exitCode).toBeNull();
      await killGroup(child);
      await service.noFaults();
      expect(await runShard(id)).toMatchObject({ code: 0, ran: true, state: "done", attempts: 2 });
      expect([await version(zoneOf(shard, 0)), await version(zoneOf(shard, 1))]).toEqual(["1", "1"]);
      expect(await runShard(id)).toMatchObject({ code: 0, ran: false });
    });

  test("runs a shard once, however many start it at once", async () => {
    await service.forget();
    const args = ["fleet", "run-shard", idOf(ONCE), "--json"];
    const start = () => cliProcess(args, project.variables, project.folder);
    const answers = (await Promise.all(Array.from({ length: 3 }, start))).map(answerOf);
    expect(answers.filter((answer) => "ran" in answer && answer.ran)).toHaveLength(1);
    expect(answers.map(({ code }) => code).filter((code) => code !== 0 && code !== 3)).toEqual([]);
    expect((await service.requests()).filter((request) => request.startsWith("POST"))).toHaveLength(2);
  });

  test("takes no lock away from a run of something else, and names it", async () => {
    await service.fault({ method: "POST", path: `/zones/${zoneOf(HELD)}/rulesets`, hold: true });
    const stack = `fleet-${idOf(HELD)}`;
    const up = startGroup(project, "pulumi", "up", "--yes", "--skip-preview", "--stack", stack, "--non-interactive");
    await until(async () => (await service.waitingFaults()).length === 0);
    const refused = await runShard(idOf(HELD));
    expect(refused).toMatchObject({ code: 3, state: "failed" });
    expect(refused.words).toContain(`something else is updating the stack ${stack}`);
    expect(refused.words).toContain(`@${hostname()} (pid ${String(up.pid)})`);
    await killGroup(up);
    await service.noFaults();
    await until(async () => (await version(zoneOf(HELD))) !== undefined);
  });

  test("leaves a shard to another machine until it is taken over, and keeps to the plan if fleet.yaml has changed", async () => {
    const { version: format, wave, startedAt } = JSON.parse(project.read(resultFile(idOf(ONCE)))) as ShardResult;
    const begun = { version: format, id: idOf(HELD), wave, startedAt, attempts: 1 };
    const running = { ...begun, state: "running", process: { host: "elsewhere", pid: 1 } };
    project.write(resultFile(idOf(HELD)), JSON.stringify(running));
    expect(await runShard(idOf(HELD))).toMatchObject({
      code: 3,
      ran: false,
      words: expect.stringContaining(
        "on elsewhere runs it, or was killed. To continue: if it no longer runs, use --take-over",
      ) as string,
    });
    project.write("fleet.yaml", definition.replace("name: all", "name: other"));
    const { code, stdout, stderr } = await fleet("run-shard", idOf(HELD), "--take-over");
    expect([code, stderr]).toEqual([0, expect.stringContaining("fleet.yaml has changed since the plan was made")]);
    expect(stdout).toContain("changed");
    expect([await version(zoneOf(HELD, 0)), await version(zoneOf(HELD, 1))]).toEqual(["1", "1"]);
    project.write("fleet.yaml", definition);
  });

  test("from another copy of the plan changes nothing that the first has changed", async () => {
    const second = await runShard(idOf(ONCE), "--plan", "other");
    expect(second).toMatchObject({ code: 0, state: "done", changed: 0, words: "nothing left to change" });
    expect([await version(zoneOf(ONCE, 0)), await version(zoneOf(ONCE, 1))]).toEqual(["1", "1"]);
    // Somebody else goes on from there.
    const edited = zoneOf(ONCE, 1);
    const ruleset = await service.entrypoint(edited, PHASE);
    await service.addRule(`zones/${edited}`, ruleset?.id ?? "", { action: "log", expression: "true" });
  });

  test("neither replaces a plan nor rolls back while one of its shards runs", async () => {
    const held = { method: "POST", path: `/zones/${zoneOf(LAST)}/rulesets`, hold: true };
    await service.fault(held);
    const child = startFleet(project, "run-shard", idOf(LAST), "--plan", "other");
    const ended = new Promise((done) => child.on("close", done));
    await until(async () => child.exitCode !== null || (await service.waitingFaults()).length === 0);
    const replaced = await fleet("plan", "--plan", "other", "--replace");
    expect([replaced.code, replaced.stderr]).toEqual([
      1,
      expect.stringMatching(/being rolled out: s\d+: process \d+ runs it/),
    ]);
    const back = await fleet("rollback", "all", "--plan", "other", "--yes");
    expect([back.code, back.stdout]).toEqual([3, expect.stringMatching(/s\d+: not rolled back: process \d+ runs it/)]);
    expect(back.stdout).toMatch(
      /s\d+: 1 ruleset restored\n +left: \w1\.test of zone \w1\.test: somebody else changed it since: version 1 is now 2/,
    );
    expect([await version(zoneOf(ONCE, 0)), await version(zoneOf(ONCE, 1))]).toEqual([undefined, "2"]);
    await service.noFaults();
    await ended;
    expect([await version(zoneOf(LAST, 0)), await version(zoneOf(LAST, 1))]).toEqual(["1", "1"]);
  });

  test("ends a rollback that was killed, and shows until then that it has not ended", async () => {
    await service.fault({ method: "DELETE", path: `/zones/${zoneOf(LAST, 1)}/rulesets`, hold: true });
    const child = startFleet(project, "rollback", "all", "--plan", "other", "--yes");
    await until(async () => child.exitCode !== null || (await service.waitingFaults()).length === 0);
    await killGroup(child);
    await service.noFaults();
    const status = await fleet("status", "--plan", "other");
    expect([status.code, status.stdout]).toEqual([
      2,
      expect.stringMatching(
        /a rollback of it did not end \(s\d+.*\nTo continue: `fleet rollback all --yes --plan other` ends it/,
      ),
    ]);
    expect((await runShard(idOf(HELD), "--plan", "other")).code).toBe(3);
    const ended = await fleet("rollback", "all", "--plan", "other", "--yes");
    expect([ended.code, ended.stdout]).toEqual([
      3,
      expect.stringContaining(`${idOf(ONCE)}: 0 rulesets restored, 1 was already restored`),
    ]);
    expect([await version(zoneOf(LAST, 0)), await version(zoneOf(LAST, 1))]).toEqual([undefined, undefined]);
    expect([await version(zoneOf(ONCE, 0)), await version(zoneOf(ONCE, 1))]).toEqual([undefined, "2"]);
  });
});
