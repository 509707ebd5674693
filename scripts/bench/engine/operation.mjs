// Runs one operation on one stack of the benchmark: `operation.mjs STACK OPERATION EDITION`. engine.mjs forks this process,
// sends it the folder, the zones and the address of the emulator, and receives the cost.
import { mkdtempSync } from "node:fs";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { costOf } from "./cost.mjs";
import { InputsOnly, SameState } from "./floors.mjs";
import { PluginEntrypoint } from "./plugin.mjs";
import { programOf } from "./program.mjs";
import { TOKEN } from "./service.mjs";

const require = createRequire(import.meta.url);
const { grpcClientOptions } = require("@pulumi/pulumi/runtime/settings");
grpcClientOptions["grpc.use_local_subchannel_pool"] = 1;
const { PhaseEntrypoint } = require("pulumi-rulesets");

const CLASSES = {
  rulesets: PhaseEntrypoint,
  plugin: PluginEntrypoint,
  "same-state": SameState,
  "inputs-only": InputsOnly,
};
const folderOf = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
/** The plugins that a stack names. */
const PROVIDERS = {
  plugin: [{ name: "rulesets", path: folderOf("node_modules/.bin") }],
};
const [name, operation, edition] = process.argv.slice(2);
const [{ folder, zones, url, phases }] = await once(process, "message");
const stack = await LocalWorkspace.createOrSelectStack(
  { projectName: name, stackName: "bench", program: programOf(CLASSES[name], zones, edition, phases) },
  {
    projectSettings: {
      name,
      runtime: "nodejs",
      main: process.cwd(),
      plugins: { providers: PROVIDERS[name] ?? [] },
    },
    workDir: mkdtempSync(join(folder, `${name}-`)),
    envVars: {
      PULUMI_HOME: join(folder, "home"),
      PULUMI_BACKEND_URL: `file://${folder}`,
      PULUMI_CONFIG_PASSPHRASE: "bench",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      RULESETS_API_TOKEN: TOKEN,
      RULESETS_BASE_URL: url,
    },
  },
);
process.send(await costOf(folder, () => stack[operation]({ color: "never" })), () => process.exit());
