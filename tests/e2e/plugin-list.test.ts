import { Service } from "../support/emulator.js";
import { pluginProject, plugin } from "./support/plugin-project.js";
import type { ProjectStack } from "./support/project.js";
import { emulatorWith } from "../support/emulators.js";

/* The engine asks the plugin what exists: `pulumi do … list`. */

const phase = "http_request_firewall_custom";

let service: Service;
let project: ProjectStack;
const zones = new Map<string, string>();
beforeEach(async () => {
  service = new Service(
    await emulatorWith({ seed: { zones: [{ name: "shop.example.com" }, { name: "old.example.com" }] } }),
  );
  project = pluginProject(service);
  for (const name of ["shop.example.com", "old.example.com"]) {
    const zone = await service.zoneNamed(name);
    zones.set(name, zone);
    await service.create(`zones/${zone}`, { name: "default", kind: "zone", phase, rules: [] });
  }
});

const list = (...options: string[]) =>
  project.run("do", "--package", plugin, "rulesets:index:PhaseEntrypoint", "list", ...options);

test("a list of a zone, by its name, has the IDs to import by, and one that is not complete names what could not be read", async () => {
  const { text } = await list("--zone-id", "shop.example.com");
  const ids = text.match(/zones\/[0-9a-f]{32}\/[^\s"|]+/g);
  expect(ids).toEqual([`zones/${zones.get("shop.example.com") ?? ""}/phases/${phase}`]);
  const old = zones.get("old.example.com") ?? "";
  await service.fault({ method: "GET", path: `/zones/${old}/rulesets`, status: 403 });
  const cut = await list("--all");
  expect([cut.ok, cut.text]).toEqual([false, expect.stringContaining("zone old.example.com:")]);
});
