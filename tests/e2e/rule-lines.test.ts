import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator, type Emulator } from "../../emulator/index.js";
import { Service } from "../support/emulator.js";
import { ProjectStack } from "./support/project.js";

const program = (zoneId: string, above = "") => `${above}import * as pulumi from "@pulumi/pulumi";
import { PhaseEntrypoint, RulesetRule } from "pulumi-rulesets";

class Shop extends pulumi.ComponentResource {
  constructor(zoneId: string, rules: object[]) {
    super("test:index:Shop", "shop", {});
    new PhaseEntrypoint("waf", { zoneId, phase: "http_request_firewall_custom", rules: rules as never });
  }
}

new Shop("${zoneId}", [
  { description: "Block admin", action: "block", expression: 'starts_with(http.request.uri.path, "/admin")' },
  {
    description: "Block the API",
    action: "block",
    expression: 'starts_with(http.request.uri.path, "/admin/api")',
  },
]);
new RulesetRule("old", {
  zoneId: "${zoneId}",
  phase: "http_request_origin",
  description: "Old network",
  action: "route",
  expression: "ip.geoip.asnum eq 64496",
  actionParameters: { hostHeader: "old.example.com" },
});
`;

describe("a finding in a preview", () => {
  let emulator: Emulator;
  let service: Service;
  let zoneId: string;
  const project = new ProjectStack();
  const write = (above?: string): void => {
    writeFileSync(join(project.folder, "index.ts"), program(zoneId, above));
  };

  beforeAll(async () => {
    emulator = await startEmulator();
    service = new Service(emulator);
    zoneId = await service.zone();
    project.checksTypes = false;
    writeFileSync(join(project.folder, "Pulumi.yaml"), "name: lines\nruntime: nodejs\n");
    write();
    await project.init(emulator.url);
  });
  afterAll(async () => {
    project.close();
    await emulator.close();
  });

  test("names the rule, and its line in the program", async () => {
    const text = await project.mustRun("preview");
    expect(text).toContain('index.ts:13: rule "Block the API", rules[1]: it is never reached');
    expect(text).toContain('index.ts:19: rule "Old network", expression:1: `ip.geoip.asnum` is deprecated');
  });

  test("of an invalid rule does so as well", async () => {
    writeFileSync(join(project.folder, "index.ts"), program(zoneId).replace("/admin/api\")'", "/admin/api'"));
    const { ok, text } = await project.run("preview");
    expect(ok).toBe(false);
    expect(text).toContain('index.ts:13: rule "Block the API", rules[1].expression');
  });

  test("costs no request and changes nothing when the lines move", async () => {
    write();
    await project.mustRun("up", "--yes");
    write("// A comment.\n\n");
    await service.forget();
    const text = await project.mustRun("up", "--yes", "--skip-preview");
    expect(text).toMatch(/\d+ unchanged/);
    expect(text).not.toMatch(/\d+ (updated|replaced|created)/);
    expect(text).toContain('index.ts:21: rule "Old network"');
    expect(await service.requests()).toEqual([]);
    const { deployment } = JSON.parse(await project.mustRun("stack", "export")) as {
      deployment: { resources: { inputs?: object; outputs?: object }[] };
    };
    const values = deployment.resources.map(({ inputs, outputs }) => ({ inputs, outputs }));
    expect(JSON.stringify(values)).not.toContain("index.ts");
  });
});
