import type { Zone } from "../../../client/index.js";
import type { ChainAssessment } from "../../../core/certificates/assessment.js";
import { anyObject, objectType, type Member, type NamedType } from "../../engine/named-type.js";
import type { EffectiveRule } from "../../../core/managed/apply-overrides.js";
import type { CertificatePack, CustomCertificate, HostnameSsl, TotalTls } from "../../../core/model/certificates.js";
import type { JsonObject } from "../../../core/model/json.js";
import type { DeployedRule, RulesetSummary } from "../../../core/model/ruleset.js";
import type { VersionsDifference } from "../../../core/rules/compare-versions.js";

/* What look-ups return, as the package schema describes it. */

const ID = { type: "string", text: "The service's ID.", required: true } as const;
const VERSION = {
  type: "string",
  text: "A number as a string, incremented with every change.",
  required: true,
} as const;
const TIME = { type: "string", text: "RFC 3339, UTC." } as const;

export const SUMMARY = objectType<RulesetSummary>("RulesetSummary", "A ruleset without its rules.", {
  id: ID,
  name: { type: "string", text: "Name.", required: true },
  description: { type: "string", text: "Free text.", required: true },
  kind: { type: "string", text: "`managed`, `custom`, `root` or `zone`.", required: true },
  phase: { type: "string", text: "The phase in which its rules run.", required: true },
  version: VERSION,
  lastUpdated: TIME,
});

/** What a rule at the service has in addition to what programs write. */
export const READ_RULE = objectType<
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

export const EFFECTIVE_RULE: NamedType<EffectiveRule> = objectType<
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

export const ZONE = objectType<Zone>("Zone", "A zone.", {
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

export const PACK = objectType<CertificatePack>("CertificatePack", "A certificate pack.", {
  id: ID,
  type: { type: "string", text: "`universal`, `advanced`, `total_tls` and others.", required: true },
  status: { type: "string", text: "Such as `active`.", required: true },
  hosts: { type: { list: "string" }, text: "The hosts that it covers.", required: true },
  certificateAuthority: { type: "string", text: "The authority that issues it.", required: true },
  validationMethod: { type: "string", text: "`txt`, `http` or `email`." },
  validityDays: { type: "number", text: "Days." },
  expiresOn: TIME,
});

export const CUSTOM_CERTIFICATE = objectType<CustomCertificate>("CustomCertificate", "An uploaded certificate.", {
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

export const HOSTNAME = objectType<{ id: string; hostname: string; status: string; ssl: HostnameSsl }>(
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
export const ASSESSMENT = objectType<ShownAssessment, ChainAssessment>(
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

export const READ_RULESET = {
  id: ID,
  name: { type: "string", text: "Name.", required: true },
  description: { type: "string", text: "Free text.", required: true },
  kind: { type: "string", text: "`managed`, `custom`, `root` or `zone`.", required: true },
  phase: { type: "string", text: "The phase in which its rules run.", required: true },
  version: VERSION,
  lastUpdated: TIME,
  rules: { type: { list: READ_RULE }, text: "Its rules, in the order in which they run.", required: true },
} as const satisfies Record<string, Member>;

export const listOf = (type: NamedType<unknown>, text: string): Member => ({
  type: { list: type },
  text,
  required: true,
});

const RULES_OF = { type: { list: READ_RULE }, required: true } as const;
export const DIFFERENCE = {
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

export const TOTAL_TLS = {
  enabled: { type: "boolean", text: "Whether Total TLS is on.", required: true },
  certificateAuthority: { type: "string", text: "Empty when the service does not return it.", required: true },
  validityPeriod: { type: "number", text: "Days." },
} as const satisfies Readonly<Record<keyof TotalTls, Member>>;
