// Parses expressions with Cloudflare's engine of 2026 and with ours, and lists where one accepts what the other refuses.
//
//   npm run check-wirefilter -- [--count 1000000] [--seed 1]
//
// Exits with 1 if a difference is not in the table of `differences.mjs`. Installs the engine (a Python wheel) once.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { differenceOf } from "./differences.mjs";
import { damaged, expressionsOfRepository, randomFrom } from "./expressions.mjs";

const { analyse } = createRequire(import.meta.url)("../../../dist/core/language/index.js");

const isError = ({ severity }) => severity === "error";

const ENGINE = "octorules-wirefilter==0.7.0";
const VENV = join(import.meta.dirname, "../../../node_modules/.cache/wirefilter");
const BATCH = 50_000;

const { values: options } = parseArgs({
  options: { count: { type: "string", default: "1000000" }, seed: { type: "string", default: "1" } },
});

function install() {
  const python = join(VENV, "bin/python");
  if (existsSync(join(VENV, ENGINE))) return python;
  execFileSync("python3", ["-m", "venv", VENV], { stdio: "inherit" });
  execFileSync(python, ["-m", "pip", "install", "--quiet", ENGINE], { stdio: "inherit" });
  writeFileSync(join(VENV, ENGINE), "");
  return python;
}

/** By expression, the engine's error, or null. */
async function askEngine(python, expressions) {
  const engine = spawn(python, [join(import.meta.dirname, "parse.py")], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = text(engine.stdout);
  engine.stdin.end(expressions.map((each) => `${JSON.stringify(each)}\n`).join(""));
  return (await answers).trimEnd().split("\n").map((line) => JSON.parse(line));
}

const python = install();
const tally = { both: 0, neither: 0 };
const seen = new Set();
const explained = new Map();
const open = [];

function compare(expression, theirs) {
  const ours = analyse(expression);
  const isAccepted = !ours.findings.some(isError);
  if (isAccepted === (theirs === null)) {
    tally[isAccepted ? "both" : "neither"] += 1;
    return isAccepted;
  }
  const name = differenceOf(expression, theirs, ours);
  if (name === undefined) open.push({ expression, theirs, ours });
  else {
    const row = explained.get(name) ?? { count: 0, shortest: expression };
    const shortest = row.shortest.length <= expression.length ? row.shortest : expression;
    explained.set(name, { count: row.count + 1, shortest });
  }
  return false;
}

async function compareAll(expressions) {
  const fresh = [...new Set(expressions)].filter((each) => !seen.has(each));
  for (const each of fresh) seen.add(each);
  const answers = await askEngine(python, fresh);
  return fresh.filter((each, at) => compare(each, answers[at]));
}

const known = expressionsOfRepository((each) => {
  return analyse(each).findings.every((found) => !isError(found) && !found.code.startsWith("unknown-"));
});
const accepted = await compareAll(known);
const random = randomFrom(Number(options.seed));
for (let left = Number(options.count); left > 0; left -= BATCH)
  await compareAll(Array.from({ length: Math.min(BATCH, left) }, () => damaged(accepted, random)));

console.log(`${known.length} expressions of the repository, ${seen.size - known.length} damaged ones, seed ${options.seed}`);
console.log(`  ${tally.both} accepted by both, ${tally.neither} refused by both`);
for (const [name, { count, shortest }] of explained)
  console.log(`  ${count} differ: ${name}, as in ${JSON.stringify(shortest)}`);
console.log(`  ${open.length} differ without an explanation`);
for (const { expression, theirs, ours } of open.sort((a, b) => a.expression.length - b.expression.length).slice(0, 60)) {
  const their = theirs === null ? "accepts" : theirs.trim().split("\n").at(-1).trim();
  console.log(`\n${JSON.stringify(expression)}\n    engine: ${their}\n    ours:   ${ours.findings.some(isError) ? "" : "accepts "}${ours.findings.map(({ message }) => message).join("; ")}`);
}
process.exitCode = open.length > 0 ? 1 : 0;
