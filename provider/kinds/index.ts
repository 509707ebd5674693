import type { Lifecycle } from "../engine/lifecycle.js";
import { customHostnameLifecycle } from "./hostname-ca/index.js";
import { hostnameCertificateLifecycle } from "./hostname-certificate/index.js";
import { migrationLifecycle } from "./waf-migration/index.js";
import { totalTlsLifecycle } from "./total-tls/index.js";
import { rulesetLifecycle } from "./ruleset/index.js";

/** Every kind of resource, by the name that stands in states. */
export const LIFECYCLES: Readonly<Record<string, Lifecycle>> = {
  Ruleset: rulesetLifecycle("Ruleset"),
  PhaseEntrypoint: rulesetLifecycle("PhaseEntrypoint"),
  ZoneWafMigration: migrationLifecycle,
  CustomHostnameCa: customHostnameLifecycle,
  CustomHostnameCertificate: hostnameCertificateLifecycle,
  TotalTlsCa: totalTlsLifecycle,
};

export { type CheckedProps, type Lifecycle, type Props } from "../engine/lifecycle.js";
