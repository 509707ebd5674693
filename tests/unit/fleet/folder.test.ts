import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { FleetContext } from "../../../tools/cli/fleet/context.js";
import { PlanFolder } from "../../../tools/cli/fleet/folder.js";
import { runGate } from "../../../tools/cli/fleet/gate/command.js";
import { approve, stop } from "../../../tools/cli/fleet/records.js";
import { runRollback } from "../../../tools/cli/fleet/rollback/command.js";
import { runResume } from "../../../tools/cli/fleet/resume/command.js";
import { runShard } from "../../../tools/cli/fleet/run-shard/command.js";
import { runStatus } from "../../../tools/cli/fleet/status/command.js";
import type { Gate } from "../../../tools/fleet/definition.js";
import { entryOf, type ShardPlan } from "../../../tools/fleet/plan.js";
import type { ShardResult } from "../../../tools/fleet/results.js";
import { isAlive } from "../../../tools/cli/fleet/process.js";
import { FLEET_PLAN } from "../../support/fleet-plan.js";
import { until } from "../../support/patience.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const ENDED = "2026-11-26T10:00:00.000Z";
const RESULT: ShardResult = {
  version: 1,
  id: "s001",
  wave: "canary",
  state: "done",
  attempts: 1,
  startedAt: ENDED,
  endedAt: ENDED,
  process: { host: "h", pid: 1 },
};
const SHARD: ShardPlan = {
  version: 1,
  id: "s001",
  wave: "canary",
  stack: "fleet-s001",
  zones: [],
  changes: [],
  folded: [],
  drift: false,
  errors: [],
};
/** One with something to run. */
const CHANGED: ShardPlan = {
  ...SHARD,
  changes: [{ urn: "u", zoneId: "", op: "create", writes: [""], checksum: "", weakens: "no", removes: false }],
};

/** A plan of one wave in a folder of its own, and what its commands print. */
class Fleet {
  readonly root = temporaryFolder();
  readonly path = join(this.root, "my $& plan");
  readonly folder = new PlanFolder(this.path);
  readonly lines: string[] = [];
  now = new Date(ENDED);
  slept = 0;
  /** What happens while a command waits, after the time has gone on. */
  onSleep = (): void => undefined;
  readonly options = { file: join(this.root, "fleet.yaml"), plan: this.path };

  constructor(gates: readonly Gate[] = [], ...shards: readonly ShardPlan[]) {
    const all = shards.length === 0 ? [SHARD] : shards;
    for (const shard of all) this.folder.saveShard(shard);
    const failures = { failed: { shards: 0 }, moved: { percent: 100 } };
    this.folder.savePlan({ ...FLEET_PLAN, waves: [{ name: "canary", gates }], shards: all.map(entryOf), failures });
  }

  get context(): FleetContext {
    const fail = (): never => {
      throw new Error("no gate here asks the service");
    };
    return {
      print: (line) => void this.lines.push(line),
      printNote: () => undefined,
      env: { PATH: this.root },
      now: () => this.now,
      sleep: (milliseconds) => {
        this.slept += milliseconds;
        this.now = new Date(this.now.getTime() + milliseconds);
        this.onSleep();
        return Promise.resolve();
      },
      connect: fail,
      openSession: fail,
    };
  }

  status(): string {
    runStatus(this.options, this.context);
    return this.lines.splice(0).join("\n");
  }
  write(file: string, text: string): void {
    mkdirSync(join(this.path, file, ".."), { recursive: true });
    writeFileSync(join(this.path, file), text);
  }
}

test("a step of a plan refuses another address than that of the plan", async () => {
  const fleet = new Fleet();
  const options = { ...fleet.options, baseUrl: "http://127.0.0.1:9" };
  const why = "--base-url is http://127.0.0.1:9, and the plan was made for https://api.cloudflare.com/client/v4";
  await expect(runGate("canary", options, fleet.context)).rejects.toThrow(why);
  await expect(runRollback("canary", { ...options, parallel: "1" }, fleet.context)).rejects.toThrow(why);
});

test("a result that was copied to the name of another shard is refused", () => {
  const second = { ...SHARD, id: "s002", stack: "fleet-s002" };
  const fleet = new Fleet([], SHARD, second);
  fleet.folder.saveResult(RESULT);
  fleet.write("results/s002.json", readFileSync(join(fleet.path, "results", "s001.json"), "utf8"));
  expect(() => fleet.status()).toThrow("s002.json was written by another program or version");
});

