import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "../../support/temporary-folder.js";

/* Compiled code of the provider, kept for the next run. Real processes: what Node does with a cache is Node's. */

const ROOT = join(__dirname, "..", "..", "..");
const border = join(ROOT, "dist", "provider", "border");
const compiledCode = join(border, "compiled-code.js");
const axios = require.resolve("axios");

let folder: string;
beforeEach(() => (folder = temporaryFolder()));

/** Loads a package as the plugin loads its bundle, and is killed as the engine kills plugins. Returns what Node says of the cache. */
function run(env: Readonly<Record<string, string>> = {}): string {
  const script = `
    const { keepCompiledCode, writeCompiledCode } = require(${JSON.stringify(compiledCode)});
    keepCompiledCode();
    require(${JSON.stringify(axios)});
    console.log("loaded");
    writeCompiledCode();
    process.kill(process.pid, "SIGKILL");`;
  return node(["-e", script], env);
}

function node(args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NODE_DEBUG_NATIVE: "COMPILE_CACHE",
      ...{ HOME: folder, XDG_CACHE_HOME: folder, LOCALAPPDATA: folder },
      ...env,
    },
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
  expect(files().every((file) => file.includes(join("pulumi-rulesets", "compiled")))).toBe(true);
  expect(run()).toMatch(/axios.cjs was accepted/);
});

test("the next host of dynamic resources takes it, after the engine has ended the one before", () => {
  const host = join(folder, "cmd", "dynamic-provider", "index.js");
  mkdirSync(dirname(host), { recursive: true });
  const runtime = JSON.stringify(join(border, "dynamic", "index.js"));
  writeFileSync(host, `require(${runtime}).load("PhaseEntrypoint", 1); process.kill(process.pid, "SIGINT");`);
  node([host, "127.0.0.1:1"]);
  expect(node([host, "127.0.0.1:1"])).toMatch(/adapter.js was accepted/);
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

test("without a home, and where a variable names no absolute folder, nothing is written into the folder of the program", () => {
  expect(run({ HOME: "", XDG_CACHE_HOME: "", LOCALAPPDATA: "", USERPROFILE: "" })).toContain("loaded");
  expect(run({ HOME: "home", XDG_CACHE_HOME: "caches", LOCALAPPDATA: "caches", USERPROFILE: "home" })).toContain(
    "loaded",
  );
  expect(files()).toEqual([]);
});

const canBeNobody = process.platform === "linux" && process.getuid?.() === 0;

(canBeNobody ? test : test.skip)("a user without a home or a name can start it", () => {
  const script = `process.setuid(54321); require(${JSON.stringify(compiledCode)}).keepCompiledCode(); console.log("loaded")`;
  const { stdout } = spawnSync(process.execPath, ["-e", script], { env: {}, encoding: "utf8" });
  expect(stdout).toContain("loaded");
});
