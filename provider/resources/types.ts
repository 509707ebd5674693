/** Types of rules under the names of the vendor's package: `types.input.RulesetRule`. */
export type * as input from "./generated/inputs.js";
