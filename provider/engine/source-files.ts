import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SourceFiles } from "../rules/rule-line.js";

const ENDINGS = ["", ".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", "/index.ts", "/index.js"];

/** The files of a program on this machine. */
export const sourceFiles: SourceFiles = {
  read: (file) => {
    try {
      return readFileSync(file, "utf8");
    } catch {
      // A folder, or a file that is not on this machine.
      return undefined;
    }
  },
  resolve: (file, specifier) => {
    const path = join(dirname(file), specifier);
    // TypeScript imports a file under the name that it has once it is compiled.
    const compiled = /\.[cm]?js$/.test(path) ? [path.replace(/js$/, "ts")] : [];
    return [...compiled, ...ENDINGS.map((ending) => `${path}${ending}`)];
  },
};
