import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ensureLanguageHost, ensurePulumi } from "../../../scripts/pulumi-cli.mjs";
import keys from "./keys.cjs";

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

/** Does once, before any test runs the engine, what every process of every run would do again. */
export default async function setup() {
  await ensurePulumi();
  ensureLanguageHost();
  // Every run of the engine starts a Node that loads the SDK and this package: they read what was compiled once.
  process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules", ".cache", "compiled");
  const load = 'require("@pulumi/pulumi"); require("pulumi-rulesets"); require("pulumi-rulesets/runtime");';
  execFileSync(process.execPath, ["-e", load], { cwd: root });
  // A command of Pulumi lives for a second or two: a third of its work would be collecting garbage.
  process.env.GOGC ??= "400";
  process.env.E2E_STACK = await makeStack();
}

/** The folder of an empty stack, to be copied for every test that starts one. */
async function makeStack() {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-stack-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  // Dynamic providers start in the folder of the program, where `pulumi-rulesets` has to be found.
  writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "test", runtime: "nodejs", main: root }));
  const { env, close } = await keys.serveKeys();
  await promisify(execFile)("pulumi", ["stack", "init", "dev", "--no-select", "--secrets-provider", keys.PROVIDER], {
    cwd: folder,
    env: { ...process.env, ...env, PULUMI_BACKEND_URL: `file://${folder}`, PULUMI_SKIP_UPDATE_CHECK: "true" },
  });
  close();
  return folder;
}
