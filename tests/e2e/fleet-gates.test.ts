import type { Emulator } from "../../emulator/index.js";
import type { GateResult } from "../../tools/fleet/results.js";
import { type Finished } from "../cli/support.js";
import { Service, TOKEN } from "../support/emulator.js";
import { fleetCommand, fleetProject } from "./support/fleet-project.js";
import type { ProjectStack } from "./support/project.js";
import { emulatorWith } from "../support/emulators.js";

const PHASE = "http_request_firewall_custom";
const WAVES = ["first", "test", "rest"];
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
  const fleet = (...args: string[]): Promise<Finished> => fleetCommand(project, ...args);
  /** What the gate of a kind says, and the exit code for all of its wave. */
  const gate = async (wave: string, kind = wave) => {
    const { code, stdout, stderr } = await fleet("gate", wave, "--json");
    if (!stdout.startsWith("{")) throw new Error(stderr);
    const { gates } = JSON.parse(stdout) as GateResult;
    return { code, ...gates.find((one) => one.gate.startsWith(kind)) };
  };
  const open = async (wave: string): Promise<void> => {
    const ruleset = await service.entrypoint(zoneOf(wave), PHASE);
    const [rule] = ruleset?.rules ?? [];
    await service.editRule(`zones/${zoneOf(wave)}`, ruleset?.id ?? "", rule?.id ?? "", { ...rule, enabled: false });
  };
  const NO = { code: 2, verdict: "no" };
  const UNKNOWN = { code: 3, verdict: "unknown" };

  beforeAll(async () => {
    emulator = await emulatorWith({ seed: { zones: ZONES.map((name) => ({ name })) } });
    service = new Service(emulator);
    for (const name of ZONES) zones.set(name, await service.zoneNamed(name));
    project = fleetProject(
      { CLOUDFLARE_API_TOKEN: TOKEN },
      {
        phase: PHASE,
        rules: `{ ref: "admin", action: "block", expression: '${CLOSED}' }`,
        definition: `
waves:
  - name: first
    zones: first-*
    gates: [{ prove: closed.invariants.yaml }, { run: sh reached.sh }]
  - { name: test, zones: "test-*", gates: [{ test: admin.firewall.yaml }] }
  - { name: rest, gates: [{ summarize: drift }] }
`,
      },
    );
    // Only the settings of the stacks say where the service is.
    project.write(
      "Pulumi.fleet.yaml",
      `${project.read("Pulumi.fleet.yaml")}config: { rulesets:baseUrl: ${emulator.url} }\n`,
    );
    project.write(
      "closed.invariants.yaml",
      `invariants: [{ name: admin is closed, requests: '${CLOSED}', must: block }]\n`,
    );
    project.write("admin.firewall.yaml", `tests: [{ name: admin, request: { url: /admin }, expect: block }]\n`);
    project.write("reached.sh", "cat > reached.txt; test ! -f answer || . ./answer\n");
    expect((await fleet("plan")).code).toBe(0);
  });

  test("let a rollout through when all of them hold, and one without an answer does not", async () => {
    project.write("answer", "exit 3\n");
    const stopped = await fleet("resume");
    expect([stopped.code, stopped.stdout]).toEqual([3, expect.stringContaining("reached.sh")]);
    project.write("answer", "");
    const finished = await fleet("resume");
    expect([finished.code, finished.stdout]).toEqual([0, expect.stringContaining("Finished: all 3 shards.")]);
    expect(JSON.parse(project.read("reached.txt"))).toMatchObject({ id: zoneOf("first"), name: "first-0.test" });
  });

  test("prove says no when a rule is off, and nothing when a zone cannot be read", async () => {
    await service.fault({ path: `/zones/${zoneOf("first")}/rulesets`, status: 403, times: 20 });
    expect(await gate("first", "prove")).toMatchObject(UNKNOWN);
    await service.noFaults();
    await open("first");
    expect(await gate("first", "prove")).toMatchObject({
      ...NO,
      words: expect.stringContaining("admin is closed") as string,
    });
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

  test("none is asked while a file that it reads differs from the one of the plan", async () => {
    const file = "closed.invariants.yaml";
    const whole = project.read(file);
    project.write(file, whole.replace("must: block", "must: allow"));
    expect(await gate("first", "prove")).toMatchObject({
      verdict: "unknown",
      words: expect.stringContaining(`changed since the plan: ${file}`) as string,
    });
    project.write(file, whole);
    expect(await gate("first", "prove")).toMatchObject({ verdict: "no" });
  });

  test("run means 2 as a no, and any other failure as no answer", async () => {
    for (const [answer, verdict] of [
      [2, "no"],
      [7, "unknown"],
    ]) {
      project.write("answer", `exit ${String(answer)}`);
      expect(await gate("first", "run")).toMatchObject({ verdict });
    }
  });

  test("resume asks a gate again that said no", async () => {
    expect((await fleet("gate", "first")).code).toBe(2);
    const still = await fleet("resume");
    expect([still.code, still.stdout]).toEqual([2, expect.stringContaining("first: stopped")]);
    expect((await fleet("status")).stdout).toContain("To continue: `fleet resume` checks it again");
  });
});
