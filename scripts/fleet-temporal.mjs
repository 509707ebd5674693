// Rolls a fleet out on Temporal, with the packages of the example and a development server. `npm run test:fleet-temporal`. The command
// of Temporal, which has the server, is the one on the PATH, or is built once.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildOnce } from "./pulumi-cli.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const isOnPath = spawnSync("temporal", ["--version"]).status === 0;
const example = join(root, "examples", "fleet-temporal");

function run(command, args, env = {}) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
  if (status !== 0) process.exit(status ?? 1);
}

run("npm", ["ci", "--prefix", example, "--no-audit", "--no-fund"]);
run("npm", ["run", "--silent", "types", "--prefix", example]);
run("jest", ["--config", join("tests", "temporal", "jest.config.cjs"), "--rootDir", root], {
  TEMPORAL: isOnPath
    ? "temporal"
    : buildOnce("temporal-cli", "github.com/temporalio/cli/cmd/temporal", "temporal-v1.5.1", "eight minutes"),
});
