// Runs all checks except the tests, two at a time.
import { spawn } from "node:child_process";

const lanes = [
  ["lint", "package"],
  ["types", "format", "boundaries", "generated"],
];
/** What packs the package builds nothing again. */
const env = { ...process.env, npm_config_ignore_scripts: "true" };

/** Runs a script, and prints its output when it ends, so that outputs do not mix. */
function run(script) {
  return new Promise((resolve) => {
    const child = spawn("npm", ["run", "--silent", script], { env, shell: process.platform === "win32" });
    let text = "";
    const collect = (chunk) => (text += chunk);
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("close", (code) => {
      console.log(
        `${code === 0 ? "passed" : "FAILED"}: npm run ${script}${text.trim() === "" ? "" : `\n${text.trimEnd()}`}`,
      );
      resolve(code === 0);
    });
  });
}

async function runInTurn(scripts) {
  const passed = [];
  for (const script of scripts) passed.push(await run(script));
  return passed;
}

const results = await Promise.all(lanes.map(runInTurn));
process.exitCode = results.flat().every(Boolean) ? 0 : 1;
