import type { Kind } from "../engine/kind.js";
import type { KindParts } from "../engine/kind-parts.js";
import { ownValue } from "../../core/model/json.js";
import { late } from "../../core/model/late.js";

export { type Lifecycle, type Props } from "../engine/lifecycle.js";

const declareRules = late<typeof import("./rulesets/declare.js")>(() => require("./rulesets/declare.js"));
const rulesets = late<typeof import("./rulesets/resources.js")>(() => require("./rulesets/resources.js"));
const rule = late<typeof import("./rulesets/rule/kind.js")>(() => require("./rulesets/rule/kind.js"));
const list = late<typeof import("./lists/kind.js")>(() => require("./lists/kind.js"));
const declareLists = late<typeof import("./lists/declare.js")>(() => require("./lists/declare.js"));
const migration = late<typeof import("./waf-migration/kind.js")>(() => require("./waf-migration/kind.js"));
const hostnameCa = late<typeof import("./certificates/hostname-ca/kind.js")>(() =>
  require("./certificates/hostname-ca/kind.js"),
);
const hostnameCertificate = late<typeof import("./certificates/hostname-certificate/kind.js")>(() =>
  require("./certificates/hostname-certificate/kind.js"),
);
const totalTls = late<typeof import("./certificates/total-tls/kind.js")>(() =>
  require("./certificates/total-tls/kind.js"),
);

/** What the kinds of rulesets share. */
const OF_RULESETS: KindParts = {
  declare: () => declareRules().declareRuleset,
};

/**
 * Every kind of resource, by the name used in states, which must never change. Each is loaded when a stack first uses it. To
 * add a kind, add a line.
 */
export const KINDS = named({
  Ruleset: lazy(() => rulesets().ruleset, OF_RULESETS),
  PhaseEntrypoint: lazy(() => rulesets().phaseEntrypoint, OF_RULESETS),
  RulesetRule: lazy(() => rule().rulesetRule, {
    ...OF_RULESETS,
    declare: () => declareRules().declareRule,
  }),
  RulesList: lazy(() => list().rulesList, {
    declare: () => declareLists().declareList,
  }),
  ZoneWafMigration: lazy(() => migration().zoneWafMigration),
  CustomHostnameCa: lazy(() => hostnameCa().customHostnameCa),
  CustomHostnameCertificate: lazy(() => hostnameCertificate().customHostnameCertificate),
  TotalTlsCa: lazy(() => totalTls().totalTlsCa),
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
