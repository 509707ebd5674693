import { packageSchema, type PackageFacts, type PackageSchema } from "../../engine/package-schema.js";
import { LOOKUPS } from "../../sdk/functions/index.js";
import { DESCRIPTIONS } from "../../kinds/descriptions.js";
import { exampleText } from "./examples.js";
import { SETTINGS } from "../../../core/model/settings.js";

/** The package schema that every language's SDK is generated from. */
export function wholeSchema(info: PackageFacts): PackageSchema {
  return packageSchema(DESCRIPTIONS, info, {
    settings: SETTINGS,
    functions: LOOKUPS.map(({ description }) => description),
    alias: (type) => `pulumi-nodejs:dynamic/rulesets:${type}`,
    examples: exampleText,
  });
}
