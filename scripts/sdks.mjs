// Writes the SDKs of the provider plugin for other languages, with Pulumi's own generators, from the schema that the plugin
// serves: `npm run sdks -- <folder> [nodejs] [python] [go] [dotnet]`; without languages, all of them.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ensurePulumi, sdkGenerator } from "./pulumi-cli.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Replaces the SDKs of some languages in a folder, which has a folder for each, and `schema.json`. Needs Go. */
async function writeSdks(folder, languages = []) {
  await ensurePulumi();
  const plugin = join(root, "node_modules", ".bin", "pulumi-resource-rulesets");
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const schema = execFileSync("pulumi", ["package", "get-schema", plugin], { env, maxBuffer: 1 << 26 });
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "schema.json");
  writeFileSync(file, schema);
  execFileSync(sdkGenerator(), [file, folder, ...languages], { stdio: "inherit" });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [folder, ...languages] = process.argv.slice(2);
  if (folder === undefined) throw new Error("which folder? npm run sdks -- <folder> [language …]");
  await writeSdks(resolve(folder), languages);
}
