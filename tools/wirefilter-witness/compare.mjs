// Evaluates generated expressions with Cloudflare's engine and with ours, and reports where they disagree.
//
//   npm run build && node tools/wirefilter-witness/compare.mjs [--count 100000] [--seed 1] [--record]
//
// Exits with 1 if a difference has no explanation. `--record` writes the corpus for the unit tests.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { explain } from "./differences.mjs";
import { expression, FIELDS, mutated, sample, sampleContexts } from "./generate.mjs";
import { record } from "./record.mjs";

const require = createRequire(import.meta.url);
const { compileExpression, ExpressionError, makeContext } = require("../../dist/language/index.js");

const { values: options } = parseArgs({
  options: {
    count: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    record: { type: "boolean", default: false },
  },
});
const count = Number(options.count);
const seed = Number(options.seed);

const contexts = sampleContexts({ count: 24, seed });
const valid = sample(expression, { count, seed });
const broken = sample(mutated, { count: Math.round(count / 2), seed: seed + 1_000_000 });
const expressions = Array.from(new Set([...valid, ...broken]));

/** The results of Cloudflare's engine: a `1` or `0` for each context, or an error. */
function askEngine() {
  const target = process.env.CARGO_TARGET_DIR ?? join(tmpdir(), "wirefilter-witness");
  const manifest = join(import.meta.dirname, "Cargo.toml");
  const run = spawnSync("cargo", ["run", "--release", "--locked", "--quiet", "-j", "1", "--manifest-path", manifest], {
    input: [{ fields: FIELDS, contexts }, ...expressions].map((line) => JSON.stringify(line)).join("\n"),
    env: { ...process.env, CARGO_TARGET_DIR: target },
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    stdio: ["pipe", "pipe", "inherit"],
  });
  if (run.error !== undefined) throw run.error;
  if (run.status !== 0) throw new Error(`cargo ended with ${run.status ?? run.signal}`);
  return run.stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
}

const ourContexts = contexts.map((context) => {
  const fields = Object.entries(context).map(([name, value]) => [
    name,
    FIELDS[name] === "Bytes" ? Buffer.from(value, "hex") : value,
  ]);
  return makeContext({ fields: Object.fromEntries(fields) });
});

/** Our results, in the same form. A name that is missing from the catalogue is an error here, as for the engine. */
function judge(text) {
  try {
    const compiled = compileExpression(text, { strict: true });
    return ourContexts.map((context) => ({ true: "1", false: "0", unknown: "?" })[compiled.evaluate(context).value]).join("");
  } catch (error) {
    if (error instanceof ExpressionError) return { error: error.message };
    throw error;
  }
}

const theirs = askEngine();
const tally = { accepted: 0, rejected: 0, verdicts: 0, matches: 0 };
const explained = new Map();
const unexplained = [];
const agreed = [];
for (const [at, text] of expressions.entries()) {
  const [their, our] = [theirs[at], judge(text)];
  if (typeof their === "string" ? their === our : typeof our !== "string") {
    agreed.push({ text, verdicts: their });
    if (typeof their === "string") {
      tally.accepted += 1;
      tally.verdicts += their.length;
      tally.matches += their.replaceAll("0", "").length;
    } else tally.rejected += 1;
    continue;
  }
  const difference = explain(text, { their, our, judge });
  if (difference === undefined) unexplained.push({ text, their, our });
  else explained.set(difference, [...(explained.get(difference) ?? []), text]);
}

console.log(`${expressions.length} expressions, ${contexts.length} contexts, seed ${seed}`);
console.log(`  ${tally.accepted} agree on all verdicts (${((100 * tally.matches) / tally.verdicts).toFixed(0)} % of ${tally.verdicts} match)`);
console.log(`  ${tally.rejected} are rejected by both`);
for (const [name, texts] of explained) console.log(`  ${texts.length} differ: ${name}, as in ${JSON.stringify(texts.sort((a, b) => a.length - b.length)[0])}`);
console.log(`  ${unexplained.length} differ without an explanation`);
for (const { text, their, our } of unexplained.sort((a, b) => a.text.length - b.text.length).slice(0, 40)) {
  console.log(`\n${JSON.stringify(text)}\n    engine: ${say(their)}\n    ours:   ${say(our)}`);
}
if (options.record) record({ fields: FIELDS, contexts, agreed });
process.exitCode = unexplained.length > 0 ? 1 : 0;

function say(judged) {
  return typeof judged === "string" ? judged : judged.error.replaceAll("\n", " ⏎ ");
}
