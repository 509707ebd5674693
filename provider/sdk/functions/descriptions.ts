import type { Zone } from "../../../client/index.js";
import type { ChainAssessment } from "../../../core/certificates/assessment.js";
import type { FunctionDescription as SchemaDescription } from "../../engine/package-schema.js";
import { anyObject, objectType, type Member, type NamedType } from "../../engine/named-type.js";
import type { EffectiveRule } from "../../../core/managed/apply-overrides.js";
import type { CertificatePack, CustomCertificate, HostnameSsl, TotalTls } from "../../../core/model/certificates.js";
import type { JsonObject } from "../../../core/model/json.js";
import { EVERY_KIND, type DeployedRule, type RulesetSummary } from "../../../core/model/ruleset.js";
import type { VersionsDifference } from "../../../core/rules/compare-versions.js";
import { checkId } from "../../validation/checks/ids.js";
import {
  checkManagedRuleset,
  checkPhase,
  checkRulesetId,
  checkText,
  checkVersion,
  checkVersionText,
  checkWord,
  checkZoneName,
  type Check,
} from "./checks.js";

const ID = { type: "string", text: "The service's ID.", required: true } as const;
const VERSION = {
  type: "string",
  text: "A number as a string, incremented with every change.",
  required: true,
} as const;
const TIME = { type: "string", text: "RFC 3339, UTC." } as const;

const SUMMARY = objectType<RulesetSummary>("RulesetSummary", "A ruleset without its rules.", {
  id: ID,
  name: { type: "string", text: "Name.", required: true },
  description: { type: "string", text: "Free text.", required: true },
  kind: { type: "string", text: "`managed`, `custom`, `root` or `zone`.", required: true },
  phase: { type: "string", text: "The phase in which its rules run.", required: true },
  version: VERSION,
  lastUpdated: TIME,
});

/** What a rule at the service has in addition to what programs write. */
const READ_RULE = objectType<
  { id: string; version: string; lastUpdated?: string; categories?: readonly string[] },
  DeployedRule
>(
  "ReadRule",
  "A rule as the service returned it.",
  {
    id: ID,
    version: VERSION,
    lastUpdated: TIME,
    categories: { type: { list: "string" }, text: "The tags of a managed rule." },
  },
  { extends: "RulesetRule" },
);

const EFFECTIVE_RULE: NamedType<EffectiveRule> = objectType<
  Omit<EffectiveRule, "overriddenBy"> & { overriddenBy: JsonObject },
  EffectiveRule
>("EffectiveRule", "What a rule of a managed ruleset does under overrides.", {
  id: ID,
  description: { type: "string", text: "Its description.", required: true },
  categories: { type: { list: "string" }, text: "The rule's tags.", required: true },
  action: { type: "string", text: "What it does.", required: true },
  enabled: { type: "boolean", text: "Whether it runs.", required: true },
  sensitivityLevel: { type: "string", text: "Only if an override sets it." },
  scoreThreshold: { type: "number", text: "Score from which the rule acts, if it has one." },
  overriddenBy: {
    type: anyObject<JsonObject>("OverriddenBy"),
    text: "By property, the level of the override that applies: `rule`, `tag wordpress` or `ruleset`.",
    required: true,
  },
});

const ZONE = objectType<Zone>("Zone", "A zone.", {
  id: ID,
  name: { type: "string", text: "Its domain.", required: true },
  accountId: { type: "string", text: "The account that it belongs to.", required: true },
  accountName: { type: "string", text: "Empty when the response does not contain it.", required: true },
  plan: {
    type: "string",
    text: "`free`, `pro`, `business` or `enterprise`; empty when the response does not contain it.",
    required: true,
  },
});

const PACK = objectType<CertificatePack>("CertificatePack", "A certificate pack.", {
  id: ID,
  type: { type: "string", text: "`universal`, `advanced`, `total_tls` and others.", required: true },
  status: { type: "string", text: "Such as `active`.", required: true },
  hosts: { type: { list: "string" }, text: "The hosts that it covers.", required: true },
  certificateAuthority: { type: "string", text: "The authority that issues it.", required: true },
  validationMethod: { type: "string", text: "`txt`, `http` or `email`." },
  validityDays: { type: "number", text: "Days." },
  expiresOn: TIME,
});

