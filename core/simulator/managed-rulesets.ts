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

/** Their names in Cloudflare's documentation, and the phases that execute them. */
const FACTS: Readonly<Record<keyof typeof managedRulesets, readonly [name: string, phase: string]>> = {
  cloudflareManaged: ["Cloudflare Managed Ruleset", "http_request_firewall_managed"],
  owaspCore: ["Cloudflare OWASP Core Ruleset", "http_request_firewall_managed"],
  exposedCredentialsCheck: ["Cloudflare Exposed Credentials Check", "http_request_firewall_managed"],
  free: ["Cloudflare Managed Free Ruleset", "http_request_firewall_managed"],
  sensitiveDataDetection: ["Cloudflare Sensitive Data Detection", "http_response_firewall_managed"],
  httpDdos: ["HTTP DDoS Attack Protection", "ddos_l7"],
  networkDdos: ["Network-layer DDoS Attack Protection", "ddos_l4"],
  normalization: ["Cloudflare Normalization Ruleset", "http_request_sanitize"],
};

const keys = Object.keys(FACTS) as readonly (keyof typeof managedRulesets)[];
const factsById = new Map<string, readonly [name: string, phase: string]>(
  keys.map((key) => [managedRulesets[key], FACTS[key]]),
);
const idByName = new Map<string, string>(keys.map((key) => [FACTS[key][0], managedRulesets[key]]));

/** The ID of a managed ruleset by its documented name. */
export function managedRulesetIdOf(name: string): string | undefined {
  return idByName.get(name);
}

/** The name of a managed ruleset, from the built-in list; undefined for any other ruleset. */
export function managedRulesetName(id: string): string | undefined {
  return factsById.get(id)?.[0];
}

/** The phase of a managed ruleset of the built-in list; undefined for any other ruleset. */
export function managedRulesetPhase(id: string): string | undefined {
  return factsById.get(id)?.[1];
}

/** Looks up the name of a managed ruleset, or a rule of one; undefined for anything else. */
export type NameOf = (id: string) => string | undefined;

/** The built-in names. */
export const managedName: NameOf = (id) =>
  managedRulesetName(id) ?? (id === SCORING_RULE ? "949110: Inbound Anomaly Score Exceeded" : undefined);

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
