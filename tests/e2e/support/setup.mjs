import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ensureLanguageHost, ensurePulumi, ensureYamlHost } from "../../../scripts/pulumi-cli.mjs";
import keys from "./keys.cjs";

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** Prepares once, before any test runs the engine, what every run would otherwise repeat. */
export default async function setup() {
  process.env.E2E_PULUMI = await ensurePulumi();
  ensureLanguageHost();
  ensureYamlHost();
  // Every run of the engine starts Node processes that load the SDK and this package. They share a compile cache, filled here.
  process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules", ".cache", "compiled");
  const load = 'require("@pulumi/pulumi"); require("pulumi-rulesets"); require("pulumi-rulesets/runtime");';
  execFileSync(process.execPath, ["-e", load], { cwd: root });
  // Pulumi commands run for a second or two, and garbage collection would be a third of their work. They need 150 MB without it.
  process.env.GOGC ??= "off";
  process.env.GOMEMLIMIT ??= "1GiB";
  // Serves all stacks, until Jest ends.
  Object.assign(process.env, await keys.serveKeys());
  process.env.E2E_STACK = await makeStack();
}

/** Creates the folder of an empty stack, which every test that starts a stack copies. */
async function makeStack() {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-stack-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  // Dynamic providers start in the folder of the program, from which `pulumi-rulesets` must resolve.
  writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "test", runtime: "nodejs", main: root }));
  const { env } = process;
  await promisify(execFile)(
    "pulumi",
    ["stack", "init", "dev", "--no-select", "--secrets-provider", env.E2E_SECRETS_PROVIDER],
    {
      cwd: folder,
      env: { ...env, PULUMI_BACKEND_URL: `file://${folder}`, PULUMI_SKIP_UPDATE_CHECK: "true" },
    },
  );
  return folder;
}