const CUSTOM_CERTIFICATE = objectType<CustomCertificate>("CustomCertificate", "An uploaded certificate.", {
  id: ID,
  hosts: { type: { list: "string" }, text: "The hosts that it covers.", required: true },
  issuer: { type: "string", text: "Who issued it.", required: true },
  status: { type: "string", text: "Such as `active`.", required: true },
  bundleMethod: { type: "string", text: "`ubiquitous`, `optimal` or `force`.", required: true },
  uploadedOn: TIME,
  expiresOn: TIME,
});

type ShownSsl = Pick<
  HostnameSsl,
  | "status"
  | "method"
  | "type"
  | "certificateAuthority"
  | "bundleMethod"
  | "issuer"
  | "uploadedOn"
  | "expiresOn"
  | "uploaded"
>;
const HOSTNAME_SSL = objectType<ShownSsl, HostnameSsl>("HostnameSsl", "The certificate of a custom hostname.", {
  status: {
    type: "string",
    text: "Such as `pending_validation` or `active`; empty when there is none.",
    required: true,
  },
  method: { type: "string", text: "How control of the hostname is proved.", required: true },
  type: { type: "string", text: "Always `dv`, where the service returns it.", required: true },
  certificateAuthority: { type: "string", text: "Empty when the service does not return it.", required: true },
  bundleMethod: { type: "string", text: "`ubiquitous`, `optimal` or `force`." },
  issuer: { type: "string", text: "Who issued it." },
  uploadedOn: TIME,
  expiresOn: TIME,
  uploaded: { type: "boolean", text: "Whether it was uploaded, so that no authority issues it.", required: true },
});

const HOSTNAME = objectType<{ id: string; hostname: string; status: string; ssl: HostnameSsl }>(
  "CustomHostname",
  "A custom hostname.",
  {
    id: ID,
    hostname: { type: "string", text: "The hostname.", required: true },
    status: { type: "string", text: "Status of the hostname itself.", required: true },
    ssl: { type: HOSTNAME_SSL, text: "Its certificate.", required: true },
  },
);

type ShownAssessment = Pick<
  ChainAssessment,
  "key" | "kind" | "id" | "name" | "certificateAuthority" | "verdict" | "what" | "clients" | "email" | "action"
>;
const ASSESSMENT = objectType<ShownAssessment, ChainAssessment>(
  "ChainAssessment",
  "What the certificate chain change means for one certificate.",
  {
    key: { type: "string", text: "Its path in the API, such as `zones/<id>/custom_hostnames/<id>`.", required: true },
    kind: { type: "string", text: "The kind of certificate.", required: true },
    id: ID,
    name: { type: "string", text: "The hosts that it covers.", required: true },
    certificateAuthority: { type: "string", text: "The authority, or the issuer if it was uploaded.", required: true },
    verdict: { type: "string", text: "`act`, `watch`, `automatic` or `none`.", required: true },
    what: { type: "string", text: "What happens to it on that date.", required: true },
    clients: { type: "string", text: "Which visitors are affected; empty when none are.", required: true },
    email: { type: "string", text: "Who gets an e-mail; empty when nobody does.", required: true },
    action: {
      type: "string",
      text: "Who can or should act, and how; empty when there is nothing to do.",
      required: true,
    },
  },
);

/** An argument of a function, and what is checked about a value that is given. */
interface FunctionArgument extends Member {
  readonly check?: Check;
}

/** The single description of a function. `calls.ts` has what it does. */
export interface FunctionDescription extends SchemaDescription {
  readonly arguments: Readonly<Record<string, FunctionArgument>>;
}

const SCOPE = {
  zoneId: { type: "string", text: "The zone; excludes `accountId`.", check: checkId },
  accountId: { type: "string", text: "The account; excludes `zoneId`.", check: checkId },
} as const satisfies Record<string, FunctionArgument>;
const LEVEL = ["zoneId", "accountId"];
const WHICH = ["rulesetId", "phase"];
const ZONE_ID = {
  zoneId: { type: "string", text: "The zone.", required: true, check: checkId },
} as const satisfies Record<string, FunctionArgument>;
const ADDRESS = {
  ...SCOPE,
  rulesetId: { type: "string", text: "The ruleset; excludes `phase`.", check: checkRulesetId },
  phase: { type: "string", text: "The phase of an entry point; excludes `rulesetId`.", check: checkPhase },
} as const satisfies Record<string, FunctionArgument>;

