export { Ruleset, type RulesetArgs, type RulesetState } from "./resources/ruleset.js";
export { type OwnershipArgs } from "./resources/ruleset-resource.js";
export { PhaseEntrypoint, type PhaseEntrypointArgs, type PhaseEntrypointState } from "./resources/phase-entrypoint.js";
export { RulesetRule, type RulePosition, type RulesetRuleArgs } from "./resources/ruleset-rule.js";
export {
  ZoneWafMigration,
  type MigrationAdjustments,
  type MigrationOverrides,
  type MigrationRuleSelector,
  type ZoneWafMigrationArgs,
} from "./resources/zone-waf-migration.js";
export { CustomHostnameCa, type CustomHostnameCaArgs } from "./resources/custom-hostname-ca.js";
export {
  CustomHostnameCertificate,
  type CustomHostnameCertificateArgs,
} from "./resources/custom-hostname-certificate.js";
export { TotalTlsCa, type TotalTlsCaArgs } from "./resources/total-tls-ca.js";
export {
  getTotalTls,
  listCertificatePacks,
  listCustomCertificates,
  listCustomHostnames,
} from "./functions/certificates.js";
export {
  diffRulesetVersions,
  diffRulesetVersionsOutput,
  listRulesetVersions,
  listRulesetVersionsOutput,
  type RulesetVersionsArgs,
  type RulesetVersionsDiffArgs,
} from "./functions/versions.js";
export type { FieldDifference, VersionsDifference } from "./rules/compare-versions.js";
export { assessCertificateChain, type ZoneCertificates } from "./chain/assess.js";
export type { ChainAssessment } from "./chain/assessment.js";
export type { AssessableHostname } from "./chain/hostname-rules.js";
export { CHAIN_TIMELINE, chainStage, type ChainStage } from "./chain/timeline.js";
export { bundleMethodOf, bundleWords, type BundleMethod } from "./chain/bundle.js";
export type { CertificateAuthority } from "./certificates/authorities.js";
export type {
  CertificatePack,
  CustomCertificate,
  CustomHostname,
  TotalTls,
  ValidationRecord,
} from "./model/certificates.js";
export { Provider, type ProviderArgs } from "./resources/provider.js";
export { managedRulesets, owasp, type OwaspOptions } from "./resources/managed-rulesets.js";
export type * from "./resources/generated/inputs.js";
/** A rule in the list of a ruleset; as a resource of its own it is a {@link RulesetRule}. */
export type { RulesetRule as Rule } from "./resources/generated/inputs.js";
export * as types from "./resources/types.js";
export type { Action, Kind, Phase } from "./model/generated/rule.js";
export type { OnConflict, OnDelete, OnExisting } from "./model/options.js";
export type { DeployedRule, DeployedRuleInfo, RulesetSummary } from "./model/ruleset.js";
export type { MigrationReport } from "./kinds/waf-migration/readiness/report.js";
export type { MigrationMode, MigrationPhase, RetrievedConfig } from "./model/migration.js";
export { RulesetsError, type ErrorCode } from "./model/errors.js";
