import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The licenses of all packages in a bundle of files below a folder. Throws for a package without one. */
export function licensesOf(root, files) {
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  const texts = [...new Set(folders)].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const text = readdirSync(join(root, folder)).find((file) => /^licen[cs]e/i.test(file));
    if (text === undefined && license === undefined) throw new Error(`${name} has no license, so it cannot be bundled`);
    return `${name} ${version} (${license})\n\n${text === undefined ? "" : readFileSync(join(root, folder, text), "utf8")}`;
  });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}
