// An entry point through the provider plugin, as the class of the generated SDK declares it.
import { createRequire } from "node:module";
import * as pulumi from "@pulumi/pulumi";

const require = createRequire(import.meta.url);
const { resources } = require("../../../schema/pulumi-package.json");
const TYPE = "rulesets:index:PhaseEntrypoint";
const OUTPUTS = Object.fromEntries(Object.keys(resources[TYPE].properties).map((name) => [name, undefined]));

export class PluginEntrypoint extends pulumi.CustomResource {
  constructor(name, args) {
    super(TYPE, name, { ...OUTPUTS, ...args });
  }
}
