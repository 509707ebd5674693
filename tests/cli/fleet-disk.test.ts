import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PlanFolder } from "../../tools/cli/fleet/folder.js";
import { entryOf, type ShardPlan } from "../../tools/fleet/plan.js";
import { FLEET_PLAN } from "../support/fleet-plan.js";
import { cli, environment, folder, root } from "./support.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/*
 * The folder of a plan on a disk that fails, and commands that are killed at one of their writes; with `FLEET_KILLS=all`, at each of
 * them, and on every such disk. A shard without changes needs no engine.
 */

const ALL = process.env.FLEET_KILLS === "all";

const SHARD: ShardPlan = {
  ...{ version: 1, id: "s001", wave: "canary", stack: "fleet-s001", zones: [], changes: [], folded: [] },
  ...{ drift: false, errors: [] },
};
const GATES = [
  { kind: "run" as const, command: "true" },
  { kind: "approval" as const, of: "security" },
];
const seed = temporaryFolder();
const project = folder({
  /** Kills the process at the write with a number, of which a file has then half of its text. */
  "kill.cjs": `const fs = require("node:fs");
    let left = Number(process.env.KILL_AT);
    for (const name of ["mkdirSync", "writeFileSync", "renameSync", "linkSync", "rmSync"]) {
      const own = fs[name];
      fs[name] = (path, ...args) => {
        if (!String(path).includes(process.env.PLAN) || left-- !== 0) return own(path, ...args);
        if (name === "writeFileSync") own(path, args[0].slice(0, args[0].length / 2));
        process.kill(process.pid, "SIGKILL");
        for (;;);
      };
    }`,
});
const plan = join(project, "plan");

/** Runs a command in a process of its own, which is killed at a write if it has so many. */
function runUntil(write: number, args: readonly string[]) {
  const main = join(root, "dist", "tools", "cli", "main.js");
  const command = ["--require", join(project, "kill.cjs"), "--no-warnings", main, "fleet", ...args, "--plan", plan];
  const env = environment({ PLAN: plan, KILL_AT: String(write) });
  return spawnSync(process.execPath, command, { cwd: project, encoding: "utf8", env });
}
const approve = ["approve", "canary", "--by", "someone"];
/** Commands in their order, and how each ends. */
const STEPS = [
  { args: ["run-shard", "s001"], code: 0, says: /^s001: (nothing changes|is done already)\n$/ },
  { args: ["gate", "canary"], code: 3, says: /passed +run: true: [^]*waiting +approval/ },
  { args: approve, code: 0, says: /^canary: approved by someone\n$/ },
  { args: ["gate", "canary"], code: 0, says: /no wave is left/ },
  { args: ["stop", "--reason", "a fire"], code: 0, says: /^Stopped\./ },
];

beforeAll(() => {
  const made = new PlanFolder(seed);
  made.saveShard(SHARD);
  made.savePlan({ ...FLEET_PLAN, waves: [{ name: "canary", gates: GATES }], shards: [entryOf(SHARD)] });
});
beforeEach(() => {
  rmSync(plan, { recursive: true, force: true });
  cpSync(seed, plan, { recursive: true });
});

test("a command that is killed at a write leaves a plan with which the same command goes on", async () => {
  for (const [index, { args, code, says }] of STEPS.entries()) {
    const before = join(project, `before-${String(index)}`);
    cpSync(plan, before, { recursive: true });
    for (let at = ALL ? 0 : index % 3, isKilled = true; isKilled; at += 1) {
      rmSync(plan, { recursive: true });
      cpSync(before, plan, { recursive: true });
      const first = runUntil(at, args);
      isKilled = first.signal === "SIGKILL";
      // A file with half of its text would stop the second run, which reads all of them.
      const again = isKilled ? await cli(["fleet", ...args, "--plan", plan], {}, project) : undefined;
      const { code: ended, stdout } = again ?? { code: first.status, stdout: first.stdout };
      expect([at, ended, stdout]).toEqual([at, code, expect.stringMatching(says)]);
      if (!ALL) break;
      if (!isKilled) expect(at).toBeGreaterThanOrEqual(3);
    }
  }
}, 120_000);

const mayMount = spawnSync("unshare", ["-rm", "true"]).status === 0;
/** Runs commands of a shell whose plan is on a disk of 64 kB. */
const onDisk = (...commands: readonly string[]) =>
  spawnSync(
    "unshare",
    [
      "-rm",
      "sh",
      "-euc",
      [`mount -t tmpfs -o size=64k disk "$PLAN"`, `cp -R "$SEED/." "$PLAN"`, ...commands].join("\n"),
    ],
    {
      ...{ cwd: project, encoding: "utf8", env: { ...process.env, PLAN: plan, SEED: seed } },
    },
  );
const fleet = (words: string): string =>
  `"${process.execPath}" --no-warnings "${join(root, "dist", "tools", "cli", "main.js")}" fleet ${words} --plan "$PLAN" 2>&1 || echo "exit $?"`;

const DISKS = [
  [
    "full",
    `dd if=/dev/zero of="$PLAN/fill" 2> /dev/null || true`,
    `rm "$PLAN/fill"`,
    "ENOSPC: no space left on device",
  ],
  ["read-only", `mount -o remount,ro "$PLAN"`, `mount -o remount,rw "$PLAN"`, "EROFS: read-only file system"],
] as const;
(mayMount ? test : test.skip).each(DISKS.slice(0, ALL ? undefined : 1))(
  "a %s disk is named, nothing is half written, and the same commands go on afterwards",
  (_, breakIt, mend, why) => {
    const files = `(cd "$PLAN" && find . -type f ! -name fill | sort)`;
    const { stdout } = onDisk(
      ...[breakIt, fleet("run-shard s001"), mend, files, fleet("run-shard s001")],
      ...[breakIt, fleet("gate canary"), fleet(`stop --reason fire`), mend, files, fleet("gate canary")],
    );
    const parts = stdout.split(/(?=^\.\/plan\.json$)/m).map((part) => part.trim().split("\n"));
    const named = (file: string): unknown =>
      expect.stringMatching(new RegExp(`^pulumi-rulesets: .*${file}.* cannot be (written|created): ${why}`));
    const kept = ["./plan.json", "./shards/s001.json"];
    expect(parts.flat()).toEqual([
      ...[named("claims/s001.1.json"), "exit 1", ...kept, "s001: nothing changes"],
      ...[named("gates/canary.json"), "exit 1", named("stop.json"), "exit 1"],
      ...["./claims/s001.1.json", kept[0], "./results/s001.json", kept[1]],
      ...[
        "canary: not yet",
        "  passed  run: true: ended with 0",
        expect.stringContaining("waiting approval") as string,
        "exit 3",
      ],
    ]);
    expect(readdirSync(plan).sort()).toEqual(readdirSync(seed).sort());
  },
);
