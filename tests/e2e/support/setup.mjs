import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureLanguageHost, ensurePulumi } from "../../../scripts/pulumi-cli.mjs";

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
}
