import { createRequire } from "node:module";
import type { Kind } from "../engine/kind.js";
import { ownValue } from "../model/json.js";
import type { KindName } from "./descriptions.js";

export { type CheckedProps, type Lifecycle, type Props } from "../engine/lifecycle.js";

const load = createRequire(__filename);
const loadRuleset = () => load("./ruleset/kind.js") as typeof import("./ruleset/kind.js");
const loadRule = () => load("./ruleset-rule/kind.js") as typeof import("./ruleset-rule/kind.js");
const loadMigration = () => load("./waf-migration/kind.js") as typeof import("./waf-migration/kind.js");
const loadHostnameCa = () =>
  load("./certificates/hostname-ca/kind.js") as typeof import("./certificates/hostname-ca/kind.js");
const loadCertificate = () =>
  load("./certificates/hostname-certificate/kind.js") as typeof import("./certificates/hostname-certificate/kind.js");
const loadTotalTls = () =>
  load("./certificates/total-tls/kind.js") as typeof import("./certificates/total-tls/kind.js");

/** Every kind of resource, by the name used in states. Each is loaded when a stack first uses it. */
export const KINDS: { readonly [Name in KindName]: () => Kind<Name> } = {
  Ruleset: () => loadRuleset().ruleset,
  PhaseEntrypoint: () => loadRuleset().phaseEntrypoint,
  RulesetRule: () => loadRule().rulesetRule,
  ZoneWafMigration: () => loadMigration().zoneWafMigration,
  CustomHostnameCa: () => loadHostnameCa().customHostnameCa,
  CustomHostnameCertificate: () => loadCertificate().customHostnameCertificate,
  TotalTlsCa: () => loadTotalTls().totalTlsCa,
};

/** The kind that a state names; undefined for one that this version does not know. */
export function findKind(name: string): Kind | undefined {
  return ownValue<() => Kind>(KINDS, name)?.();
}
