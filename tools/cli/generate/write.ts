import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GeneratedFile } from "../../generator/index.js";

/** Stops when a folder contains files that would be overwritten. */
export function refuseExisting(folder: string, paths: readonly string[]): void {
  if (existsSync(folder) && !statSync(folder).isDirectory()) throw new Error(`--out ${folder} is a file, not a folder`);
  const existing = paths.filter((path) => existsSync(join(folder, path)));
  if (existing.length === 0) return;
  throw new Error(
    `${folder} already contains ${existing.join(", ")}; nothing was written. ` +
      "To continue: choose another folder with --out, or move them away; files of the project such as Pulumi.yaml stay",
  );
}

/** Writes a project. Project files that exist already stay; returns their names. */
export function writeProject(
  folder: string,
  program: readonly GeneratedFile[],
  project: readonly GeneratedFile[],
): readonly string[] {
  mkdirSync(folder, { recursive: true });
  const kept = project.filter(({ path }) => existsSync(join(folder, path)));
  for (const { path, text } of [...program, ...project.filter((file) => !kept.includes(file))])
    writeFileSync(join(folder, path), text, { flag: "wx" });
  return kept.map(({ path }) => path);
}
