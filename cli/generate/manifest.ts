import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GeneratedFile } from "../../generator/index.js";

/** Records which files of a folder were generated, and a hash of each. */
const MANIFEST = ".pulumi-rulesets.json";

/** Only files in the folder itself, whatever the manifest lists. */
const GENERATED_FILE = /^[\w.-]+\.ts$/;

/** Hashes of the files that were generated into a folder, by path; empty if the manifest is missing or unreadable. */
export function readManifest(folder: string): ReadonlyMap<string, string> {
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

export function writeManifest(folder: string, files: readonly GeneratedFile[]): void {
  const generated = Object.fromEntries(files.map(({ path, text }) => [path, hashOf(text)]));
  writeFileSync(join(folder, MANIFEST), `${JSON.stringify({ generated }, undefined, 2)}\n`);
}

/** The hash does not depend on line endings, since version control may change them. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text.replace(/\r\n/g, "\n")).digest("hex");
}
