// Makes the archives of the provider plugin, as `pulumi plugin install resource rulesets` downloads them: the bundle as a single
// executable, which needs no Node. `npm run archives -- FOLDER [PLATFORM …]`; without platforms, all that this machine can make;
// `here` is its own.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundle } from "./bundle.mjs";
import { HERE, nodeBinary, POSSIBLE } from "./node-binaries.mjs";

const { inject } = createRequire(import.meta.url)("postject");
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Where Node's binary says whether it contains a program. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** What Node runs: the bundle, prepared by the Node of the archives. Every platform can read it, as it has no compiled code. */
async function prepareProgram(folder) {
  const [main, output, config] = ["main.cjs", "program.blob", "config.json"].map((name) => join(folder, name));
  await bundle(main);
  writeFileSync(config, JSON.stringify({ main, output, disableExperimentalSEAWarning: true }));
  execFileSync(nodeBinary(HERE), ["--experimental-sea-config", config], { stdio: ["ignore", "ignore", "inherit"] });
  return readFileSync(output);
}

/** Writes the executable of a platform. Only those of macOS are signed, and have to be. */
async function writeExecutable(file, platform, program) {
  copyFileSync(nodeBinary(platform), file);
  chmodSync(file, 0o755);
  const isMac = platform.startsWith("darwin");
  if (isMac) execFileSync("codesign", ["--remove-signature", file]);
  await inject(file, "NODE_SEA_BLOB", program, {
    sentinelFuse: FUSE,
    ...(isMac ? { machoSegmentName: "NODE_SEA" } : {}),
  });
  if (isMac) execFileSync("codesign", ["--sign", process.env.CODESIGN_IDENTITY ?? "-", file]);
}

/** Makes archives in a folder; returns their paths. */
async function makeArchives(folder, platforms = POSSIBLE) {
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), "pulumi-archives-"));
  try {
    const program = await prepareProgram(work);
    const archives = [];
    for (const platform of platforms) {
      const content = join(work, platform);
      mkdirSync(content);
      const executable = platform.startsWith("windows") ? "pulumi-resource-rulesets.exe" : "pulumi-resource-rulesets";
      await writeExecutable(join(content, executable), platform, program);
      copyFileSync(join(root, "LICENSE"), join(content, "LICENSE"));
      copyFileSync(join(work, "main.licenses.txt"), join(content, "licenses.txt"));
      const archive = join(folder, `pulumi-resource-rulesets-v${version}-${platform}.tar.gz`);
      execFileSync("tar", ["-czf", archive, "-C", content, executable, "LICENSE", "licenses.txt"]);
      archives.push(archive);
    }
    return archives;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [folder, ...platforms] = process.argv.slice(2);
  if (folder === undefined) throw new Error("which folder? npm run archives -- FOLDER [PLATFORM …]");
  const named = platforms.map((platform) => (platform === "here" ? HERE : platform));
  const archives = await makeArchives(resolve(folder), named.length === 0 ? undefined : named);
  for (const archive of archives) console.log(`${archive}: ${(statSync(archive).size / 1e6).toFixed(1)} MB`);
}
