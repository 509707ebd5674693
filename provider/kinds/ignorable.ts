import { argumentNames } from "../engine/description.js";
import { ARGUMENT_NAMES as AUTHORITY } from "./hostname-ca/model.js";
import { ARGUMENT_NAMES as CERTIFICATE } from "./hostname-certificate/index.js";
import { ignorableNames as inRulesets } from "./ruleset/argument-names.js";
import { TOTAL_TLS_CA } from "./total-tls/description.js";
import { ARGUMENT_NAMES as MIGRATION } from "./waf-migration/model.js";

/** What `ignoreChanges` may name, by kind of resource. */
export const IGNORABLE: Readonly<Record<string, readonly string[]>> = {
  PhaseEntrypoint: inRulesets("PhaseEntrypoint"),
  Ruleset: inRulesets("Ruleset"),
  ZoneWafMigration: MIGRATION,
  CustomHostnameCa: AUTHORITY,
  CustomHostnameCertificate: CERTIFICATE,
  TotalTlsCa: argumentNames(TOTAL_TLS_CA),
};
