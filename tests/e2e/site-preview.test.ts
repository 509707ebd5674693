import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../emulator/index.js";
import { root } from "../cli/support.js";
import { Service } from "../support/emulator.js";
import { emulatorWith } from "../support/emulators.js";
import { ProjectStack } from "./support/project.js";

/* The preview on the start page of the site. WRITE_PAGE=1 writes it. */

const file = join(root, "apps", "site", "recorded", "preview.txt");
const ZONE = "shop.example.com";

/** The program before and after somebody wanted to open one page. */
const program = (admin: string): string => `import * as pulumi from "@pulumi/pulumi";
import { PhaseEntrypoint } from "pulumi-rulesets";

new PhaseEntrypoint("waf", {
  zoneId: new pulumi.Config().require("zoneId"),
  phase: "http_request_firewall_custom",
  rules: [
    { ref: "admin", action: "block", description: "Block admin", expression: '${admin}' },
    { ref: "bots", action: "managed_challenge", description: "Challenge bots", expression: "cf.client.bot" },
  ],
});
`;

/** The same for every run: without what differs between machines, and with one ID for all. */
function comparable(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/warning: using |Could not find a package|\[urn=|^\s*$/.test(line))
    .map((line) => line.replace(/[0-9a-f]{32}/g, "0123456789abcdef0123456789abcdef").trimEnd())
    .join("\n");
}

describe("the preview of the start page", () => {
  let emulator: Emulator;
  const project = new ProjectStack();

  beforeAll(async () => {
    emulator = await emulatorWith({ seed: { zones: [{ name: ZONE }] } });
    project.checksTypes = false;
    project.write("Pulumi.yaml", "name: firewall\nruntime: nodejs\n");
    project.write("index.ts", program('starts_with(http.request.uri.path, "/admin")'));
    await project.init(emulator.url);
    await project.mustRun("config", "set", "zoneId", await new Service(emulator).zoneNamed(ZONE));
    await project.mustRun("up", "--yes", "--skip-preview");
  });

  test("is what a preview prints", async () => {
    project.write("index.ts", program('http.request.uri.path eq "/admin"'));
    const text = `$ pulumi preview --diff\n${comparable(await project.mustRun("preview", "--diff"))}\n`;
    if (process.env.WRITE_PAGE !== undefined) writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, "utf8"));
  });
});
