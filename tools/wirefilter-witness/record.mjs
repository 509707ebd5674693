// Writes the corpus for the unit tests, which run without Rust: some of the expressions on which both agree, with the results
// of Cloudflare's engine.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = join(import.meta.dirname, "../../tests/unit/language/corpus/witness/wirefilter.ndjson");
const ACCEPTED = 3500;
const REJECTED = 1000;
/** Longer expressions add little, and take more space. */
const LONGEST = 160;

/** Picks a number of items, evenly distributed. */
function spread(all, count) {
  return Array.from({ length: Math.min(count, all.length) }, (_, at) => all[Math.floor((at * all.length) / count)]);
}

export function record({ fields, contexts, agreed }) {
  const short = agreed.filter(({ text }) => text.length <= LONGEST);
  const accepted = short.filter(({ verdicts }) => typeof verdicts === "string");
  const rejected = short.filter(({ verdicts }) => typeof verdicts !== "string");
  const lines = [
    ...spread(accepted, ACCEPTED).map(({ text, verdicts }) => ({ expression: text, verdicts })),
    ...spread(rejected, REJECTED).map(({ text }) => ({ expression: text, verdicts: "rejected" })),
  ];
  writeFileSync(FILE, [{ fields, contexts }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(""));
}
