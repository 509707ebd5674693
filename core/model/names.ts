/** One way to name rules and rulesets, for the provider, the commands, the emulator and the analysis. */
export { quotedRuleName, ruleName, rulesetName, type NamedRule } from "../simulator/names.js";