const READ_RULESET = {
  id: ID,
  name: { type: "string", text: "Name.", required: true },
  description: { type: "string", text: "Free text.", required: true },
  kind: { type: "string", text: "`managed`, `custom`, `root` or `zone`.", required: true },
  phase: { type: "string", text: "The phase in which its rules run.", required: true },
  version: VERSION,
  lastUpdated: TIME,
  rules: { type: { list: READ_RULE }, text: "Its rules, in the order in which they run.", required: true },
} as const satisfies Record<string, Member>;

const listOf = (type: NamedType<unknown>, text: string): Member => ({ type: { list: type }, text, required: true });

const RULES_OF = { type: { list: READ_RULE }, required: true } as const;
const DIFFERENCE = {
  from: { type: "string", text: "The earlier version.", required: true },
  to: { type: "string", text: "The later version.", required: true },
  description: { type: anyObject<JsonObject>("Change"), text: "The ruleset's own description, if it changed." },
  added: { ...RULES_OF, text: "Rules that only the later version has." },
  removed: { ...RULES_OF, text: "Rules that only the earlier version has." },
  changed: {
    type: { list: anyObject<JsonObject>("ChangedRule") },
    text: "Changed rules, as in the later version, with the fields that differ.",
    required: true,
  },
  reformatted: { type: { list: "string" }, text: "Refs of rules with the same meaning.", required: true },
  moved: { type: { list: "string" }, text: "Refs of rules whose position among the others changed.", required: true },
  unchanged: { type: { list: "string" }, text: "Refs of rules that did not change.", required: true },
} as const satisfies Readonly<Record<keyof VersionsDifference, Member>>;

const TOTAL_TLS = {
  enabled: { type: "boolean", text: "Whether Total TLS is on.", required: true },
  certificateAuthority: { type: "string", text: "Empty when the service does not return it.", required: true },
  validityPeriod: { type: "number", text: "Days." },
} as const satisfies Readonly<Record<keyof TotalTls, Member>>;

