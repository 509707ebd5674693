/** The parts of rules, where programs written for the vendor's package look for them: `types.input.RulesetRule`. */
export type * as input from "./generated/inputs.js";