describe("a file of a rollout that is damaged stops every step", () => {
  const of = (change: object): string => JSON.stringify({ ...RESULT, ...change });
  test.each([
    ["results/s001.json", "{"],
    ["results/s001.json", of({ state: "splendid" })],
    ["results/s001.json", of({ process: undefined })],
    ["results/s001.json", of({ attempts: "2" })],
    ["results/s001 (1).json", of({})],
    ["gates/canary.json", `{ "version": 1, "wave": "canary", "checkedAt": "", "verdict": "passed" }`],
    ["gates/canary.json", `{ "version": 1, "wave": "canary", "checkedAt": "", "verdict": "yes", "gates": [] }`],
    ["approvals/canary.json", `{ "version": 1, "wave": "canary" }`],
    ["stop.json", ""],
    ["stop.json", "{}"],
  ])("%s: %s", (file, text) => {
    const fleet = new Fleet();
    fleet.write(file, text);
    expect(() => fleet.status()).toThrow(`${join(fleet.path, file)} `);
    expect(() => fleet.status()).toThrow("To continue: delete it, and run the step again");
  });

  test("and so does one of another plan, of which this one would forget something", () => {
    const fleet = new Fleet();
    fleet.folder.saveResult(RESULT);
    fleet.folder.savePlan({ ...fleet.folder.plan(), createdAt: "2027-01-01T00:00:00.000Z" });
    expect(() => fleet.status()).toThrow(
      "s001.json was written for another plan. To continue: delete it, and run the step again",
    );
  });

  test("but a byte order mark, which an editor has put before it, is no damage", () => {
    const fleet = new Fleet();
    fleet.folder.saveResult(RESULT);
    for (const file of ["plan.json", "shards/s001.json", "results/s001.json"])
      fleet.write(file, `\ufeff${readFileSync(join(fleet.path, file), "utf8")}`);
    expect(fleet.status()).toContain("Next: the gates of the wave canary.");
    expect(fleet.folder.shard(fleet.folder.plan(), "s001")).toEqual(SHARD);
  });

  test("and so does a folder that cannot be read", () => {
    const fleet = new Fleet();
    fleet.write("results", "a file in its place");
    expect(() => fleet.status()).toThrow("ENOTDIR");
  });

  test("a file that cannot be replaced stays as it was, and nothing is left beside it", () => {
    const fleet = new Fleet();
    mkdirSync(join(fleet.path, "results", "s001.json"), { recursive: true });
    expect(() => {
      fleet.folder.saveResult(RESULT);
    }).toThrow("s001.json cannot be written");
    expect(readdirSync(join(fleet.path, "results"))).toEqual(["s001.json"]);
  });
});

