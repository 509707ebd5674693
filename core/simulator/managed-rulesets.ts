/**
 * Cloudflare's managed rulesets, with the same IDs in every account. See
 * https://developers.cloudflare.com/waf/managed-rules/reference/.
 */
export const managedRulesets = {
  /** Known vulnerabilities; phase `http_request_firewall_managed`. */
  cloudflareManaged: "efb7b8c949ac4650a09736fc376e9aee",
  /** OWASP core ruleset, by score; phase `http_request_firewall_managed`. See {@link owasp}. */
  owaspCore: "4814384a9e5d4991b9815dcfc25d2f1f",
  /** Leaked credentials; phase `http_request_firewall_managed`. */
  exposedCredentialsCheck: "c2e184081120413c86c3ab7e14069605",
  /** For every plan; phase `http_request_firewall_managed`. */
  free: "77454fe2d30c4220b5701f6fdfb893ba",
  /** Sensitive data in responses; phase `http_response_firewall_managed`. */
  sensitiveDataDetection: "e22d83c647c64a3eae91b71b499d988e",
  /** HTTP DDoS protection; phase `ddos_l7`. */
  httpDdos: "4d21379b4f9f4bb088e0729962c8b3cf",
  /** Network-layer DDoS protection; phase `ddos_l4`. */
  networkDdos: "3b64149bfa6e4220bbbc2bd6db589552",
  /** URL normalisation; phase `http_request_sanitize`. */
  normalization: "70339d97bdb34195bbf054b1ebe81f76",
} as const;

/** The rule of the core ruleset that compares the score with the threshold. */
export const SCORING_RULE = "6179ae15870a4bb7b2d480d4843b323c";

/** Their names in Cloudflare's documentation. */
const NAMES: Readonly<Record<keyof typeof managedRulesets, string>> = {
  cloudflareManaged: "Cloudflare Managed Ruleset",
  owaspCore: "Cloudflare OWASP Core Ruleset",
  exposedCredentialsCheck: "Cloudflare Exposed Credentials Check",
  free: "Cloudflare Managed Free Ruleset",
  sensitiveDataDetection: "Cloudflare Sensitive Data Detection",
  httpDdos: "HTTP DDoS Attack Protection",
  networkDdos: "Network-layer DDoS Attack Protection",
  normalization: "Cloudflare Normalization Ruleset",
};

/** The phases that execute them. */
const PHASES: Readonly<Record<keyof typeof managedRulesets, string>> = {
  cloudflareManaged: "http_request_firewall_managed",
  owaspCore: "http_request_firewall_managed",
  exposedCredentialsCheck: "http_request_firewall_managed",
  free: "http_request_firewall_managed",
  sensitiveDataDetection: "http_response_firewall_managed",
  httpDdos: "ddos_l7",
  networkDdos: "ddos_l4",
  normalization: "http_request_sanitize",
};

const keys = Object.keys(NAMES) as readonly (keyof typeof managedRulesets)[];
const nameById = new Map<string, string>(keys.map((key) => [managedRulesets[key], NAMES[key]]));
const phaseById = new Map<string, string>(keys.map((key) => [managedRulesets[key], PHASES[key]]));
const ruleNameById = new Map([[SCORING_RULE, "949110: Inbound Anomaly Score Exceeded"]]);
const idByName = new Map(keys.map((key) => [NAMES[key], managedRulesets[key]]));

/** The ID of a managed ruleset by its documented name. */
export function managedRulesetIdOf(name: string): string | undefined {
  return idByName.get(name);
}

/** The name of a managed ruleset, from the built-in list; undefined for any other ruleset. */
export function managedRulesetName(id: string): string | undefined {
  return nameById.get(id);
}

/** The phase of a managed ruleset of the built-in list; undefined for any other ruleset. */
export function managedRulesetPhase(id: string): string | undefined {
  return phaseById.get(id);
}

/** The name of a rule of a managed ruleset, if it is in the built-in list. */
function managedRuleName(id: string): string | undefined {
  return ruleNameById.get(id);
}

/** Looks up the name of a managed ruleset, or a rule of one; undefined for anything else. */
export type NameOf = (id: string) => string | undefined;

/** The built-in names. */
export const managedName: NameOf = (id) => managedRulesetName(id) ?? managedRuleName(id);

/**
 * A ruleset whose rules are not known here, for a sentence: `efb7… ("Cloudflare Managed Ruleset")`, or `managed ruleset 0123…`.
 */
export function managedRulesetWords(id: string): string {
  return managedRulesetName(id) === undefined ? `managed ruleset ${id}` : withManagedName(id);
}

/** The ID of a ruleset or rule for readers, with its name if known: `efb7… ("Cloudflare Managed Ruleset")`. */
export function withManagedName(id: string, nameOf: NameOf = managedName): string {
  const name = nameOf(id);
  return name === undefined ? id : `${id} (${JSON.stringify(name)})`;
}
