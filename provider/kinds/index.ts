import { createRequire } from "node:module";
import type { Kind } from "../engine/kind.js";
import type { KindParts } from "../engine/kind-parts.js";
import { ownValue } from "../model/json.js";

export { type Lifecycle, type Props } from "../engine/lifecycle.js";

const load = createRequire(__filename);

/** What the kinds of rulesets share. */
const OF_RULESETS: KindParts = {
  declare: () => (load("./rulesets/declare.js") as typeof import("./rulesets/declare.js")).declareRuleset,
};

/**
 * Every kind of resource, by the name used in states, which must never change. Each is loaded when a stack first uses it. To
 * add a kind, add a line.
 */
export const KINDS = named({
  Ruleset: lazy(
    () => (load("./rulesets/resources.js") as typeof import("./rulesets/resources.js")).ruleset,
    OF_RULESETS,
  ),
  PhaseEntrypoint: lazy(
    () => (load("./rulesets/resources.js") as typeof import("./rulesets/resources.js")).phaseEntrypoint,
    OF_RULESETS,
  ),
  RulesetRule: lazy(() => (load("./rulesets/rule/kind.js") as typeof import("./rulesets/rule/kind.js")).rulesetRule, {
    ...OF_RULESETS,
    declare: () => (load("./rulesets/declare.js") as typeof import("./rulesets/declare.js")).declareRule,
  }),
  RulesList: lazy(() => (load("./lists/kind.js") as typeof import("./lists/kind.js")).rulesList, {
    declare: () => (load("./lists/declare.js") as typeof import("./lists/declare.js")).declareList,
  }),
  ZoneWafMigration: lazy(
    () => (load("./waf-migration/kind.js") as typeof import("./waf-migration/kind.js")).zoneWafMigration,
  ),
  CustomHostnameCa: lazy(
    () =>
      (load("./certificates/hostname-ca/kind.js") as typeof import("./certificates/hostname-ca/kind.js"))
        .customHostnameCa,
  ),
  CustomHostnameCertificate: lazy(
    () =>
      (
        load(
          "./certificates/hostname-certificate/kind.js",
        ) as typeof import("./certificates/hostname-certificate/kind.js")
      ).customHostnameCertificate,
  ),
  TotalTlsCa: lazy(
    () => (load("./certificates/total-tls/kind.js") as typeof import("./certificates/total-tls/kind.js")).totalTlsCa,
  ),
});

/** The kind that a state names; undefined for one that this version does not know. */
export function findKind(name: string): Kind | undefined {
  return find(name)?.();
}

/** The parts of a kind, without the kind. */
export function partsOf(name: string): KindParts {
  return find(name) ?? {};
}

function find(name: string): ((() => Kind) & KindParts) | undefined {
  return ownValue<(() => Kind) & KindParts>(KINDS, name);
}

function lazy<Name extends string>(load: () => Kind<Name>, parts: KindParts = {}): (() => Kind<Name>) & KindParts {
  return Object.assign(load, parts);
}

/** The compiler compares the names with those in the descriptions. */
function named<All extends { readonly [Name in keyof All & string]: (() => Kind<Name>) & KindParts }>(all: All): All {
  return all;
}
