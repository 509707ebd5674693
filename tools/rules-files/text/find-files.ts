import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** What kind of files to find. */
interface WantedFiles {
  /** `firewall` finds `*.firewall.yaml`, `.yml` and `.json`. */
  readonly ending: string;
  /** For messages: `tests`. */
  readonly what: string;
  /** Whether a path may be missing, and no file be found. */
  readonly mayBeGone?: boolean;
}

/** The given files, and those with the ending in or below the given folders. Throws if there are none. */
export function findFiles(
  paths: readonly string[],
  { ending, what, mayBeGone = false }: WantedFiles,
): readonly string[] {
  const pattern = new RegExp(`\\.${ending}\\.(ya?ml|json)$`);
  const files = paths.flatMap((path) => {
    const exists = existsSync(path);
    if (!exists && mayBeGone) return [];
    if (!exists) throw new Error(`${path} does not exist`);
    return statSync(path).isDirectory() ? inFolder(path, pattern) : [path];
  });
  if (files.length === 0 && !mayBeGone)
    throw new Error(`no ${what} found: no file in ${paths.join(", ")} ends in .${ending}.yaml`);
  return files;
}

function inFolder(folder: string, pattern: RegExp): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return entry.name === "node_modules" || entry.name.startsWith(".") ? [] : inFolder(path, pattern);
    return pattern.test(entry.name) ? [path] : [];
  });
}
