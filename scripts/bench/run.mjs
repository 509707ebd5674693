// `npm run bench` runs every single-process benchmark; `npm run bench -- engine 40` runs one, with its arguments.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Node collects garbage for the first time once a fixed size is full, which makes the case that fills it take up to 1.4 times
 * as long. Worst cases are about growth with the rules, so none of them fills it.
 */
const FLAGS = { "worst-cases": ["--min-semi-space-size=128", "--max-semi-space-size=128"] };
const ALL = ["load", "worst-cases", "emulator"];
const known = readdirSync(new URL(".", import.meta.url))
  .filter((name) => name.endsWith(".mjs") && name !== "run.mjs")
  .map((name) => name.replace(".mjs", ""));

const [name, ...options] = process.argv.slice(2);
if (name !== undefined && !known.includes(name)) {
  console.error(`There is no benchmark ${name}. To continue: name one of ${known.join(", ")}.`);
  process.exit(1);
}
for (const each of name === undefined ? ALL : [name]) {
  const file = fileURLToPath(new URL(`${each}.mjs`, import.meta.url));
  const { status } = spawnSync(process.execPath, ["--no-warnings", ...(FLAGS[each] ?? []), file, ...options], {
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}
