// The two dynamic providers that the package is compared with. They do nothing.
import { createRequire } from "node:module";
import * as pulumi from "@pulumi/pulumi";

const require = createRequire(import.meta.url);

/** The least that a dynamic provider can do: it returns its inputs. */
const inputsOnly = {
  check: async (olds, inputs) => ({ inputs }),
  diff: async (id, olds, news) => ({ changes: JSON.stringify(olds.rules) !== JSON.stringify(news.rules) }),
  create: async (inputs) => ({ id: `${inputs.zoneId}/${inputs.phase}`, outs: inputs }),
  update: async (id, olds, news) => ({ outs: news }),
  read: async (id, props) => ({ id, props }),
  delete: async () => undefined,
};

export class InputsOnly extends pulumi.dynamic.Resource {
  constructor(name, args) {
    super(inputsOnly, name, args);
  }
}

const LINE = `exports.handler = () => require(${JSON.stringify(require.resolve("./same-state.cjs"))});`;
const TYPE = "pulumi-nodejs:dynamic/rulesets:SameState";
/** The outputs of `PhaseEntrypoint` that these programs do not pass as arguments. */
const OUTPUTS = [
  ...["accountId", "name", "description", "order", "version"],
  ...["previousVersion", "lastUpdated", "rulesetId", "deployedRules", "ruleIds"],
];

/** The same state as a `PhaseEntrypoint`, from a provider that does nothing. */
export class SameState extends pulumi.CustomResource {
  constructor(name, args) {
    const __urn = `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::${TYPE}::${name}`;
    const outputs = Object.fromEntries(OUTPUTS.map((output) => [output, undefined]));
    super(TYPE, name, { ...outputs, ...args, __provider: LINE, __urn });
  }
}
