import { execFileSync, type ChildProcess } from "node:child_process";
import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { startEmulator, type Emulator } from "../../emulator/index.js";
import type { ShardResult } from "../../fleet/results.js";
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

/* Each test continues where the one before it ended. */

describe("a roll-out on Temporal", () => {
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
    emulator = await startEmulator({
      seed: {
        accounts: [
          { id: ACCOUNTS.a, name: "A" },
          { id: ACCOUNTS.b, name: "B" },
        ],
        zones: names.map((name) => ({ name, account: accountOf(name) })),
      },
    });
    service = new Service(emulator);
    for (const name of names) zones.set(name, await service.zoneNamed(name));
    project = new ProjectStack({
      RULESETS_BASE_URL: emulator.url,
      TOKEN_A: TOKEN,
      TOKEN_B: TOKEN,
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    });
    symlinkSync(join(root, "node_modules"), join(project.folder, "node_modules"));
    cpSync(join(root, "examples", "fleet-temporal", "firewall"), join(project.folder, "firewall"), { recursive: true });
    project.write("gate.sh", "exit 2\n");
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
    expect(await cli(["fleet", "plan", "--parallel", "2"], project.variables, project.folder)).toMatchObject({ code: 0 });
    temporal = await Temporal.start(project.folder, project.variables);
    const queues = ["--waves", "--token", "TOKEN_A", "--token", "TOKEN_B"];
    workers.push(temporal.startWorker(...queues), temporal.startWorker(...queues));
  });
  afterAll(async () => {
    await temporal.close();
    project.close();
    await emulator.close();
  });

  /** The shards whose zones were written, each once; fails if a zone was written more than once. */
  const written = async (method = "POST"): Promise<string[]> => {
    const requests = (await service.peek()).filter((request) => request.startsWith(method));
    const counts = Object.values(SHARDS).length === 0 ? [] : [...zones].map(([name, id]) => {
      const times = requests.filter((request) => request.includes(id)).length;
      return [/s\d+/.exec(name)?.[0] ?? "", times] as const;
    });
    expect(counts.filter(([, times]) => times > 1)).toEqual([]);
    expect(counts.filter(([, times]) => times > 0)).toHaveLength(requests.length);
    const ids = [...new Set(counts.map(([id]) => id))];
    return ids.filter((id) => counts.some(([shard, times]) => shard === id && times > 0));
  };
  const complete = (ids: readonly string[]) => ids.length * SIZE;
  const zoneOf = (shard: string): string => [...zones].find(([name]) => name.includes(shard))?.[1] ?? "";
  /** Lets a write of a shard wait, in the middle of the shard. */
  const hold = (shard: string) => service.fault({ method: "POST", path: `/zones/${zoneOf(shard)}/rulesets`, hold: true });
  const areHeld = () => until(async () => (await service.waitingFaults()).length === 0);
  const workerOf = (shard: string): ChildProcess | undefined => {
    const { process: run } = JSON.parse(project.read(`fleet-plan/results/${shard}.json`)) as ShardResult;
    const parent = execFileSync("ps", ["-o", "ppid=", "-p", String(run.pid)], { encoding: "utf8" });
    return workers.find(({ pid }) => pid === Number(parent));
  };

  test("waits for an approval after the first wave", async () => {
    await temporal.run("start");
    expect((await temporal.reaches("waiting")).words).toContain("approval: the security team");
    expect(await written()).toEqual(["s001"]);
  });
});
