import type { Description } from "../engine/description.js";
import { CUSTOM_HOSTNAME_CA } from "./certificates/hostname-ca/description.js";
import { CUSTOM_HOSTNAME_CERTIFICATE } from "./certificates/hostname-certificate/description.js";
import { RULESET_RULE } from "./ruleset-rule/description.js";
import { PHASE_ENTRYPOINT, RULESET } from "./ruleset/description.js";
import { TOTAL_TLS_CA } from "./certificates/total-tls/description.js";
import { ZONE_WAF_MIGRATION } from "./waf-migration/description.js";

/** The descriptions of all kinds of resources. */
export const DESCRIPTIONS = [
  RULESET,
  PHASE_ENTRYPOINT,
  RULESET_RULE,
  ZONE_WAF_MIGRATION,
  CUSTOM_HOSTNAME_CA,
  CUSTOM_HOSTNAME_CERTIFICATE,
  TOTAL_TLS_CA,
] as const satisfies readonly Description[];

/** The name of a kind in states. */
export type KindName = (typeof DESCRIPTIONS)[number]["type"];

type CheckedName<D> = D extends Description ? keyof D["checked"] : never;
/** The inputs that say where a resource has secrets. */
export type SecretPlace = Extract<CheckedName<(typeof DESCRIPTIONS)[number]>, `__secret${string}`>;
