/** Phases whose rules stop requests, in execution order, with their column headings. */
const PROTECTIVE_PHASES = {
  ddos_l7: "DDoS",
  http_request_firewall_custom: "Custom rules",
  http_ratelimit: "Rate limits",
  http_request_firewall_managed: "Managed rules",
  http_response_firewall_managed: "Sensitive data",
} as const;
type ProtectivePhase = keyof typeof PROTECTIVE_PHASES;
export const PROTECTIVE_PHASE_NAMES = Object.keys(PROTECTIVE_PHASES) as readonly ProtectivePhase[];

/** Phases that every report shows; the others are shown only if they contain anything. */
export const ALWAYS_SHOWN: readonly ProtectivePhase[] = [
  "http_request_firewall_custom",
  "http_ratelimit",
  "http_request_firewall_managed",
];

/** Phases in which Cloudflare's managed rules run without an entry point; an entry point only changes what they do. */
export const CLOUDFLARE_DEFAULT: ReadonlySet<string> = new Set(["ddos_l7"]);
/** Phases in which Cloudflare's managed rules log unless overridden. */
export const LOGGING_BY_DEFAULT: ReadonlySet<string> = new Set(["http_response_firewall_managed"]);

/** The display name of a phase; an unknown phase keeps its API name. */
export function phaseWords(phase: string): string {
  return isProtective(phase) ? PROTECTIVE_PHASES[phase] : phase;
}

export function isProtective(phase: string): phase is ProtectivePhase {
  return Object.hasOwn(PROTECTIVE_PHASES, phase);
}
