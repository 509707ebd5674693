import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/* Compiled code of the plugin, kept for the next run. Real processes: what Node does with a cache is Node's. */

const ROOT = join(__dirname, "..", "..", "..");
const compiledCode = join(ROOT, "dist", "provider", "plugin", "compiled-code.js");

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "compiled-code-"))));
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Loads a package as the plugin loads its bundle, and is killed as the engine kills plugins. Returns what Node says of the cache. */
function run(env: Readonly<Record<string, string>> = {}) {
  const script = `
    const { keepCompiledCode, writeCompiledCode } = require(${JSON.stringify(compiledCode)});
    keepCompiledCode();
    require("axios");
    console.log("loaded");
    writeCompiledCode();
    process.kill(process.pid, "SIGKILL");`;
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", script], {
    cwd: ROOT,
    env: { ...process.env, NODE_DEBUG_NATIVE: "COMPILE_CACHE", XDG_CACHE_HOME: folder, LOCALAPPDATA: folder, ...env },
    encoding: "utf8",
  });
  return stdout + stderr;
}

/** Every file in the cache. */
const files = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

test("the next process of the user takes it, also after the one before was killed", () => {
  expect(run()).toContain("loaded");
  expect(files().length).toBeGreaterThan(0);
  expect(files().every((file) => file.startsWith(join(folder, "pulumi-rulesets", "compiled")))).toBe(true);
  expect(run()).toMatch(/axios.cjs was accepted/);
});

test("a damaged one is not taken", () => {
  run();
  for (const file of files()) truncateSync(file, 100);
  const said = run();
  expect(said).toContain("loaded");
  expect(said).toMatch(/axios.cjs.*cache size mismatch/);
});

test("where nothing can be written, and where it is switched off, code loads as ever", () => {
  expect(run({ XDG_CACHE_HOME: join(compiledCode, "no-folder") })).toContain("loaded");
  expect(run({ NODE_DISABLE_COMPILE_CACHE: "1" })).toContain("loaded");
  expect(files()).toEqual([]);
});
