import { startEmulator, type Emulator } from "../../emulator/index.js";
import type { GateResult } from "../../fleet/results.js";
import { cli, type Finished } from "../cli/support.js";
import { Service, TOKEN } from "../support/emulator.js";
import { fleetProject } from "./support/fleet-project.js";
import type { ProjectStack } from "./support/project.js";

const PHASE = "http_request_firewall_custom";
/** Waves by the gate that each has. */
const WAVES = ["prove", "report", "test", "run", "rest"];
/** In the wave of the test, more zones than are read one by one. */
const ZONES = WAVES.flatMap((wave) =>
  Array.from({ length: wave === "test" ? 12 : 1 }, (_, index) => `${wave}-${String(index)}.test`),
);
const CLOSED = 'http.request.uri.path eq "/admin"';

/* Every gate is asked for zones that the engine has written: a yes, a no, and an answer that it cannot have. */

describe("the gates of a fleet", () => {
  let project: ProjectStack;
  let emulator: Emulator;
  let service: Service;
  const zones = new Map<string, string>();
  const zoneOf = (wave: string): string => zones.get(`${wave}-0.test`) ?? "";
  const fleet = (...args: string[]): Promise<Finished> => cli(["fleet", ...args], project.variables, project.folder);
  const gate = async (
    wave: string,
  ): Promise<{ readonly code: number; readonly verdict: string; readonly words: string }> => {
    const { code, stdout, stderr } = await fleet("gate", wave, "--json");
    if (!stdout.startsWith("{")) throw new Error(stderr);
    const { verdict, gates } = JSON.parse(stdout) as GateResult;
    return { code, verdict, words: gates.map(({ words }) => words).join("\n") };
  };
  const open = async (wave: string): Promise<void> => {
    const ruleset = await service.entrypoint(zoneOf(wave), PHASE);
    const [rule] = ruleset?.rules ?? [];
    await service.editRule(`zones/${zoneOf(wave)}`, ruleset?.id ?? "", rule?.id ?? "", { ...rule, enabled: false });
  };
  const NO = { code: 2, verdict: "no" };
  const UNKNOWN = { code: 3, verdict: "unknown" };

  beforeAll(async () => {
    emulator = await startEmulator({ seed: { zones: ZONES.map((name) => ({ name })) } });
    service = new Service(emulator);
    for (const name of ZONES) zones.set(name, await service.zoneNamed(name));
    project = fleetProject(
      { RULESETS_BASE_URL: emulator.url, CLOUDFLARE_API_TOKEN: TOKEN },
      {
        phase: PHASE,
        rules: `{ ref: "admin", action: "block", expression: '${CLOSED}' }`,
        definition: `
waves:
  - { name: prove, zones: "prove-*", gates: [{ prove: closed.invariants.yaml }] }
  - { name: report, zones: "report-*", gates: [{ report: { baseline: baseline.json } }] }
  - { name: test, zones: "test-*", gates: [{ test: admin.firewall.yaml }] }
  - { name: run, zones: "run-*", gates: [{ run: sh reached.sh }] }
  - { name: rest, gates: [{ summarize: drift }] }
`,
      },
    );
    project.write(
      "closed.invariants.yaml",
      `invariants: [{ name: admin is closed, requests: '${CLOSED}', must: block }]\n`,
    );
    project.write("admin.firewall.yaml", `tests: [{ name: admin, request: { url: /admin }, expect: block }]\n`);
    project.write("reached.sh", "cat > reached.txt; exit ${ANSWER:-0}\n");
    const { code, stderr } = await fleet("plan");
    if (code !== 0) throw new Error(stderr);
  });
  afterAll(async () => {
    project.close();
    await emulator.close();
  });

  test("let a roll-out through when all of them hold, and one without an answer does not", async () => {
    const stopped = await fleet("resume");
    expect([stopped.code, stopped.stdout]).toEqual([3, expect.stringContaining("baseline.json")]);
    const report = ["report", "--zone", zoneOf("report"), "--json", "--output", "baseline.json"];
    expect((await cli(report, project.variables, project.folder)).code).toBe(0);
    const finished = await fleet("resume");
    expect([finished.code, finished.stdout]).toEqual([0, expect.stringContaining("Finished: all 5 shards.")]);
    expect(JSON.parse(project.read("reached.txt"))).toMatchObject({ id: zoneOf("run"), name: "run-0.test" });
  });

  test("prove says no when a rule is off, and nothing when a zone cannot be read", async () => {
    await service.fault({ path: `/zones/${zoneOf("prove")}/rulesets`, status: 403, times: 20 });
    expect(await gate("prove")).toMatchObject(UNKNOWN);
    await service.noFaults();
    await open("prove");
    expect(await gate("prove")).toMatchObject({ ...NO, words: expect.stringContaining("admin is closed") as string });
  });

  test("report says no when something got worse, and nothing when a zone cannot be read", async () => {
    await service.fault({ path: `/zones/${zoneOf("report")}/rulesets`, status: 403, times: 20 });
    expect(await gate("report")).toMatchObject(UNKNOWN);
    await service.noFaults();
    const ruleset = await service.entrypoint(zoneOf("report"), PHASE);
    await service.delete(`zones/${zoneOf("report")}`, ruleset?.id ?? "");
    expect(await gate("report")).toMatchObject(NO);
  });

  test("test says no when the tracer disagrees, nothing when it does not answer, and reads zones in pages", async () => {
    await service.forget();
    expect((await gate("test")).code).toBe(0);
    const asked = await service.requests();
    expect(asked.filter((request) => /^GET \/zones\/\w+$/.test(request))).toEqual([]);
    expect(asked.filter((request) => /^GET \/accounts\/\w+\/rulesets$/.test(request))).toHaveLength(1);
    await service.fault({ path: "/request-tracer/trace", status: 403 });
    expect(await gate("test")).toMatchObject({ ...UNKNOWN, words: expect.stringContaining(".test:\n") as string });
    await service.noFaults();
    await open("test");
    expect(await gate("test")).toMatchObject({ ...NO, words: expect.stringContaining("test-0.test:\n") as string });
  });

  test("run means 2 as a no, and any other failure as no answer", async () => {
    const ask = (answer: string) =>
      cli(["fleet", "gate", "run"], { ...project.variables, ANSWER: answer }, project.folder);
    expect((await ask("2")).code).toBe(2);
    expect((await ask("7")).code).toBe(3);
  });

  test("resume asks a gate again that said no", async () => {
    expect((await fleet("gate", "prove")).code).toBe(2);
    const still = await fleet("resume");
    expect([still.code, still.stdout]).toEqual([2, expect.stringContaining("prove: stopped")]);
    expect((await fleet("status")).stdout).toContain("To continue: `fleet resume` asks it again");
  });
});
