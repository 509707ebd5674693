import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gateFiles } from "../../tools/cli/fleet/gate/gate-files.js";
import { PlanFolder } from "../../tools/cli/fleet/folder.js";
import type { Gate } from "../../tools/fleet/definition.js";
import { gateWords } from "../../tools/fleet/gates.js";
import { entryOf, type ShardPlan } from "../../tools/fleet/plan.js";
import type { GateResult } from "../../tools/fleet/results.js";
import { Service, TOKEN } from "../support/emulator.js";
import { emulatorWith } from "../support/emulators.js";
import { FLEET_PLAN } from "../support/fleet-plan.js";
import { cli, folder } from "./support.js";

/* Every gate that asks zones or a command: a yes, a no, and an answer that it cannot have. A shard without changes needs no engine. */

const CLOSED = 'http.request.uri.path eq "/admin"';
const PHASE = "http_request_firewall_custom";
const GATES: Readonly<Record<string, readonly Gate[]>> = {
  first: [
    { kind: "prove", files: ["closed.invariants.yaml"] },
    { kind: "run", command: "sh reached.sh" },
  ],
  second: [{ kind: "test", files: ["admin.firewall.yaml"] }],
};
/** In the second wave, more zones than are read one by one. */
const ZONES = [1, 12].map((count, wave) =>
  Array.from({ length: count }, (_, at) => ({
    id: `${String(wave)}${String(at)}`.padStart(32, "0"),
    name: `z${String(wave)}-${String(at)}.test`,
  })),
);

describe("the gates of a fleet", () => {
  const path = folder({
    "fleet.yaml": { waves: [{ name: "all" }] },
    "closed.invariants.yaml": { invariants: [{ name: "admin is closed", requests: CLOSED, must: "block" }] },
    "admin.firewall.yaml": { tests: [{ name: "admin", request: { url: "/admin" }, expect: "block" }] },
    "reached.sh": "cat > reached.txt; test ! -f answer || . ./answer\n",
  });
  const write = (file: string, text: string): void => {
    writeFileSync(join(path, file), text);
  };
  let service: Service;
  const fleet = (...args: string[]) => cli(["fleet", ...args], { CLOUDFLARE_API_TOKEN: TOKEN }, path);
  /** What a gate of a wave says, and the exit code for all of them. */
  const gate = async (wave: string, kind: string) => {
    const { code, stdout, stderr } = await fleet("gate", wave, "--json");
    if (!stdout.startsWith("{")) throw new Error(stderr);
    const { gates } = JSON.parse(stdout) as GateResult;
    return { code, ...gates.find((one) => one.gate.startsWith(kind)) };
  };
  const open = async (wave: number): Promise<void> => {
    const zone = ZONES[wave]?.[0]?.id ?? "";
    const { id = "", rules = [] } = (await service.entrypoint(zone, PHASE)) ?? {};
    await service.editRule(`zones/${zone}`, id, rules[0]?.id ?? "", { ...rules[0], enabled: false });
  };
  const saying = (words: string): unknown => expect.stringContaining(words);

  beforeAll(async () => {
    const emulator = await emulatorWith({ seed: { zones: ZONES.flat() } });
    service = new Service(emulator);
    for (const { id } of ZONES.flat())
      await service.create(`zones/${id}`, {
        ...{ name: "default", kind: "zone", phase: PHASE },
        rules: [{ ref: "admin", action: "block", expression: CLOSED }],
      });
    const accountId = await service.account();
    const shards = Object.keys(GATES).map((wave, at): ShardPlan => {
      const zones = (ZONES[at] ?? []).map((zone) => ({ ...zone, accountId, plan: "free" as const }));
      const own = { version: 1, id: `s00${String(at + 1)}`, wave, stack: `fleet-${wave}`, zones } as const;
      return { ...own, changes: [], folded: [], drift: false, errors: [] };
    });
    const plan = new PlanFolder(join(path, "fleet-plan"));
    for (const shard of shards) plan.saveShard(shard);
    const file = join(path, "fleet.yaml");
    plan.savePlan({
      ...{ ...FLEET_PLAN, baseUrl: emulator.url, shards: shards.map(entryOf) },
      waves: Object.entries(GATES).map(([name, gates]) => ({ name, gates })),
      gateFiles: Object.fromEntries(
        Object.values(GATES).flatMap((gates) => gates.map((one) => [gateWords(one), gateFiles(one, { file })])),
      ),
    });
  });

  test("let a rollout through when all of them hold, and one without an answer does not", async () => {
    write("answer", "exit 3\n");
    expect(await fleet("resume")).toMatchObject({ code: 3, stdout: saying("reached.sh") });
    write("answer", "");
    await service.forget();
    expect(await fleet("resume")).toMatchObject({ code: 0, stdout: saying("Finished: all 2 shards.") });
    expect(JSON.parse(readFileSync(join(path, "reached.txt"), "utf8"))).toMatchObject({ name: "z0-0.test" });
    // Many zones are read in pages, and their account once.
    const asked = await service.requests();
    expect(asked.filter((request) => /^GET \/zones\/0*1\d+$/.test(request))).toEqual([]);
    expect(asked.filter((request) => /^GET \/accounts\/\w+\/rulesets$/.test(request)).length).toBeLessThanOrEqual(2);
  });

  test("prove says no when a rule is off, and nothing when a zone cannot be read", async () => {
    await service.fault({ path: `/zones/${ZONES[0]?.[0]?.id ?? ""}/rulesets`, status: 403, times: 20 });
    expect(await gate("first", "prove")).toMatchObject({ code: 3, verdict: "unknown" });
    await service.noFaults();
    await open(0);
    expect(await gate("first", "prove")).toMatchObject({ code: 2, verdict: "no", words: saying("admin is closed") });
  });

  test("test says no when the tracer disagrees, and nothing when it does not answer", async () => {
    await service.fault({ path: "/request-tracer/trace", status: 403 });
    expect(await gate("second", "test")).toMatchObject({ code: 3, verdict: "unknown", words: saying(".test:\n") });
    await service.noFaults();
    await open(1);
    expect(await gate("second", "test")).toMatchObject({ code: 2, verdict: "no", words: saying("z1-0.test:\n") });
  });

  test("run means 2 as a no, and any other failure as no answer", async () => {
    for (const [answer, verdict] of [
      [2, "no"],
      [7, "unknown"],
    ]) {
      write("answer", `exit ${String(answer)}`);
      expect(await gate("first", "run")).toMatchObject({ verdict });
    }
  });

  test.each([
    ["plan.json", '"refreshed": true', /plan\.json is not as .*To continue: make a new plan/],
    ["shards/s001.json", '"drift": false', /s001\.json is not the file .*To continue: make a new plan/],
  ])("none is asked of a %s that somebody has changed", async (name, text, message) => {
    const file = join("fleet-plan", name);
    const whole = readFileSync(join(path, file), "utf8");
    expect(whole).toContain(text);
    write(
      file,
      whole.replace(
        text,
        text.replace(/\w+$/, (value) => (value === "true" ? "false" : "true")),
      ),
    );
    expect(await fleet("gate", "first")).toMatchObject({ code: 1, stderr: expect.stringMatching(message) as string });
    write(file, whole);
  });

  test("resume asks a gate again that said no", async () => {
    expect(await fleet("resume")).toMatchObject({ code: 2, stdout: saying("first: stopped") });
    expect((await fleet("status")).stdout).toContain("To continue: `fleet resume` checks it again");
  });
});
