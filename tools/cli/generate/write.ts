import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHash } from "node:crypto";
import type { GeneratedFile } from "../../generator/index.js";

/** Stops when a folder contains files that would be overwritten. */
export function refuseExisting(folder: string, paths: readonly string[]): void {
  if (existsSync(folder) && !statSync(folder).isDirectory()) throw new Error(`--out ${folder} is a file, not a folder`);
  const existing = paths.filter((path) => existsSync(join(folder, path)));
  if (existing.length === 0) return;
  throw new Error(
    `${folder} already contains ${existing.join(", ")}; nothing was written. ` +
      "To continue: choose another folder with --out, or pass --overwrite, which replaces the program and keeps the project files",
  );
}

/** Stops before replacing a program with one that lacks something only because it could not be read. */
export function refuseIncomplete(folder: string, paths: readonly string[], missing: readonly string[]): void {
  if (!paths.some((path) => existsSync(join(folder, path)))) return;
  throw new Error(
    [
      `The program in ${folder} was not replaced, because the new one would lack what could not be read, and \`pulumi up\` would delete that:`,
      ...missing.map((line) => `  ${line}`),
      "To continue: run the command again, choose another folder with --out, or, if it is gone, remove the file that declares it",
    ].join("\n"),
  );
}

/** A zone or an account that the program in a folder declares, with its file. */
export interface EarlierScope {
  readonly level: "zones" | "accounts";
  readonly id: string;
  readonly path: string;
  readonly text: string;
}

/** How a generated file begins: it names its zone or account. */
const SCOPE = /^const (zone|account)Id = "([0-9a-f]{32})";$/m;

/** The zones and accounts of the program that was generated into a folder. */
export function earlierScopes(folder: string): readonly EarlierScope[] {
  return [...readManifest(folder).keys()].flatMap((path): EarlierScope[] => {
    const text = existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8").replace(/\r/g, "") : "";
    const [, level, id] = SCOPE.exec(text) ?? [];
    return id === undefined ? [] : [{ level: level === "zone" ? "zones" : "accounts", id, path, text }];
  });
}

/** What to report about files that already existed. */
export interface Replaced {
  /** Not replaced, because they are not part of the program. */
  readonly kept: readonly string[];
  /** Replaced although they had been changed since they were generated, and where the old text was saved. */
  readonly saved: readonly { readonly path: string; readonly copy: string }[];
  /** Generated earlier, no longer part of the program, and unchanged. */
  readonly removed: readonly string[];
  /** Generated earlier, no longer part of the program, but changed since, so they were not removed. */
  readonly left: readonly string[];
}

/**
 * Writes a project. Existing project files stay, program files are replaced, and files that were generated earlier but are no
 * longer part of the program are removed. Files that were changed by hand are never lost.
 */
export function writeProject(
  folder: string,
  program: readonly GeneratedFile[],
  project: readonly GeneratedFile[],
): Replaced {
  mkdirSync(folder, { recursive: true });
  const generated = readManifest(folder);
  const textOf = (path: string): string | undefined =>
    existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : undefined;
  const isChanged = (path: string, text: string): boolean => generated.get(path) !== hashOf(text);

  const kept = new Set(project.flatMap(({ path }) => (existsSync(join(folder, path)) ? [path] : [])));
  for (const { path, text } of project.filter((file) => !kept.has(file.path)))
    writeFileSync(join(folder, path), text, { flag: "wx" });

  const saved = program.flatMap(({ path, text }) => {
    const before = textOf(path);
    const isLost = before !== undefined && hashOf(before) !== hashOf(text) && isChanged(path, before);
    const copy = isLost ? saveCopy(folder, path, before) : undefined;
    writeFileSync(join(folder, path), text);
    return copy === undefined ? [] : [{ path, copy }];
  });

  const current = new Set(program.map(({ path }) => path));
  const old = [...generated.keys()].filter((path) => !current.has(path) && textOf(path) !== undefined);
  const left = new Set(old.filter((path) => isChanged(path, textOf(path) ?? "")));
  const removed = old.filter((path) => !left.has(path));
  for (const path of removed) rmSync(join(folder, path));
  writeManifest(folder, program);
  return { kept: [...kept], saved, removed, left: [...left] };
}

/** Saves a text next to its file, under an unused name. */
function saveCopy(folder: string, path: string, text: string): string {
  for (let number = 0; ; number += 1) {
    const copy = `${path}.orig${number === 0 ? "" : String(number)}`;
    if (existsSync(join(folder, copy))) continue;
    writeFileSync(join(folder, copy), text, { flag: "wx" });
    return copy;
  }
}

/** Records which files of a folder were generated, and a hash of each. */
const MANIFEST = ".pulumi-rulesets.json";

/** Only files in the folder itself, whatever the manifest lists. */
const GENERATED_FILE = /^[\w.-]+\.ts$/;

/** Hashes of the files that were generated into a folder, by path; empty if the manifest is missing or unreadable. */
function readManifest(folder: string): ReadonlyMap<string, string> {
  try {
    const { generated } = JSON.parse(readFileSync(join(folder, MANIFEST), "utf8")) as { readonly generated?: unknown };
    const entries = typeof generated === "object" && generated !== null ? Object.entries(generated) : [];
    return new Map(
      entries.flatMap(([path, hash]) =>
        GENERATED_FILE.test(path) && typeof hash === "string" ? [[path, hash] as const] : [],
      ),
    );
  } catch {
    return new Map();
  }
}

function writeManifest(folder: string, files: readonly GeneratedFile[]): void {
  const generated = Object.fromEntries(files.map(({ path, text }) => [path, hashOf(text)]));
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify({ generated }, undefined, 2)}\n`);
}

/** The hash does not depend on line endings, since version control may change them. */
function hashOf(text: string): string {
  return createHash("sha256").update(text.replace(/\r\n/g, "\n")).digest("hex");
}