/** Every function of the package. */
export const FUNCTIONS = [
  {
    name: "getEntrypoint",
    text: "The entry point of a phase with its rules, whoever manages it. Fails if the phase has none.",
    exactlyOneOf: [LEVEL],
    arguments: { ...SCOPE, phase: { type: "string", text: "The phase.", required: true, check: checkPhase } },
    result: READ_RULESET,
  },
  {
    name: "getRulesetVersion",
    text: "One version of a ruleset or an entry point, with its rules.",
    exactlyOneOf: [LEVEL, WHICH],
    arguments: {
      ...ADDRESS,
      version: { type: "string", text: "A number as a string.", required: true, check: checkVersion },
    },
    result: READ_RULESET,
  },
  {
    name: "listRulesets",
    text:
      "The rulesets that are visible from a zone or an account, without their rules: its own, Cloudflare's managed ones, and in a " +
      "zone the custom ones of its account.",
    exactlyOneOf: [LEVEL],
    arguments: {
      ...SCOPE,
      kind: { type: "string", text: "Only rulesets of this kind.", check: checkWord(EVERY_KIND) },
      phase: { type: "string", text: "Only rulesets of this phase.", check: checkPhase },
      name: { type: "string", text: "Only rulesets with this full name.", check: checkText },
    },
    result: { rulesets: listOf(SUMMARY, "The rulesets.") },
  },
  {
    name: "listRulesetVersions",
    text: "The versions of a ruleset or an entry point, without their rules.",
    exactlyOneOf: [LEVEL, WHICH],
    arguments: ADDRESS,
    result: { versions: listOf(SUMMARY, "The versions.") },
  },
  {
    name: "diffRulesetVersions",
    text: "How two versions of a ruleset differ, rule by rule.",
    exactlyOneOf: [LEVEL, WHICH],
    arguments: {
      ...ADDRESS,
      from: {
        type: "string",
        text: "Number of the first version, as a string.",
        required: true,
        check: checkVersionText,
      },
      to: {
        type: "string",
        text: "Number of the second version, as a string.",
        required: true,
        check: checkVersionText,
      },
    },
    result: DIFFERENCE,
  },
  {
    name: "getManagedRuleset",
    text: "A managed ruleset of Cloudflare with its rules, by name or ID.",
    exactlyOneOf: [LEVEL, ["name", "id"]],
    arguments: {
      ...SCOPE,
      name: { type: "string", text: "Its name; excludes `id`.", check: checkText },
      id: { type: "string", text: "Its ID; excludes `name`.", check: checkId },
    },
    result: READ_RULESET,
  },
  {
    name: "listManagedRules",
    text: "Rules of a managed ruleset of Cloudflare, all or those that match.",
    exactlyOneOf: [LEVEL],
    arguments: {
      ...SCOPE,
      ruleset: { type: "string", text: "Name or ID of the ruleset.", required: true, check: checkManagedRuleset },
      tag: { type: "string", text: "Only rules with this tag.", check: checkText },
      category: { type: "string", text: "Only rules with this tag.", check: checkText },
      name: { type: "string", text: "Only rules with this text in their description.", check: checkText },
    },
    result: { rules: listOf(READ_RULE, "The rules.") },
  },
  {
    name: "effectiveRules",
    text: "What each rule of a managed ruleset does when a rule executes the ruleset with overrides.",
    exactlyOneOf: [LEVEL],
    arguments: {
      ...SCOPE,
      rule: { type: anyObject<JsonObject>("ExecuteRule"), text: "A rule with action `execute`.", required: true },
    },
    result: { rules: listOf(EFFECTIVE_RULE, "The rules.") },
  },
  {
    name: "getZone",
    text: "A zone by its name. Fails if there is none, or more than one.",
    arguments: {
      name: { type: "string", text: "Its domain.", required: true, check: checkZoneName },
      account: { type: "string", text: "Name or ID of the account that it belongs to.", check: checkText },
    },
    result: ZONE.definition.kind === "object" ? ZONE.definition.properties : {},
  },
  {
    name: "listZones",
    text: "The zones that are visible with the credentials, all pages. Fails if there is none.",
    arguments: {
      account: { type: "string", text: "Name or ID of the account that they belong to.", check: checkText },
    },
    result: { zones: listOf(ZONE, "The zones.") },
  },
  {
    name: "listCertificatePacks",
    text: "Every certificate pack of a zone with its authority, active or not, all pages.",
    arguments: ZONE_ID,
    result: { packs: listOf(PACK, "The packs.") },
  },
  {
    name: "listCustomCertificates",
    text: "Every certificate that was uploaded to a zone, all pages.",
    arguments: ZONE_ID,
    result: { certificates: listOf(CUSTOM_CERTIFICATE, "The certificates.") },
  },
  {
    name: "listCustomHostnames",
    text: "Every custom hostname of a zone with its authority, all pages; or those that match a filter.",
    arguments: {
      ...ZONE_ID,
      hostname: { type: "string", text: "Only the hostname with this name." },
      certificateAuthority: { type: "string", text: "Only hostnames with this authority." },
      sslStatus: { type: "string", text: "Only hostnames whose certificate has this status." },
    },
    result: { hostnames: listOf(HOSTNAME, "The hostnames.") },
  },
  {
    name: "getTotalTls",
    text: "Total TLS of a zone with its authority.",
    arguments: ZONE_ID,
    result: TOTAL_TLS,
  },
  {
    name: "assessCertificateChain",
    text: "What the certificate chain change means for every certificate of a zone. Reads them all.",
    arguments: { ...ZONE_ID, at: { type: "string", text: "RFC 3339: the date for which to assess. Default: now." } },
    result: { assessments: listOf(ASSESSMENT, "One for each certificate.") },
  },
] as const satisfies readonly FunctionDescription[];

export type FunctionName = (typeof FUNCTIONS)[number]["name"];
