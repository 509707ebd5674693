// Finds the command of Temporal, with its development server, on the PATH or in the user's cache; otherwise builds it from the Go
// module proxy.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const VERSION = "1.5.1";
const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The path of the command. */
export function ensureTemporal(log = console.error) {
  if (spawnSync("temporal", ["--version"]).status === 0) return "temporal";
  const base = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  const folder = join(base, "pulumi-rulesets", `temporal-v${VERSION}`, "bin");
  const target = join(folder, process.platform === "win32" ? "temporal.exe" : "temporal");
  if (existsSync(target)) return target;
  log("Building Temporal from the Go module proxy, once. This takes about eight minutes …");
  mkdirSync(folder, { recursive: true });
  const unfinished = `${target}.${String(process.pid)}`;
  execFileSync("go", ["build", "-ldflags", "-s -w", "-o", unfinished, "github.com/temporalio/cli/cmd/temporal"], {
    cwd: join(root, "scripts", "engine", "temporal-cli"),
    stdio: "inherit",
    env: { ...process.env, CGO_ENABLED: "0" },
  });
  renameSync(unfinished, target);
  return target;
}
