export { Ruleset, type RulesetArgs, type RulesetState } from "./resources/ruleset.js";
export { type OwnershipArgs } from "./resources/rule-outputs.js";
export { PhaseEntrypoint, type PhaseEntrypointArgs, type PhaseEntrypointState } from "./resources/phase-entrypoint.js";
export { RulesetRule, type RulePosition, type RulesetRuleArgs } from "./resources/ruleset-rule.js";
export { ZoneWafMigration, type ZoneWafMigrationArgs } from "./resources/zone-waf-migration.js";
export type { MigrationAdjustments, MigrationOverrides, MigrationRuleSelector } from "./resources/generated/bases.js";
export * from "./resources/generated/classes.js";
export {
  getTotalTls,
  getTotalTlsOutput,
  listCertificatePacks,
  listCertificatePacksOutput,
  listCustomCertificates,
  listCustomCertificatesOutput,
  listCustomHostnames,
  listCustomHostnamesOutput,
  assessCertificateChain,
} from "./functions/certificates.js";
export {
  getEntrypoint,
  getEntrypointOutput,
  getRulesetVersion,
  getRulesetVersionOutput,
  listRulesets,
  listRulesetsOutput,
  type GetEntrypointArgs,
  type GetRulesetVersionArgs,
  type ListRulesetsArgs,
} from "./functions/rulesets.js";
export {
  getManagedRuleset,
  getManagedRulesetOutput,
  listManagedRules,
  listManagedRulesOutput,
  type GetManagedRulesetArgs,
  type ListManagedRulesArgs,
} from "./functions/managed-rulesets.js";
export {
  effectiveRules,
  effectiveRulesOutput,
  type EffectiveRulesArgs,
  type EffectiveRulesOutputArgs,
} from "./functions/effective-rules.js";
export {
  getZone,
  getZoneOutput,
  listZones,
  listZonesOutput,
  type GetZoneArgs,
  type ListZonesArgs,
} from "./functions/zones.js";
export { fleetZones, type FleetZone } from "./functions/fleet-zones.js";
export type { Zone } from "./client/index.js";
export type { EffectiveRule } from "./managed/apply-overrides.js";
export {
  diffRulesetVersions,
  diffRulesetVersionsOutput,
  listRulesetVersions,
  listRulesetVersionsOutput,
  type RulesetVersionsArgs,
  type RulesetVersionsDiffArgs,
} from "./functions/versions.js";
export type { FieldDifference, VersionsDifference } from "./rules/compare-versions.js";
export type { ZoneCertificates } from "./chain/assess.js";
export type { ChainAssessment } from "./chain/assessment.js";
export type { AssessableHostname } from "./chain/hostname-rules.js";
export { CHAIN_TIMELINE, chainStage, type ChainStage } from "./chain/timeline.js";
export { bundleMethodOf, describeBundleMethod, type BundleMethod } from "./chain/bundle.js";
export type { CertificateAuthority } from "./certificates/authorities.js";
export type {
  CertificatePack,
  CustomCertificate,
  CustomHostname,
  TotalTls,
  ValidationRecord,
} from "./model/certificates.js";
export { Provider } from "./resources/provider.js";
export type { ProviderArgs } from "./resources/generated/provider-args.js";
export { managedRulesets } from "./managed/rulesets.js";
export { and, expression, not, or, type Placeholder } from "./writing/expression.js";
export type { ExpressionValue } from "./writing/literal.js";
export { from, inParts, split, stages, until, type RuleStage } from "./writing/rollout.js";
export { owasp, type OwaspOptions } from "./writing/owasp.js";
export type * from "./resources/generated/inputs.js";
/** A rule in the list of a ruleset. A rule that is a separate resource is a {@link RulesetRule}. */
export type { RulesetRule as Rule, WireRulesetRule as WireRule } from "./resources/generated/inputs.js";
export * as types from "./resources/types.js";
export type { Action, Kind, Phase } from "./model/generated/rule.js";
export type { OnConflict, OnDelete, OnExisting } from "./model/options.js";
export type { DeployedRule, DeployedRuleInfo, Ruleset as RulesetContents, RulesetSummary } from "./model/ruleset.js";
export type { MigrationReport } from "./previous-waf/readiness/report.js";
export type { MigrationMode, MigrationPhase, RetrievedConfig } from "./model/migration.js";
export { RulesetsError, type ErrorCode } from "./model/errors.js";
