import { startEmulator, type Emulator } from "../../emulator/index.js";
import { Service } from "../support/emulator.js";
import { pluginProject } from "./support/plugin-project.js";
import type { ProjectStack } from "./support/project.js";

/* Lists and the rules that use them, through the provider plugin. */

let emulator: Emulator;
let service: Service;
let project: ProjectStack;
let accountId: string;
let zoneId: string;
beforeEach(async () => {
  emulator = await startEmulator({ seed: { zones: [{ name: "a.example.com", plan: "enterprise" }] } });
  service = new Service(emulator);
  project = pluginProject(service);
  [accountId, zoneId] = [await service.account(), await service.zone()];
  declare({});
  await project.initStack();
});
afterEach(async () => {
  project.close();
  await emulator.close();
});

function declare(resources: Readonly<Record<string, object>>): void {
  project.write("Pulumi.yaml", JSON.stringify({ name: "lists", runtime: "yaml", resources }));
}

const many = Array.from({ length: 300 }, (_, index) => `10.0.${String(index >> 8)}.${String(index & 255)}`);
const SECRET = "handed-over-by-Zorro-9731";

test("a list and the rule that uses it are created in one up, changed, with a secret comment, and deleted in order", async () => {
  const list = (addresses: readonly string[]) => ({
    type: "rulesets:RulesList",
    properties: {
      ...{ accountId, name: "office", kind: "ip" },
      items: [{ value: "192.0.2.7", comment: { "fn::secret": SECRET } }, ...addresses.map((value) => ({ value }))],
    },
  });
  const custom = {
    type: "rulesets:PhaseEntrypoint",
    properties: {
      ...{ zoneId, phase: "http_request_firewall_custom" },
      // YAML takes a dollar sign before `${` as its escape.
      rules: [{ ref: "office", action: "block", expression: { "fn::join": ["", ["ip.src in $", "${office.name}"]] } }],
    },
  };
  // The rule is declared first.
  declare({ custom, office: list(many.slice(1)) });
  const preview = await project.run("preview", "--diff");
  expect([preview.ok, preview.text]).toEqual([true, expect.not.stringContaining("could not check")]);
  const up = await project.mustRun("up", "--yes", "--skip-preview");
  const [office] = await service.ask<{ id: string }[]>("GET", `/accounts/${accountId}/rules/lists`);
  const items = `/accounts/${accountId}/rules/lists/${office?.id ?? ""}/items?per_page=500`;
  expect(JSON.stringify(await service.ask("GET", items))).toContain(SECRET);

  declare({ custom, office: list(many) });
  const edited = await project.mustRun("preview", "--diff");
  expect(edited).toMatch(/~ items: \{\n\s*\+ 10\.0\.0\.0: ""\n\s*\}/);
  expect(edited).toContain("plan: +1 ~0 -0, 300 unchanged; sends ");
  expect(edited).not.toContain("10.0.0.9");
  const state = await project.mustRun("stack", "export");
  expect(state).toContain("10.0.0.9");
  for (const text of [preview.text, up, edited, state]) expect(text).not.toContain(SECRET);

  // The engine deletes the rule first.
  declare({});
  expect((await project.run("up", "--yes", "--skip-preview")).ok).toBe(true);
});