describe("the gates of a wave", () => {
  const APPROVAL: Gate = { kind: "approval", of: "security" };
  const COUNT: Gate = { kind: "run", command: "echo asked >> asked.txt" };

  test("are approved by nobody before its shards have ended", () => {
    const fleet = new Fleet([APPROVAL]);
    const approveIt = (): void => {
      approve("canary", { ...fleet.options, by: "someone" }, fleet.context);
    };
    expect(approveIt).toThrow(
      "canary cannot be approved before all of its shards have ended: their effect is not known yet. " +
        `To continue: \`fleet status --plan '${fleet.path}'\` says how far it is`,
    );
    fleet.folder.saveResult({ ...RESULT, state: "rolled back" });
    expect(approveIt).toThrow("canary was rolled back, so there is nothing to approve");
    fleet.folder.saveResult(RESULT);
    expect(approveIt).not.toThrow();
  });

  test("ask for another approval when a shard has run once more", async () => {
    const fleet = new Fleet([APPROVAL], CHANGED);
    fleet.folder.saveResult({ ...RESULT, state: "failed" });
    approve("canary", { ...fleet.options, by: "someone" }, fleet.context);
    // There is no engine here, so the shard fails again.
    expect(await runShard("s001", fleet.options, fleet.context)).toMatchObject({ code: 3, ran: true });
    await runGate("canary", fleet.options, fleet.context);
    expect(fleet.lines.join("\n")).toContain(
      `waiting approval: security: nobody has approved it. To continue: npx pulumi-rulesets fleet approve canary --by <name> --plan '${fleet.path}'`,
    );
  });

  test.each([
    ["rolling back", "the wave is being rolled back, or a rollback of it did not end"],
    ["rolled back", "the wave was rolled back"],
  ] as const)("are not asked when it is %s", async (state, words) => {
    const fleet = new Fleet([APPROVAL]);
    fleet.folder.saveResult({ ...RESULT, state });
    expect(await runGate("canary", fleet.options, fleet.context)).toBe(3);
    expect(fleet.lines.join("\n")).toMatch(new RegExp(`shards: ${words}$`));
  });

  test("that do not end have no answer, and are ended with all that they have started", async () => {
    const command = "sleep 600 & echo $! > child.txt; echo waiting for $FLEET_WAVE; wait";
    const fleet = new Fleet([{ kind: "run", command: `PATH=/usr/bin:/bin; ${command}`, timeout: 1 }]);
    fleet.folder.saveResult(RESULT);
    expect(await runGate("canary", fleet.options, fleet.context)).toBe(3);
    expect(fleet.lines.join("\n")).toMatch(
      /canary: could not be judged\n.*it did not end within 1 second, and was ended\. To continue: .*`timeout: 30m`.* It printed: waiting for canary$/,
    );
    const child = Number(readFileSync(join(fleet.root, "child.txt"), "utf8"));
    await until(() => Promise.resolve(!isAlive(child)));
  });

  test("that print what is no text have it without control characters, and how they ended counts", async () => {
    const command = "printf '\\033[31mred\\033[0m \\001\\377\\007'; exit 2";
    const fleet = new Fleet([{ kind: "run", command: `PATH=/usr/bin:/bin; ${command}` }]);
    fleet.folder.saveResult(RESULT);
    expect(await runGate("canary", fleet.options, fleet.context)).toBe(2);
    expect(fleet.lines.join("\n")).toMatch(/^canary: stopped\n  no      run: .*: red \ufffd$/);
  });

  test("that wait ask those which read zones once before and once after", async () => {
    const fleet = new Fleet([COUNT, { kind: "wait", seconds: 60 }]);
    fleet.folder.saveResult(RESULT);
    expect(await runGate("canary", { ...fleet.options, waitUpTo: "1h" }, fleet.context)).toBe(0);
    expect(readFileSync(join(fleet.root, "asked.txt"), "utf8")).toBe("asked\nasked\n");
  });

  test("that wait are not asked beyond their time, also if the clock is set back meanwhile", async () => {
    const fleet = new Fleet([APPROVAL]);
    fleet.folder.saveResult(RESULT);
    fleet.onSleep = () => void (fleet.now = new Date(0));
    expect(await runGate("canary", { ...fleet.options, waitUpTo: "1m" }, fleet.context)).toBe(3);
    expect(fleet.slept).toBe(60_000);
  });

  test("that wait end when somebody stops the rollout", async () => {
    const fleet = new Fleet([APPROVAL]);
    fleet.folder.saveResult(RESULT);
    fleet.onSleep = () => {
      stop({ ...fleet.options, reason: "a fire" }, fleet.context);
    };
    expect(await runGate("canary", { ...fleet.options, waitUpTo: "1h" }, fleet.context)).toBe(2);
    expect(fleet.slept).toBeLessThan(60_000);
  });

  test.each([
    ["a clock that is set back", -3600, 3],
    ["a clock that has not moved", 0, 3],
    ["the time", 60, 0],
  ])("after %s", async (_, seconds, code) => {
    const fleet = new Fleet([{ kind: "wait", seconds: 60 }]);
    fleet.folder.saveResult(RESULT);
    fleet.now = new Date(Date.parse(ENDED) + seconds * 1000);
    expect(await runGate("canary", fleet.options, fleet.context)).toBe(code);
  });
});

test("resume runs no failed shard of a wave that is being rolled back", async () => {
  const fleet = new Fleet([], CHANGED, { ...CHANGED, id: "s002" });
  fleet.folder.saveResult({ ...RESULT, state: "failed" });
  fleet.folder.saveResult({ ...RESULT, id: "s002", state: "rolling back" });
  expect(await runResume({ ...fleet.options, parallel: "1" }, fleet.context)).toBe(2);
  expect(fleet.lines).toEqual([expect.stringContaining("Stopped: the wave canary is being rolled back")]);
  expect(fleet.folder.result("s001")).toMatchObject({ state: "failed", attempts: 1 });
});

