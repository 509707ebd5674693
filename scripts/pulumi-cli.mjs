// Finds the Pulumi command on the PATH or in the user's cache; otherwise gets it from the official installer, or builds it from
// the Go module proxy on machines that can only access package registries. Such a build has no language hosts: that of YAML is
// built in the same way, and scripts/engine/language-host replaces those that are on no registry.
import { spawnSync } from "node:child_process";
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

const executable = (name) => (process.platform === "win32" ? `${name}.exe` : name);

/** Builds a Go program of a module under scripts/engine/ into the cache; returns its path. */
function build(module, main, name) {
  const folder = join(cacheFolder(), "bin");
  mkdirSync(folder, { recursive: true });
  const flags = `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${VERSION}`;
  const target = join(folder, executable(name));
  const unfinished = `${target}.${String(process.pid)}`;
  const { error, status, stderr } = spawnSync("go", ["build", "-ldflags", flags, "-o", unfinished, main], {
    cwd: join(root, "scripts", "engine", module),
    encoding: "utf8",
    stdio: ["ignore", "inherit", "pipe"],
    env: { ...process.env, CGO_ENABLED: "0" },
  });
  // Hundreds of lines name the modules that Go downloads.
  const told = stderr?.replace(/^go: downloading .*\n/gm, "") ?? "";
  if (status !== 0) throw new Error(`go build ${main} failed: ${told}`, { cause: error });
  renameSync(unfinished, target);
  return target;
}

/** The path of such a program, which is built if it is not in the cache. */
export function buildOnce(module, main, name, time) {
  const target = join(cacheFolder(), "bin", executable(name));
  if (existsSync(target)) return target;
  console.error(`Building ${name} from the Go module proxy, once. This takes about ${time} …`);
  return build(module, main, name);
}

function findOnPath(name) {
  const folders = process.env.PATH.split(delimiter);
  return folders.map((folder) => join(folder, executable(name))).find((path) => existsSync(path));
}

/** Makes `pulumi` and the host of dynamic resources available on the PATH of this process and its children. */
export async function ensurePulumi(log = console.error) {
  const bins = [join(root, "node_modules", "@pulumi", "pulumi")];
  if (onPath() === undefined) {
    const folder = cacheFolder();
    if (!existsSync(join(folder, "bin", "pulumi")) && !(await install(folder, log))) {
      log("The installer failed; building Pulumi from the Go module proxy, once. This takes about six minutes …");
      build("pulumi-cli", "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi", "pulumi");
    }
    bins.push(join(folder, "bin"));
  }
  process.env.PATH = [...bins, process.env.PATH].join(delimiter);
  const version = onPath();
  if (version === undefined)
    throw new Error("the Pulumi command could not be installed: install it from https://www.pulumi.com/docs/install");
  return version;
}

/**
 * Makes the language hosts of Node, Python and Go available for `pulumi up`, after `ensurePulumi`: Pulumi's own, or their
 * replacements. Returns a description of Node's.
 */
export function ensureLanguageHost() {
  const found = findOnPath("pulumi-language-nodejs");
  if (found !== undefined) return found;
  const replacement = join(root, "scripts", "engine", "language-host");
  process.env.PATH = [process.env.PATH, replacement].join(delimiter);
  return `${join(replacement, "pulumi-language-nodejs")} (Pulumi's own is not on this machine)`;
}

/** Makes the language host of YAML programs available, after `ensurePulumi`. */
export function ensureYamlHost() {
  const name = "pulumi-language-yaml";
  if (findOnPath(name) !== undefined) return;
  const host = buildOnce("pulumi-yaml", `github.com/pulumi/pulumi-yaml/cmd/${name}`, name, "two minutes");
  process.env.PATH = [process.env.PATH, dirname(host)].join(delimiter);
}

/** The program that generates SDKs, built from what scripts/engine/pulumi-sdks is now. */
export function sdkGenerator() {
  return build("pulumi-sdks", ".", "pulumi-sdks");
}
