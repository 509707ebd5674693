import { startEmulator, type Emulator } from "../../emulator/index.js";
import { managedRulesets } from "../../provider/managed/rulesets.js";
import { cli, type Finished } from "../cli/support.js";
import { Service, TOKEN } from "../support/emulator.js";
import { pluginProject } from "./support/plugin-project.js";

/* The lock file of managed rules on the real engine, for both front ends: from its first line to an accepted release. */

const MANAGED = managedRulesets.cloudflareManaged;
const phase = "http_request_firewall_managed";
const JOOMLA = "a4aeda66d4069bacc22c1d50c7b3e192";

const program = (isPlugin: boolean, zoneId: string): string => `
const pulumi = require("@pulumi/pulumi");
const args = ${JSON.stringify({ zoneId, phase, rules: [{ action: "execute", expression: "true", actionParameters: { id: MANAGED } }] })};
${
  isPlugin
    ? 'class Any extends pulumi.CustomResource {}\nnew Any("rulesets:index:PhaseEntrypoint", "waf", args);'
    : 'new (require("pulumi-rulesets").PhaseEntrypoint)("waf", args);'
}
`;

describe.each([
  ["a dynamic provider", false],
  ["the plugin", true],
])("with %s", (_, isPlugin) => {
  let emulator: Emulator;
  let service: Service;
  let zoneId: string;
  beforeAll(async () => {
    emulator = await startEmulator({ seed: { zones: [{ name: "shop.example.com" }] } });
    service = new Service(emulator);
    zoneId = await service.zoneNamed("shop.example.com");
  });
  afterAll(() => emulator.close());

  test("a release is a warning of the next preview, an error if the lock is required, and accepted by a new lock", async () => {
    const project = pluginProject(service);
    try {
      project.write("Pulumi.yaml", "name: firewall\nruntime: nodejs\nmain: index.js\n");
      project.write("index.js", program(isPlugin, zoneId));
      await project.init(emulator.url);
      const run = (command: string): Promise<Finished> =>
        cli(
          ["managed", command, "--base-url", emulator.url, "--zone", zoneId],
          { CLOUDFLARE_API_TOKEN: TOKEN },
          project.folder,
        );
      expect(await project.mustRun("up", "--yes")).not.toContain("managed.lock.json");
      expect((await run("lock")).code).toBe(0);
      expect(project.read("managed.lock.json")).toContain(JOOMLA);
      expect(await project.mustRun("preview")).not.toContain("managed.lock.json");
      await service.releaseManaged(MANAGED, { rules: [{ id: JOOMLA, action: "block", enabled: true }] });
      expect((await run("diff")).stdout).toContain(`${JOOMLA} ("Joomla - anomaly"): off → block in shop.example.com`);
      const warned = await project.mustRun("preview");
      const told = warned.slice(warned.indexOf("Diagnostics:"));
      expect(told.match(/managed\.lock\.json is out of date .*: 1 stops requests now/g)).toHaveLength(1);
      await project.mustRun("config", "set", "rulesets:managedLock", "require");
      const refused = await project.run("preview");
      expect([refused.ok, refused.text]).toEqual([false, expect.stringContaining("managed.lock.json is out of date")]);
      expect((await run("lock")).code).toBe(0);
      expect(await project.mustRun("preview")).not.toContain("managed.lock.json");
    } finally {
      project.close();
    }
  });
});
