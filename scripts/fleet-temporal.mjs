// Rolls a fleet out on Temporal, with the packages of the example and a development server. `npm run test:fleet-temporal`.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureTemporal } from "./temporal-cli.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const example = join(root, "examples", "fleet-temporal");

function run(command, args, env = {}) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
  if (status !== 0) process.exit(status ?? 1);
}

run("npm", ["ci", "--prefix", example, "--no-audit", "--no-fund"]);
run("npm", ["run", "--silent", "types", "--prefix", example]);
run("jest", ["--config", join("tests", "temporal", "jest.config.cjs"), "--rootDir", root], {
  TEMPORAL: ensureTemporal(),
});
