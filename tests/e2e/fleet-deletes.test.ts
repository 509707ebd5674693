import type { Emulator } from "../../emulator/index.js";
import { Service, TOKEN } from "../support/emulator.js";
import { until } from "../support/patience.js";
import { fleetCommand, fleetProject, killGroup, startFleet } from "./support/fleet-project.js";
import type { ProjectStack } from "./support/project.js";
import { emulatorWith } from "../support/emulators.js";

const PHASE = "http_request_firewall_custom";
/** What is on its way when the run is killed, and what the service has done before. `FLEET_KILLS=all` plays all of them. */
const KILLS = [
  { what: "both deletes are on their way", held: [0, 1] },
  { what: "one delete is done and one is on its way", held: [1] },
].slice(0, process.env.FLEET_KILLS === "all" ? undefined : 1);
const zoneName = (shard: number, index: number): string => `${String.fromCharCode(97 + shard)}${String(index)}.test`;

const program = (refs: string): string => `
const { fleetZones, RulesetRule } = require("pulumi-rulesets");
for (const { id: zoneId, name } of fleetZones())
  for (const ref of [${refs}])
    new RulesetRule(name + " " + ref, { zoneId, phase: "${PHASE}", action: "block", ref, expression: 'http.host eq "' + ref + '"' });
`;

/* The rule "goes" leaves the program. Each shard is killed while it deletes that in its two zones. */

describe("a rollout that is killed while it deletes", () => {
  let project: ProjectStack;
  let emulator: Emulator;
  let service: Service;
  const zones = new Map<string, string>();
  const fleet = (...args: string[]) => fleetCommand(project, ...args);
  const refs = async (name: string): Promise<(string | undefined)[]> =>
    (await service.rules(zones.get(name) ?? "", PHASE)).map(({ ref }) => ref);

  beforeAll(async () => {
    const names = KILLS.flatMap((_, shard) => [0, 1].map((index) => zoneName(shard, index)));
    emulator = await emulatorWith({ seed: { zones: names.map((name) => ({ name })) } });
    service = new Service(emulator);
    for (const name of names) zones.set(name, await service.zoneNamed(name));
    project = fleetProject(
      { RULESETS_BASE_URL: emulator.url, CLOUDFLARE_API_TOKEN: TOKEN },
      { phase: PHASE, rules: "", definition: "shardSize: 2\nwaves: [{ name: all }]\n" },
    );
    project.write("index.js", program('"stays", "goes"'));
    for (const step of ["plan", "resume"]) {
      const { code, stdout, stderr } = await fleet(step);
      if (code !== 0) throw new Error(stdout + stderr);
    }
    project.write("index.js", program('"stays"'));
    const { code, stderr } = await fleet("plan", "--plan", "two");
    if (code !== 0) throw new Error(stderr);
  });
  afterEach(() => service.noFaults());

  test.each(KILLS.map((kill, shard) => ({ ...kill, shard })))(
    "when $what goes on, and a rollback names what nobody can know until then",
    async ({ held, shard }) => {
      const id = `s${String(shard + 1).padStart(3, "0")}`;
      const names = [0, 1].map((index) => zoneName(shard, index));
      for (const name of held.map((index) => names[index] ?? ""))
        await service.fault({ method: "DELETE", path: `/zones/${zones.get(name) ?? ""}/rulesets`, hold: true });
      const child = startFleet(project, "run-shard", id, "--plan", "two");
      const others = names.filter((_, index) => !held.includes(index));
      await until(async () => child.exitCode !== null || (await service.waitingFaults()).length === 0);
      expect(child.exitCode).toBeNull();
      for (const name of others) await until(async () => (await refs(name)).length === 1);
      await killGroup(child);
      await service.noFaults();
      for (const name of names) await until(async () => (await refs(name)).length === 1);

      const shown = await fleet("rollback", "all", "--plan", "two");
      expect([shown.code, shown.stdout]).toEqual([2, expect.stringContaining(`${id}: 0 rulesets would be restored`)]);
      for (const index of held)
        expect(shown.stdout).toContain(
          `left: ${names[index] ?? ""} goes of zone ${names[index] ?? ""}: a run was killed during this write, so it may or may not`,
        );

      await service.forget();
      const again = await fleet("run-shard", id, "--plan", "two", "--json");
      expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { ran: true, state: "done", attempts: 2 }]);
      expect((await service.requests()).filter((request) => !request.startsWith("GET "))).toEqual([]);
    },
  );

  test("is not rolled back where no run has recorded what it deleted, and names that", async () => {
    const back = await fleet("rollback", "all", "--plan", "two", "--yes");
    expect(back.code).toBe(3);
    for (const name of zones.keys()) {
      expect(back.stdout).toContain(
        `left: ${name} goes of zone ${name}: the plan found version 2 of its ruleset, and no recorded write of the plan made version 3`,
      );
      expect(await refs(name)).toEqual(["stays"]);
    }
    expect(back.stdout.match(/^s\d+: 0 rulesets restored$/gm)).toHaveLength(KILLS.length);
  });
});
