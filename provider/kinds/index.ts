import type { Lifecycle } from "../engine/lifecycle.js";
import { customHostnameLifecycle } from "./hostname-ca/index.js";
import { hostnameCertificateLifecycle } from "./hostname-certificate/index.js";
import { migrationLifecycle } from "./waf-migration/index.js";
import { totalTlsCa } from "./total-tls/kind.js";
import { rulesetLifecycle } from "./ruleset/index.js";

/** Every kind of resource, by the name that stands in states. */
export const LIFECYCLES: Readonly<Record<string, Lifecycle>> = {
  Ruleset: rulesetLifecycle("Ruleset"),
  PhaseEntrypoint: rulesetLifecycle("PhaseEntrypoint"),
  ZoneWafMigration: migrationLifecycle,
  CustomHostnameCa: customHostnameLifecycle,
  CustomHostnameCertificate: hostnameCertificateLifecycle,
  TotalTlsCa: totalTlsCa,
};

export { type CheckedProps, type Lifecycle, type Props } from "../engine/lifecycle.js";
