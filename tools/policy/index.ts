// The entry point `pulumi-rulesets/policy`, for policy packs of Pulumi.
export { invariants, type InvariantsPolicy, type InvariantsPolicyOptions, type ZoneFacts } from "./invariants.js";
