import { execFileSync } from "node:child_process";
import { join, sep } from "node:path";
import { KINDS } from "../../../provider/kinds/index.js";

/*
 * What a provider process loads before its first call decides how long every run waits for it. The list is the same on every
 * machine, unlike the time.
 */

const ROOT = join(__dirname, "..", "..", "..");
const RUNTIME = join(ROOT, "dist", "provider", "border", "dynamic", "index.js");

/** The modules that a new process has loaded after this code, relative to the package. */
function loadedBy(code: string): string[] {
  const script = `${code}; process.stdout.write(JSON.stringify(Object.keys(require.cache)))`;
  const files = JSON.parse(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" })) as string[];
  return files.map((file) => file.slice(ROOT.length + 1).replaceAll(sep, "/"));
}

const requireRuntime = `const { load } = require(${JSON.stringify(RUNTIME)})`;
const ofKind = (kind: string): string[] => loadedBy(`${requireRuntime}; load(${JSON.stringify(kind)}, 1)`);

/** Packages, the compilers of schemas and patterns, and what only some checks, commands and tests need. */
const NOT_YET =
  /(^|\/)node_modules\/|^dist\/(core\/(analysis|simulator)|emulator|tools)\/|generated\/validate-|^dist\/provider\/sdk\//;
/** Shared with the analysis and the emulator, so in the simulator, which imports nothing of the provider. */
const SHARED = [
  "challenges",
  "custom-overrides",
  "late-skips",
  "managed-rulesets",
  "moves",
  "names",
  "read-property",
].map((name) => `dist/core/simulator/${name}.js`);

/** By kind, the most modules that a process with one resource of it loads: somewhat more than now, as files are also split. */
const MOST: Partial<Record<keyof typeof KINDS, number>> = {
  Ruleset: 192,
  PhaseEntrypoint: 192,
  RulesetRule: 190,
  RulesList: 143,
  ZoneWafMigration: 191,
};
/** The most for every other kind. */
const MOST_OF_OTHERS = 130;
const BOUNDS = Object.keys(KINDS).map((kind) => [kind, MOST[kind as keyof typeof KINDS] ?? MOST_OF_OTHERS] as const);

test("the runtime alone loads few modules, and none of the rules language or of a kind", () => {
  const loaded = loadedBy(requireRuntime);
  expect(loaded).toContain("dist/provider/border/dynamic/adapter.js");
  expect(loaded.filter((file) => NOT_YET.test(file) && !SHARED.includes(file))).toEqual([]);
  expect(
    loaded.filter((file) => /^dist\/(core\/language\/|provider\/kinds\/(?!index|certificates\/[^/]*caa))/.test(file)),
  ).toEqual([]);
  expect(loaded.length).toBeLessThanOrEqual(65);
});

test.each(BOUNDS)("a %s adds its own modules, at most %i in all", (kind, most) => {
  const loaded = ofKind(kind);
  expect(loaded.filter((file) => NOT_YET.test(file) && !SHARED.includes(file))).toEqual([]);
  expect(loaded.length).toBeLessThanOrEqual(most);
});

test.each(["PhaseEntrypoint", "RulesetRule", "CustomHostnameCa"])(
  "a %s loads the rules language when it first compares or checks a rule",
  (kind) => {
    expect(ofKind(kind).filter((file) => file.startsWith("dist/core/language/"))).toEqual([
      "dist/core/language/finding.js",
    ]);
  },
);

test("a package or a compiler would be found", () => {
  const loaded = loadedBy(
    `${requireRuntime}; require("axios"); require(${JSON.stringify(join(ROOT, "dist/core/analysis/index.js"))})`,
  );
  expect(loaded.filter((file) => NOT_YET.test(file))).toEqual(
    expect.arrayContaining([expect.stringContaining("node_modules/axios/"), "dist/core/analysis/index.js"]),
  );
});

test("a provider plugin sends requests without loading Node's fetch", () => {
  const axios = (before: string): boolean => {
    const script = `${before}; require("axios"); console.log(process.moduleLoadList.some((one) => one.includes("undici")))`;
    return execFileSync(process.execPath, ["-e", script], { cwd: ROOT, encoding: "utf8" }).trim() === "true";
  };
  const module = JSON.stringify(join(ROOT, "dist", "provider", "border", "grpc", "small-process.js"));
  expect(axios("")).toBe(true);
  expect(axios(`require(${module}).keepProcessSmall()`)).toBe(false);
});