test("resume asks the gates of a wave whose shard ran again before it runs what failed after it", async () => {
  const gate: Gate = { kind: "wait", seconds: 0 };
  const fleet = new Fleet([gate], SHARD, { ...SHARD, id: "s002", wave: "all" }, { ...SHARD, id: "s003", wave: "all" });
  fleet.folder.savePlan({
    ...fleet.folder.plan(),
    waves: [
      { name: "canary", gates: [gate] },
      { name: "all", gates: [] },
    ],
    failures: { failed: { shards: 1 }, moved: { percent: 100 } },
  });
  expect(await runGate("canary", fleet.options, fleet.context)).toBe(3);
  for (const [id, wave] of [
    ["s001", "canary"],
    ["s002", "all"],
    ["s003", "all"],
  ] as const)
    fleet.folder.saveResult({ ...RESULT, id, wave, state: "failed" });
  expect(await runResume({ ...fleet.options, parallel: "1" }, fleet.context)).toBe(0);
  expect(["s001", "s002", "s003"].map((id) => fleet.folder.result(id)?.state)).toEqual(["done", "done", "done"]);
  expect(fleet.lines.at(-1)).toBe("Finished: all 3 shards.");
});

describe("the status says", () => {
  test("that the process of a shard is gone, and what to do", () => {
    const fleet = new Fleet();
    fleet.folder.saveResult({ ...RESULT, state: "running", process: { host: hostname(), pid: 2 ** 22 + 1 } });
    expect(fleet.status()).toMatch(
      /s001 running since .*\n\nNext: 1 shard of the wave canary \(s001\)\.\nTo continue: `fleet resume --plan '.*plan'`/,
    );
  });

  test("the reason of a stop as it was given", () => {
    const fleet = new Fleet();
    stop({ ...fleet.options, reason: "`fleet up` broke" }, fleet.context);
    expect(fleet.lines.splice(0)).toEqual([
      `Stopped. To continue: npx pulumi-rulesets fleet resume --plan '${fleet.path}'`,
    ]);
    expect(fleet.status()).toContain(
      `\`fleet up\` broke.\nTo continue: \`fleet resume --plan '${fleet.path}'\` removes the stop`,
    );
  });

  test("that --plan must be a folder", () => {
    const fleet = new Fleet();
    const options = { ...fleet.options, plan: join(fleet.path, "plan.json") };
    expect(() => runStatus(options, fleet.context)).toThrow(`--plan must be a folder, but ${options.plan} is not one`);
  });

  test("which zones were not reached, at the end", () => {
    const fleet = new Fleet([], { ...SHARD, zones: [{ id: "1", name: "a.test", plan: "pro", accountId: "a" }] });
    fleet.folder.saveResult({ ...RESULT, state: "moved", message: "a zone moved" });
    fleet.folder.saveGate({ version: 1, wave: "canary", checkedAt: ENDED, verdict: "passed", gates: [] });
    const text = fleet.status();
    expect(text).toContain("s001 moved: a zone moved");
    expect(text).toContain("Finished: 0 of 1 shards. Not rolled out: 1 zone in s001 (1).");
  });

  test("that a rollback did not end", () => {
    const fleet = new Fleet();
    fleet.folder.saveResult({ ...RESULT, state: "rolling back" });
    expect(fleet.status()).toContain(
      "Stopped: the wave canary is being rolled back, or a rollback of it did not end (s001).\n" +
        `To continue: \`fleet rollback canary --yes --plan '${fleet.path}'\` ends it`,
    );
  });

  test("that an approval came after the gate was asked", async () => {
    const fleet = new Fleet([{ kind: "approval", of: "security" }]);
    fleet.folder.saveResult(RESULT);
    expect(await runGate("canary", fleet.options, fleet.context)).toBe(3);
    approve("canary", { ...fleet.options, by: "someone" }, fleet.context);
    expect(fleet.status()).toContain("approval: security: approved by someone since it was asked");
  });

  test("that a shard could not be planned", () => {
    const fleet = new Fleet([], { ...SHARD, errors: ["no rights"] });
    expect(fleet.status()).toContain("Stopped: s001 of the wave canary could not be planned.");
  });
});
