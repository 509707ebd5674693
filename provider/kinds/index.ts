import { createRequire } from "node:module";
import type { Kind } from "../engine/kind.js";
import { ownValue } from "../model/json.js";

export { type CheckedProps, type Lifecycle, type Props } from "../engine/lifecycle.js";

const load = createRequire(__filename);

/**
 * Every kind of resource, by the name used in states, which must never change. Each is loaded when a stack first uses it. To
 * add a kind, add a line.
 */
export const KINDS = named({
  Ruleset: () => (load("./rulesets/resources.js") as typeof import("./rulesets/resources.js")).ruleset,
  PhaseEntrypoint: () => (load("./rulesets/resources.js") as typeof import("./rulesets/resources.js")).phaseEntrypoint,
  RulesetRule: () => (load("./rulesets/rule/kind.js") as typeof import("./rulesets/rule/kind.js")).rulesetRule,
  RulesList: () => (load("./lists/kind.js") as typeof import("./lists/kind.js")).rulesList,
  ZoneWafMigration: () =>
    (load("./waf-migration/kind.js") as typeof import("./waf-migration/kind.js")).zoneWafMigration,
  CustomHostnameCa: () =>
    (load("./certificates/hostname-ca/kind.js") as typeof import("./certificates/hostname-ca/kind.js"))
      .customHostnameCa,
  CustomHostnameCertificate: () =>
    (
      load(
        "./certificates/hostname-certificate/kind.js",
      ) as typeof import("./certificates/hostname-certificate/kind.js")
    ).customHostnameCertificate,
  TotalTlsCa: () =>
    (load("./certificates/total-tls/kind.js") as typeof import("./certificates/total-tls/kind.js")).totalTlsCa,
});

/** The name of a kind in states. */
export type KindName = keyof typeof KINDS;

/** The kind that a state names; undefined for one that this version does not know. */
export function findKind(name: string): Kind | undefined {
  return ownValue<() => Kind>(KINDS, name)?.();
}

/** The compiler compares the names with those in the descriptions. */
function named<All extends { readonly [Name in keyof All & string]: () => Kind<Name> }>(all: All): All {
  return all;
}
