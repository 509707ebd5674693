import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "../support/temporary-folder.js";

const ROOT = join(__dirname, "../..");

const FORBIDDEN = [
  "const at = new Date();",
  "export function stage(at: Date = new Date()) { return at; }",
  "const at = Date.now();",
  "const { now } = Date;",
  "const text = Date();",
  "const clock = Date; const at = new clock();",
  "const day = at.toLocaleDateString();",
  'const text = at.toLocaleString("en-US");',
  "const { toLocaleTimeString } = at;",
  "const text = new Intl.DateTimeFormat().format();",
  "const order = a.localeCompare(b);",
  "const hour = at.getHours();",
  "const text = at.toDateString();",
  "const offset = at.getTimezoneOffset();",
  "const chance = Math.random();",
  "const { random } = Math;",
  "const start = performance.now();",
  "const token = process.env.TOKEN;",
  "setTimeout(() => undefined, 10);",
  "globalThis.setTimeout(() => undefined, 10);",
  "queueMicrotask(() => undefined);",
  'const answer = await fetch("https://api.cloudflare.com");',
  'console.log("seen");',
  'import { randomUUID } from "node:crypto";',
  "const id = crypto.randomUUID();",
  // dependency-cruiser follows only a literal in a call of `require`.
  'const late = createRequire(__filename); late("node:fs");',
  'const text = createRequire(__filename)("node:fs");',
  "const text = require(`node:${name}`);",
];

const ALLOWED = [
  "export function stage(at: Date) { return at.getTime(); }",
  "const at = new Date(0);",
  'const at = Date.parse("2024-09-30");',
  "const isDate = (value: unknown) => value instanceof Date;",
  'import { createHash } from "node:crypto";',
  "const largest = Math.max(1, 2);",
  "const hour = at.getUTCHours();",
  "const day = at.toISOString().slice(0, 10);",
  "const key = name.toLowerCase();",
  'const load = late<typeof import("./late.js")>(() => require("./late.js"));',
];

/** The texts in which the linter finds something, if each is a file of a pure folder. */
function found(texts: readonly string[]): string[] {
  const folder = temporaryFolder();
  const nameOf = (index: number): string => join("core", `part${String(index)}.ts`);
  for (const name of ["oxlint.config.mjs", "node_modules"]) symlinkSync(join(ROOT, name), join(folder, name));
  mkdirSync(join(folder, "core"));
  texts.forEach((text, index) => {
    writeFileSync(join(folder, nameOf(index)), text);
  });
  const options = ["-c", "oxlint.config.mjs", "--format", "json"];
  const { stdout } = spawnSync(join(ROOT, "node_modules/.bin/oxlint"), options, { cwd: folder, encoding: "utf8" });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; code: string }[] };
  const files = diagnostics.filter(({ code }) => code.includes("no-restricted-")).map(({ filename }) => filename);
  return texts.filter((_, index) => files.includes(nameOf(index)));
}

it("finds what a pure folder must not use, and allows what depends on its input alone", () => {
  expect(found([...FORBIDDEN, ...ALLOWED])).toEqual(FORBIDDEN);
});

/** The rules of dependency-cruiser that a tree of files violates. */
function violations(files: Readonly<Record<string, string>>): string[] {
  const folder = temporaryFolder();
  cpSync(join(ROOT, "tsconfig.json"), join(folder, "tsconfig.json"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const command = join(ROOT, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
  const options = ["--config", join(ROOT, ".dependency-cruiser.cjs"), "--no-progress", "--output-type", "json", "core"];
  const report = execFileSync(process.execPath, [command, ...options, "provider"], { cwd: folder, encoding: "utf8" });
  const { summary } = JSON.parse(report) as { summary: { violations: { from: string; rule: { name: string } }[] } };
  return summary.violations.map(({ from, rule }) => `${from}: ${rule.name}`);
}

it("finds what a pure folder must not import, and what no folder must import from above", () => {
  const found = violations({
    "core/rules/file.ts": 'import { readFileSync } from "node:fs";\nexport const text = readFileSync("x");\n',
    "core/rules/late.ts": 'export const text = (): unknown => require("../../provider/kinds/run.js");\n',
    "core/rules/rule.ts": 'import { createHash } from "node:crypto";\nexport const hash = createHash("sha256");\n',
    "provider/ownership/session.ts": 'import type { Session } from "../engine/session.js";\nexport type S = Session;\n',
    "provider/engine/session.ts": "export class Session {}\n",
    "provider/kinds/run.ts": 'import { readFileSync } from "node:fs";\nexport const text = readFileSync("x");\n',
  });
  expect(found.filter((text) => !text.includes("no-orphans")).sort()).toEqual([
    "core/rules/file.ts: pure-uses-no-machine",
    "core/rules/late.ts: core-imports",
    "provider/ownership/session.ts: provider/ownership-imports",
  ]);
});
