import { createRequire } from "node:module";
import { join } from "node:path";
import { RulesetsError } from "../model/errors.js";

const seen = new Set<string>();

/**
 * Refuses a program from whose folder the provider process will not find this package: that process starts in the
 * program's folder, whoever imported the package. It happens where only a library of a workspace depends on it.
 */
export function requireInstalled(type: string, name: string, folder: string = process.cwd()): void {
  if (seen.has(folder)) return;
  if (!isFoundFrom(folder)) {
    throw new RulesetsError(
      `${type} ${name}: the package pulumi-rulesets cannot be found from ${folder}, where the provider runs. ` +
        `To continue: make it a dependency of the project in that folder too, not only of a library that the program uses.`,
      { code: "PACKAGE_NOT_FOUND" },
    );
  }
  seen.add(folder);
}

function isFoundFrom(folder: string): boolean {
  try {
    createRequire(join(folder, "program.js")).resolve("pulumi-rulesets/package.json");
    return true;
  } catch {
    return false;
  }
}
