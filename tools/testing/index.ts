// The entry point `pulumi-rulesets/testing`, for unit tests of a firewall.
export { HttpRequest, makeRequest, type RequestInput } from "../../core/language/index.js";
export * from "../../core/simulator/index.js";
export { loadFirewall, loadRulesets, type DeclaredRules, type DeclaredSecret, type LoadOptions } from "./load.js";
export { Firewall, Zone, type TryOptions } from "./firewall.js";
export type { CoverageReport, MissedRule } from "./coverage.js";
export { matchers, type AllowOptions, type By, type MatcherResult, type Rewritten } from "./matchers.js";
export { expect, type FirewallMatchers } from "./expect.js";
