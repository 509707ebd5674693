/** Types of rules under the names that `@pulumi/cloudflare` uses: `types.input.RulesetRule`. */
export type * as input from "./generated/inputs.js";
