import { execFileSync, type ChildProcess } from "node:child_process";
import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { startEmulator, type Emulator } from "../../emulator/index.js";
import type { ShardResult } from "../../tools/fleet/results.js";
import { cli, root } from "../cli/support.js";
import { ProjectStack } from "../e2e/support/project.js";
import { Service, TOKEN } from "../support/emulator.js";
import { until } from "../support/patience.js";
import { kill, Temporal } from "./temporal.js";

const PHASE = "http_request_firewall_custom";
/** Zones of each shard. */
const SIZE = Number(process.env.FLEET_SHARD_SIZE ?? "50");
const ACCOUNTS = { a: "a".repeat(32), b: "b".repeat(32) };
/** Two tokens, six shards, three waves. */
const SHARDS = { s001: "one-a", s002: "two-a", s003: "two-b", s004: "three-a", s005: "three-b", s006: "three-b" };

const shardOf = (zone: string): string => /s\d{3}/.exec(zone)?.[0] ?? "";

/* Each test continues where the one before it ended. */

describe("a rollout on Temporal", () => {
  let project: ProjectStack;
  let emulator: Emulator;
  let service: Service;
  let temporal: Temporal;
  const workers: ChildProcess[] = [];
  /** IDs of zones, by name. */
  const zones = new Map<string, string>();

  beforeAll(async () => {
    const names = Object.entries(SHARDS).flatMap(([shard, prefix]) =>
      Array.from({ length: SIZE }, (_, index) => `${prefix}.${shard}-${String(index).padStart(2, "0")}.test`),
    );
    const accountOf = (name: string): string => (/^\w+-a/.test(name) ? "A" : "B");
    for (const [index, name] of names.entries()) zones.set(name, String(index).padStart(32, "0"));
    emulator = await startEmulator({
      seed: {
        accounts: [
          { id: ACCOUNTS.a, name: "A" },
          { id: ACCOUNTS.b, name: "B" },
        ],
        zones: [...zones].map(([name, id]) => ({ name, id, account: accountOf(name) })),
      },
    });
    service = new Service(emulator);
    project = new ProjectStack({
      RULESETS_BASE_URL: emulator.url,
      TOKEN_A: TOKEN,
      TOKEN_B: TOKEN,
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    });
    symlinkSync(join(root, "node_modules"), join(project.folder, "node_modules"));
    cpSync(join(root, "examples", "fleet-temporal", "firewall"), join(project.folder, "firewall"), { recursive: true });
    project.write("gate.sh", "exit $(cat answer)\n");
    project.write("answer", "2");
    project.write(
      "fleet.yaml",
      `
program: firewall
zones: { include: "*.test" }
shardSize: ${String(SIZE)}
tokens:
  - { variable: TOKEN_A, accounts: [${ACCOUNTS.a}] }
  - { variable: TOKEN_B, accounts: [${ACCOUNTS.b}] }
waves:
  - name: one
    zones: "one-*"
    gates: [{ approval: the security team }]
  - name: two
    zones: "two-*"
    gates: [{ run: sh gate.sh }]
  - name: three
`,
    );
    expect(await cli(["fleet", "plan", "--parallel", "2"], project.variables, project.folder)).toMatchObject({
      code: 0,
    });
    temporal = await Temporal.start(project.folder, project.variables);
    startWorker();
    startWorker();
  });
  afterAll(async () => {
    await temporal.close();
    await emulator.close();
  });

  /** Starts a worker that takes everything. */
  const startWorker = (): void => {
    workers.push(temporal.startWorker("--waves", "--token", "TOKEN_A", "--token", "TOKEN_B"));
  };
  /** How many zones of each shard were written; fails if one was written more than once, or anything else was. */
  const written = async (method: string): Promise<Record<string, number>> => {
    const requests = (await service.peek()).filter((request) => !request.startsWith("GET "));
    const own = requests.filter((request) => request.startsWith(`${method} `));
    const counts = [...zones].map(([name, id]) => ({
      shard: shardOf(name),
      times: own.filter((request) => request.includes(`/zones/${id}/`)).length,
    }));
    expect(counts.filter(({ times }) => times > 1)).toEqual([]);
    const touched = counts.filter(({ times }) => times === 1).map(({ shard }) => shard);
    expect(touched).toHaveLength(requests.length);
    return Object.fromEntries(
      Object.keys(SHARDS).map((shard) => [shard, touched.filter((one) => one === shard).length]),
    );
  };
  const complete = (...done: readonly string[]) =>
    Object.fromEntries(Object.keys(SHARDS).map((shard) => [shard, done.includes(shard) ? SIZE : 0]));
  const zoneIn = (shard: string): string => [...zones].find(([name]) => shardOf(name) === shard)?.[1] ?? "";
  /** Lets one write of each shard wait, and returns when all of them do. */
  const holdWrites = async (...shards: readonly string[]): Promise<() => Promise<void>> => {
    for (const shard of shards)
      await service.fault({ method: "POST", path: `/zones/${zoneIn(shard)}/rulesets`, hold: true });
    return () => until(async () => (await service.waitingFaults()).length === 0);
  };
  /** The worker that runs a shard. */
  const workerOf = (shard: string): ChildProcess | undefined => {
    const { process: run } = JSON.parse(project.read(`fleet-plan/results/${shard}.json`)) as ShardResult;
    const parent = execFileSync("ps", ["-o", "ppid=", "-p", String(run.pid)], { encoding: "utf8" });
    return workers.find(({ pid }) => pid === Number(parent));
  };

  test("waits for an approval after the first wave", async () => {
    await temporal.run("start");
    expect((await temporal.reaches("waiting")).words).toContain("approval: the security team");
    expect(await written("POST")).toEqual(complete("s001"));
  });

  test("goes on where it was when a worker and the server are killed in the second wave", async () => {
    const areHeld = await holdWrites("s002", "s003");
    await temporal.run("approve", "one");
    await areHeld();
    await kill(workerOf("s002"));
    await temporal.killServer();
    await service.noFaults();
    await temporal.startServer();
    startWorker();

    expect((await temporal.reaches("stopped")).words).toBe("a gate of the wave two does not hold");
    expect(JSON.parse(project.read("fleet-plan/results/s002.json"))).toMatchObject({ state: "done", attempts: 2 });
    expect(await written("POST")).toEqual(complete("s001", "s002", "s003"));
  });

  test("tries a gate again after resume, runs one shard of a token at a time, and starts none after pause", async () => {
    project.write("answer", "0");
    const areHeld = await holdWrites("s004", "s005");
    await temporal.run("resume");
    await areHeld();
    // A second worker would have room for s006, which has the token of s005.
    expect((await temporal.status()).running).toEqual(["s004", "s005"]);
    await temporal.run("pause");
    await until(async () => (await cli(["fleet", "status"], project.variables, project.folder)).code === 2);
    await service.noFaults();
    expect(await temporal.reaches("paused")).toMatchObject({ words: "by a tester", running: [] });
    expect(await written("POST")).toEqual(complete("s001", "s002", "s003", "s004", "s005"));
  });

  test("goes on in a new rollout after abort, and leaves a shard to another machine until it is taken over", async () => {
    await expect(temporal.run("roll-back", "one")).rejects.toThrow("is under way");
    await temporal.run("abort");
    await temporal.reaches("aborted");
    await temporal.run("start");
    expect((await temporal.reaches("stopped")).words).toContain("aborted by a tester");
    const elsewhere = { host: "another-machine", pid: 1 };
    const begun = {
      version: 1,
      id: "s006",
      wave: "three",
      state: "running",
      attempts: 1,
      startedAt: "",
      process: elsewhere,
    };
    project.write("fleet-plan/results/s006.json", JSON.stringify(begun));
    await temporal.run("resume");
    await until(async () => (await temporal.status()).shards.s006?.includes("on another-machine runs it") === true);
    await temporal.run("take-over", "s006");
    await temporal.reaches("finished");
    expect(await written("POST")).toEqual(complete(...Object.keys(SHARDS)));
    for (const [, id] of zones) expect((await service.entrypoint(id, PHASE))?.version).toBe("1");
  });

  test("goes back, wave by wave", async () => {
    await service.forget();
    const answers: unknown = JSON.parse(await temporal.run("roll-back", "three", "two", "one"));
    expect(answers).toEqual(["three", "two", "one"].map((wave) => ({ wave, complete: true, left: [] })));
    expect(await written("DELETE")).toEqual(complete(...Object.keys(SHARDS)));
    for (const [, id] of zones) expect(await service.entrypoint(id, PHASE)).toBeUndefined();
  });
});
