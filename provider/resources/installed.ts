import { createRequire } from "node:module";
import { join } from "node:path";
import { RulesetsError } from "../model/errors.js";

const seen = new Set<string>();

/**
 * Refuses a program if this package cannot be found from its folder, because the provider process starts there. This happens
 * in a workspace when only a library depends on the package.
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
