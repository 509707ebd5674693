import type { Kind } from "../engine/kind.js";
import type { DeclareRules } from "../engine/declare-rules.js";
import { ownValue } from "../../core/model/json.js";
import { late } from "../../core/model/late.js";

export { type Lifecycle, type Props } from "../engine/lifecycle.js";

const declareRules = late<typeof import("./rulesets/declare.js")>(() => require("./rulesets/declare.js"));
const declareLists = late<typeof import("./lists/declare.js")>(() => require("./lists/declare.js"));

/**
 * Every kind of resource, by the name used in states, which must never change. Each is loaded when a stack first uses it. To
 * add a kind, add a line.
 */
export const KINDS = named({
  Ruleset: lazy(
    late<typeof import("./rulesets/resources.js")>(() => require("./rulesets/resources.js")),
    "ruleset",
    () => declareRules().declareRuleset,
  ),
  PhaseEntrypoint: lazy(
    late<typeof import("./rulesets/resources.js")>(() => require("./rulesets/resources.js")),
    "phaseEntrypoint",
    () => declareRules().declareRuleset,
  ),
  RulesetRule: lazy(
    late<typeof import("./rulesets/rule/kind.js")>(() => require("./rulesets/rule/kind.js")),
    "rulesetRule",
    () => declareRules().declareRule,
  ),
  RulesList: lazy(
    late<typeof import("./lists/kind.js")>(() => require("./lists/kind.js")),
    "rulesList",
    () => declareLists().declareList,
  ),
  ZoneWafMigration: lazy(
    late<typeof import("./waf-migration/kind.js")>(() => require("./waf-migration/kind.js")),
    "zoneWafMigration",
  ),
  CustomHostnameCa: lazy(
    late<typeof import("./certificates/hostname-ca/kind.js")>(() => require("./certificates/hostname-ca/kind.js")),
    "customHostnameCa",
  ),
  CustomHostnameCertificate: lazy(
    late<typeof import("./certificates/hostname-certificate/kind.js")>(() =>
      require("./certificates/hostname-certificate/kind.js"),
    ),
    "customHostnameCertificate",
  ),
  TotalTlsCa: lazy(
    late<typeof import("./certificates/total-tls/kind.js")>(() => require("./certificates/total-tls/kind.js")),
    "totalTlsCa",
  ),
});

/** The kind that a state names; undefined for one that this version does not know. */
export function findKind(name: string): Kind | undefined {
  return find(name)?.();
}

/** What resources of a kind mean for rules where a program runs without an engine; undefined if nothing. */
export function findDeclare(name: string): DeclareRules | undefined {
  return find(name)?.declare?.();
}

interface Entry<Name extends string = string> {
  (): Kind<Name>;
  readonly declare?: (() => DeclareRules) | undefined;
}

function find(name: string): Entry | undefined {
  return ownValue<Entry>(KINDS, name);
}

function lazy<Module extends object, Name extends keyof Module>(
  load: () => Module,
  name: Name,
  declare?: () => DeclareRules,
): (() => Module[Name]) & Pick<Entry, "declare"> {
  return Object.assign(() => load()[name], { declare });
}

/** The compiler compares the names with those in the descriptions. */
function named<All extends { readonly [Name in keyof All & string]: Entry<Name> }>(all: All): All {
  return all;
}
