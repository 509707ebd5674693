// Finds the Pulumi command on the PATH or in the user's cache; otherwise gets it from the official installer, or builds it from
// the Go module proxy on machines that can only access package registries. Such a build lacks the Node language host;
// tools/language-host replaces it.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const VERSION = "3.259.0";
const root = dirname(dirname(fileURLToPath(import.meta.url)));

function onPath() {
  const found = spawnSync("pulumi", ["version"], { encoding: "utf8" });
  return found.status === 0 ? found.stdout.trim() : undefined;
}

function cacheFolder() {
  const base = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  return join(base, "pulumi-rulesets", `pulumi-v${VERSION}`);
}

async function install(folder, log) {
  const { PulumiCommand } = await import("@pulumi/pulumi/automation/index.js");
  const semver = await import("semver");
  const timeout = new Promise((_, reject) => {
    setTimeout(() => reject(new Error("it took longer than two minutes")), 120_000).unref();
  });
  try {
    log(`Pulumi is not on the PATH; installing version ${VERSION} …`);
    await Promise.race([PulumiCommand.install({ root: folder, version: new semver.default.SemVer(VERSION) }), timeout]);
    return existsSync(join(folder, "bin", "pulumi"));
  } catch {
    return false;
  }
}

function build(folder, log) {
  log("The installer failed; building Pulumi from the Go module proxy, once. This takes about six minutes …");
  mkdirSync(join(folder, "bin"), { recursive: true });
  const flags = `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${VERSION}`;
  const target = join(folder, "bin", "pulumi");
  execFileSync(
    "go",
    ["build", "-ldflags", flags, "-o", `${target}.new`, "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"],
    {
      cwd: join(root, "tools", "pulumi-cli"),
      stdio: "inherit",
      env: { ...process.env, CGO_ENABLED: "0" },
    },
  );
  renameSync(`${target}.new`, target);
}

/** Makes `pulumi` and the host of dynamic resources available on the PATH of this process and its children. */
export async function ensurePulumi(log = console.error) {
  const bins = [join(root, "node_modules", "@pulumi", "pulumi")];
  if (onPath() === undefined) {
    const folder = cacheFolder();
    if (!existsSync(join(folder, "bin", "pulumi")) && !(await install(folder, log))) build(folder, log);
    bins.push(join(folder, "bin"));
  }
  process.env.PATH = [...bins, process.env.PATH].join(delimiter);
  const version = onPath();
  if (version === undefined)
    throw new Error("the Pulumi command could not be installed: install it from https://www.pulumi.com/docs/install");
  return version;
}

/** Makes a Node language host available for `pulumi up`, after `ensurePulumi`; returns a description of it. */
export function ensureLanguageHost() {
  const folders = process.env.PATH.split(delimiter);
  const name = process.platform === "win32" ? "pulumi-language-nodejs.exe" : "pulumi-language-nodejs";
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  const replacement = join(root, "tools", "language-host");
  process.env.PATH = [process.env.PATH, replacement].join(delimiter);
  return `${join(replacement, name)} (Pulumi's own is not on this machine)`;
}
