// How long a provider process takes to load this package, in new processes: the runtime, which every process loads before its
// first call, and a kind of resource, which it loads with the first one.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROUNDS = 15;
const runtime = JSON.stringify(fileURLToPath(new URL("../../dist/provider/border/dynamic/index.js", import.meta.url)));
const LOADS = {
  "the runtime": `require(${runtime})`,
  "the runtime and PhaseEntrypoint": `require(${runtime}).load("PhaseEntrypoint", 1)`,
  "the runtime and CustomHostnameCa": `require(${runtime}).load("CustomHostnameCa", 1)`,
};

function loadInNewProcess(code) {
  const script = `const start = performance.now(); ${code};
    console.log(JSON.stringify([performance.now() - start, Object.keys(require.cache).length]))`;
  return JSON.parse(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" }));
}

console.log(`Median of ${String(ROUNDS)} new processes each; goal for the runtime: 50 ms`);
for (const [name, code] of Object.entries(LOADS)) {
  const rounds = Array.from({ length: ROUNDS }, () => loadInNewProcess(code)).toSorted(([a], [b]) => a - b);
  const [milliseconds, modules] = rounds[Math.floor(ROUNDS / 2)];
  console.log(`${name.padEnd(34)}${milliseconds.toFixed(0).padStart(4)} ms, ${String(modules)} modules`);
}
