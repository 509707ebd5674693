import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GeneratedFile } from "../../generator/index.js";

/** Refuses a folder that holds files that would be overwritten. */
export function refuseExisting(folder: string, paths: readonly string[]): void {
  const there = paths.filter((path) => existsSync(join(folder, path)));
  if (there.length === 0) return;
  throw new Error(
    `${folder} holds ${there.join(", ")} already; nothing was written. ` +
      "To continue: name another folder with --out, or give --overwrite, which replaces the program and leaves the files of the project",
  );
}

/** Writes files that are not there, and those that may be replaced. Returns the paths of those that stay as they are. */
export function writeFiles(
  folder: string,
  files: readonly GeneratedFile[],
  mayReplace: (path: string) => boolean,
): string[] {
  mkdirSync(folder, { recursive: true });
  const kept = files.filter(({ path }) => existsSync(join(folder, path)) && !mayReplace(path));
  for (const { path, text } of files) {
    if (!kept.some((one) => one.path === path)) {
      writeFileSync(join(folder, path), text, { flag: mayReplace(path) ? "w" : "wx" });
    }
  }
  return kept.map(({ path }) => path);
}
