import "./sdk/needed-node.js";
export { Ruleset, type RulesetArgs, type RulesetState } from "./sdk/resources/ruleset.js";
export { type OwnershipArgs } from "./sdk/resources/rule-outputs.js";
export {
  PhaseEntrypoint,
  type PhaseEntrypointArgs,
  type PhaseEntrypointState,
} from "./sdk/resources/phase-entrypoint.js";
export { RulesetRule, type RulePosition, type RulesetRuleArgs } from "./sdk/resources/ruleset-rule.js";
export { ZoneWafMigration, type ZoneWafMigrationArgs } from "./sdk/resources/zone-waf-migration.js";
export type {
  MigrationAdjustments,
  MigrationOverrides,
  MigrationRuleSelector,
} from "./sdk/resources/generated/bases.js";
export * from "./sdk/resources/generated/classes.js";
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
  type ListCustomHostnamesArgs,
  type ZoneCertificatesArgs,
} from "./sdk/functions/certificates.js";
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
} from "./sdk/functions/rulesets.js";
export {
  getManagedRuleset,
  getManagedRulesetOutput,
  listManagedRules,
  listManagedRulesOutput,
  type GetManagedRulesetArgs,
  type ListManagedRulesArgs,
} from "./sdk/functions/managed-rulesets.js";
export { effectiveRules, effectiveRulesOutput, type EffectiveRulesArgs } from "./sdk/functions/effective-rules.js";
export {
  getZone,
  getZoneOutput,
  listZones,
  listZonesOutput,
  type GetZoneArgs,
  type ListZonesArgs,
} from "./sdk/functions/zones.js";
export { fleetZones, type FleetZone } from "./sdk/functions/fleet-zones.js";
export type { Zone } from "../client/index.js";
export type { EffectiveRule } from "../core/managed/apply-overrides.js";
export {
  diffRulesetVersions,
  diffRulesetVersionsOutput,
  listRulesetVersions,
  listRulesetVersionsOutput,
  type RulesetVersionsArgs,
  type RulesetVersionsDiffArgs,
} from "./sdk/functions/versions.js";
export type { FieldDifference, VersionsDifference } from "../core/rules/compare-versions.js";
export type { ZoneCertificates } from "../core/certificates/assess.js";
export type { ChainAssessment } from "../core/certificates/assessment.js";
export type { AssessableHostname } from "../core/certificates/hostname-rules.js";
export { CHAIN_TIMELINE, chainStage, type ChainStage } from "../core/certificates/timeline.js";
export { bundleMethodOf, describeBundleMethod, type BundleMethod } from "../core/certificates/bundle.js";
export type { CertificateAuthority } from "../core/certificates/authorities.js";
export type {
  CertificatePack,
  CustomCertificate,
  CustomHostname,
  TotalTls,
  ValidationRecord,
} from "../core/model/certificates.js";
export { Provider } from "./sdk/resources/provider.js";
export type { ProviderArgs } from "./sdk/resources/generated/provider-args.js";
export { managedRulesets } from "../core/managed/rulesets.js";
export { and, expression, not, or, type Placeholder } from "./sdk/writing/expression.js";
export type { ExpressionValue } from "./sdk/writing/literal.js";
export { from, inParts, split, stages, until, type RuleStage } from "./sdk/writing/rollout.js";
export { owasp, type OwaspOptions } from "./sdk/writing/owasp.js";
export type * from "./sdk/resources/generated/inputs.js";
/** A rule in the list of a ruleset. A rule that is a separate resource is a {@link RulesetRule}. */
export type { RulesetRule as Rule, WireRulesetRule as WireRule } from "./sdk/resources/generated/inputs.js";
export * as types from "./sdk/resources/types.js";
export type { Action, Kind, Phase } from "../core/model/generated/rule.js";
export type { OnConflict, OnDelete, OnExisting } from "../core/model/options.js";
export type {
  DeployedRule,
  DeployedRuleInfo,
  Ruleset as RulesetContents,
  RulesetSummary,
} from "../core/model/ruleset.js";
export type { MigrationReport } from "../core/previous-waf/readiness/report.js";
export type { MigrationMode, MigrationPhase, RetrievedConfig } from "../core/model/migration.js";
export { RulesetsError, type ErrorCode } from "../core/model/errors.js";
