import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const SITE = dirname(dirname(fileURLToPath(import.meta.url)));
export const ROOT = dirname(dirname(SITE));

/** Reads a file of the repository. */
export const read = (path) => readFileSync(join(ROOT, path), "utf8");

export const list = (path) => readdirSync(join(ROOT, path)).toSorted();

export const exists = (path) => existsSync(join(ROOT, path));

export const isFolder = (path) => exists(path) && statSync(join(ROOT, path)).isDirectory();
