import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { GeneratedFile } from "../../generator/index.js";
import { replaceFile } from "../write-output.js";

/** Stops when a folder contains files that would be overwritten. */
export function refuseExisting(folder: string, paths: readonly string[]): void {
  if (existsSync(folder) && !statSync(folder).isDirectory()) throw new Error(`--out ${folder} is a file, not a folder`);
  const existing = paths.filter((path) => existsSync(join(folder, path)));
  if (existing.length === 0) return;
  const why = existsSync(join(folder, ENTRY)) ? "" : `, without ${ENTRY}, as a run that was interrupted leaves them`;
  throw new Error(
    `${folder} already contains ${existing.join(", ")}${why}; nothing was written. ` +
      "To continue: choose another folder with --out, or move them away; files of the project such as Pulumi.yaml stay",
  );
}

/** Without it, Pulumi runs no part of a program. */
const ENTRY = "index.ts";

/**
 * Writes a project. Project files that exist already stay; returns their names. Each file appears as a whole, and the one that runs
 * the others last, so that a run that is interrupted leaves no program.
 */
export function writeProject(
  folder: string,
  program: readonly GeneratedFile[],
  project: readonly GeneratedFile[],
): readonly string[] {
  const kept = project.filter(({ path }) => existsSync(join(folder, path)));
  const files = [...project.filter((file) => !kept.includes(file)), ...program];
  for (const { path, text } of files.toSorted((a, b) => Number(a.path === ENTRY) - Number(b.path === ENTRY)))
    replaceFile(join(folder, path), text);
  return kept.map(({ path }) => path);
}
