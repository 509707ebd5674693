import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PackageFacts } from "../engine/package-schema.js";

/** What Pulumi knows of this package. */
export type PackageInfo = PackageFacts;

/** From `package.json`. In Pulumi the package is called `rulesets`, after its types. */
export function packageInfo(): PackageInfo {
  const text = readFileSync(join(__dirname, "..", "..", "..", "package.json"), "utf8");
  const { version, description, license } = JSON.parse(text) as Omit<PackageInfo, "name">;
  return { name: "rulesets", version, description, license };
}
