import { startEmulator } from "../../emulator/index.js";
import { Service, TOKEN } from "../support/emulator.js";
import { fleetCommand, fleetProject } from "./support/fleet-project.js";

const PHASE = "http_request_firewall_custom";
const DEFINITION = "waves: [{ name: first, gates: [{ prove: closed.invariants.yaml }] }]\n";

/* Nothing in the environment says where the service is, and the name of the setting is the same for the engine and for the commands. */

test.each([
  ["the call of the plan", (url: string) => ["--base-url", url], () => ""],
  ["the settings of the stacks", () => [], (url: string) => `config: { rulesets:baseUrl: ${url} }\n`],
])("every step of a plan uses the address of %s", async (_, args, settings) => {
  const emulator = await startEmulator({ seed: { zones: [{ name: "a.test" }] } });
  const project = fleetProject(
    { CLOUDFLARE_API_TOKEN: TOKEN },
    {
      phase: PHASE,
      rules: `{ ref: "admin", action: "block", expression: 'http.request.uri.path eq "/admin"' }`,
      definition: DEFINITION,
    },
  );
  try {
    const service = new Service(emulator);
    const zone = await service.zoneNamed("a.test");
    project.write(
      "closed.invariants.yaml",
      `invariants: [{ name: admin is closed, requests: 'http.request.uri.path eq "/admin"', must: block }]\n`,
    );
    project.write("Pulumi.fleet.yaml", project.read("Pulumi.fleet.yaml") + settings(emulator.url));
    const planned = await fleetCommand(project, "plan", ...args(emulator.url));
    expect([planned.code, planned.stderr]).toEqual([0, expect.not.stringContaining("failed")]);
    const resumed = await fleetCommand(project, "resume");
    expect([resumed.code, resumed.stdout]).toEqual([0, expect.stringContaining("Finished: all 1 shards.")]);
    expect(await service.entrypoint(zone, PHASE)).toMatchObject({ version: "1" });
    expect((await fleetCommand(project, "rollback", "first", "--yes")).code).toBe(0);
    expect(await service.entrypoint(zone, PHASE)).toBeUndefined();
  } finally {
    project.close();
    await emulator.close();
  }
});
