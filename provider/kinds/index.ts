import type { Kind } from "../engine/kind.js";
import { customHostnameCa } from "./hostname-ca/kind.js";
import { customHostnameCertificate } from "./hostname-certificate/kind.js";
import { phaseEntrypoint, ruleset } from "./ruleset/kind.js";
import { totalTlsCa } from "./total-tls/kind.js";
import { zoneWafMigration } from "./waf-migration/kind.js";

const ALL: readonly Kind[] = [
  ruleset,
  phaseEntrypoint,
  zoneWafMigration,
  customHostnameCa,
  customHostnameCertificate,
  totalTlsCa,
];

/** Every kind of resource, by the name that stands in states. */
export const KINDS: Readonly<Record<string, Kind>> = Object.fromEntries(
  ALL.map((kind) => [kind.description.type, kind] as const),
);

export { type CheckedProps, type Lifecycle, type Props } from "../engine/lifecycle.js";
