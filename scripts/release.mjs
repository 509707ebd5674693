// Makes a release, except for the upload: `npm run release -- <version or patch, minor, major> [folder] [--dry-run]`. All is made
// in a clone of the last commit, and lies in the folder at the end (default: release/): the package, the archives and the SDKs
// of the provider plugin, its schema, the extension for VS Code, the website, a bill of materials and checksums. Then this checkout gets the commit and the
// tag; with --dry-run it does not.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import semver from "semver";
import { notesOf, withVersion } from "./release/changelog.cjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The extension for VS Code, a package of its own. */
const EXTENSION = join("apps", "vscode");
/** From the lock file: what is installed here also has Node itself, which comes with a development dependency. */
const SBOM = ["sbom", "--package-lock-only", "--omit", "dev", "--sbom-format", "cyclonedx"];
/** Where the version is written, besides the manifest and what is generated from it. */
const NAMING = [
  "docs/getting-started.md",
  "docs/plugin.md",
  "examples/languages/dotnet/rulesets-dotnet.csproj",
  "examples/languages/go/go.mod",
  "examples/languages/typescript/package.json",
  "examples/replay-on-spark/README.md",
  "examples/templates/typescript/package.json",
];

const { values, positionals } = parseArgs({ allowPositionals: true, options: { "dry-run": { type: "boolean" } } });
const isDry = values["dry-run"] === true;
const [wanted, target = "release"] = positionals;
const folder = resolve(root, target);

const write = (name, text) => writeFileSync(join(folder, name), text);
const print = (line) => process.stdout.write(`${line}\n`);
const run = (cwd, command, args, options = {}) =>
  execFileSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"], maxBuffer: 1 << 28, ...options });
const read = (cwd, command, args) =>
  run(cwd, command, args, { stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" });

const { version: last } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const version = semver.valid(wanted) ?? semver.inc(last, wanted ?? "");
if (version === null || semver.lt(version, last))
  throw new Error(
    `which version after ${last}? npm run release -- <version, patch, minor or major> [folder] [--dry-run]`,
  );
if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`);
if (!isDry && read(root, "git", ["status", "--porcelain"]).trim() !== "")
  throw new Error("there are changes that are not committed");

const work = mkdtempSync(join(tmpdir(), "pulumi-rulesets-release-"));
try {
  // npm names what it lists in the bill of materials after the folder.
  release(join(work, "pulumi-rulesets"));
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`no release: ${error.message}. What was made until then is in ${folder}.\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function release(clone) {
  run(root, "git", ["clone", "--quiet", "--shared", root, clone]);
  // So that the clone need not install and compile everything again.
  linkFiles(join(root, "node_modules"), join(clone, "node_modules"));
  cpSync(join(root, "dist"), join(clone, "dist"), { recursive: true });
  setVersion(clone);
  mkdirSync(folder, { recursive: true });
  const steps = {
    package: () => run(clone, "npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder]),
    // With --dry-run, `npm test` has made one with the same script, and run it.
    ...(isDry ? {} : { archives: () => run(clone, "node", ["--no-warnings", "scripts/plugin/archives.mjs", folder]) }),
    SDKs: () => writeSdks(clone),
    extension: () => writeExtension(clone),
    website: () => writeSite(clone),
    "bill of materials": () => write("sbom.cdx.json", read(clone, "npm", SBOM)),
    notes: () => write("notes.md", notesOf(readFileSync(join(clone, "CHANGELOG.md"), "utf8"), version)),
    checksums: () => write("SHA256SUMS", checksums()),
  };
  for (const [name, step] of Object.entries(steps)) {
    const started = Date.now();
    step();
    print(`${name}: ${((Date.now() - started) / 1000).toFixed(0)} s`);
  }
  for (const name of readdirSync(folder)) print(`  ${join(target, name)}`);
  if (isDry) return print("This was a dry run: no commit, and no tag.");
  run(clone, "git", ["commit", "--quiet", "--all", "--message", `Release ${version}`]);
  run(root, "git", ["pull", "--quiet", "--ff-only", clone, "HEAD"]);
  run(root, "git", ["tag", "--annotate", `v${version}`, "--message", `Version ${version}`]);
  print(`The commit and the tag v${version} are in this checkout. To publish:
  git push --follow-tags
  npm publish --provenance ${join(target, `pulumi-rulesets-${version}.tgz`)}
  gh release create v${version} --notes-file ${join(target, "notes.md")} ${target}/*`);
}

/** Copies a folder of files that nothing writes, as hard links where that is possible. */
function linkFiles(from, to) {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    // Caches change while somebody uses them.
    if (entry.name === ".cache") continue;
    const [file, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkFiles(file, copy);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(file), copy);
    else
      try {
        linkSync(file, copy);
      } catch {
        copyFileSync(file, copy);
      }
  }
}

/** Writes the version and the day of the release, and builds what has another version in it. */
function setVersion(clone) {
  for (const place of [clone, join(clone, EXTENSION)])
    run(place, "npm", ["version", version, "--no-git-tag-version", "--allow-same-version", "--ignore-scripts"]);
  for (const name of NAMING) {
    const file = join(clone, name);
    const text = readFileSync(file, "utf8");
    if (!text.includes(last)) throw new Error(`${name} does not name version ${last}`);
    writeFileSync(file, text.replaceAll(last, version));
  }
  const changes = join(clone, "CHANGELOG.md");
  writeFileSync(changes, withVersion(readFileSync(changes, "utf8"), version, new Date().toISOString().slice(0, 10)));
  // Nothing in the clone has another version than what the command has built here.
  if (isDry && version === last) return;
  run(clone, "npm", ["run", "--silent", "build"]);
  run(clone, "npm", ["run", "--silent", "generate"]);
}

function writeSdks(clone) {
  const sdks = join(clone, ".sdks");
  run(clone, "node", ["--no-warnings", "scripts/sdks.mjs", sdks]);
  cpSync(join(sdks, "schema.json"), join(folder, "schema.json"));
  for (const language of readdirSync(sdks, { withFileTypes: true }).filter((one) => one.isDirectory()))
    run(sdks, "tar", ["-czf", join(folder, `sdk-${language.name}-${version}.tar.gz`), language.name]);
  rmSync(sdks, { recursive: true });
}

function writeExtension(clone) {
  const packed = join(clone, EXTENSION);
  run(clone, "node", ["--no-warnings", "scripts/check-vscode.mjs"]);
  cpSync(join(packed, `pulumi-rulesets-${version}.vsix`), join(folder, `pulumi-rulesets-${version}.vsix`));
}

/** With what is installed, if it is. */
function writeSite(clone) {
  const site = join(clone, "apps", "site");
  const modules = join("apps", "site", "node_modules");
  if (existsSync(join(root, modules))) linkFiles(join(root, modules), join(clone, modules));
  else run(site, "npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]);
  run(site, "npm", ["run", "--silent", "build"]);
  run(site, "tar", ["-czf", join(folder, `site-${version}.tar.gz`), "dist"]);
}

/** As `sha256sum --check SHA256SUMS` reads them. */
function checksums() {
  const sum = (name) =>
    createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
  return readdirSync(folder)
    .map((name) => `${sum(name)}  ${name}\n`)
    .join("");
}
