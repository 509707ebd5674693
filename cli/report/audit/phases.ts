/** Phases whose rules stop requests, in the order they run, and what their columns are called. */
export const PROTECTIVE_PHASES = {
  ddos_l7: "DDoS",
  http_request_firewall_custom: "Custom rules",
  http_ratelimit: "Rate limits",
  http_request_firewall_managed: "Managed rules",
  http_response_firewall_managed: "Sensitive data",
} as const;
export type ProtectivePhase = keyof typeof PROTECTIVE_PHASES;
export const PROTECTIVE_PHASE_NAMES = Object.keys(PROTECTIVE_PHASES) as readonly ProtectivePhase[];

/** Phases that every report shows; the others only where something stands in them. */
export const ALWAYS_SHOWN: readonly ProtectivePhase[] = [
  "http_request_firewall_custom",
  "http_ratelimit",
  "http_request_firewall_managed",
];

/** Where the vendor's own rules run without an entry point: one only changes what they do. */
export const VENDOR_DEFAULT: ReadonlySet<string> = new Set(["ddos_l7"]);
/** Where the vendor's rules log unless told otherwise. */
export const LOGGING_BY_DEFAULT: ReadonlySet<string> = new Set(["http_response_firewall_managed"]);

/** A phase as a person calls it; one that is not known by its own name. */
export function phaseWords(phase: string): string {
  return isProtective(phase) ? PROTECTIVE_PHASES[phase] : phase;
}

export function isProtective(phase: string): phase is ProtectivePhase {
  return Object.hasOwn(PROTECTIVE_PHASES, phase);
}
