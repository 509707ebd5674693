// `npm run bench` runs every single-process benchmark; `npm run bench -- engine 40` runs one, with its arguments.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ALL = ["load", "core", "language", "analysis", "worst-cases", "emulator"];
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
  const { status } = spawnSync(process.execPath, ["--no-warnings", file, ...options], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
