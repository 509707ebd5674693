/**
 * Phases in execution order. https://developers.cloudflare.com/ruleset-engine/reference/phases-list/; since September 2026 single
 * redirects run before URL normalisation, so they see the URL as the client sent it.
 */
export { REQUEST_PHASES, RESPONSE_PHASES } from "../language/generated/phases.js";

/** Phases that only configure what runs elsewhere: the rulesets they execute stop no request at that point. */
const CONFIGURATION_PHASES: ReadonlySet<string> = new Set(["ddos_l7", "http_request_api_gateway_early"]);

/** Phases in which a managed ruleset changes the request but never stops it. */
export const NORMALISING_PHASES: ReadonlySet<string> = new Set(["http_request_sanitize"]);

/** Whether managed rulesets that rules of a phase execute may stop a request there. */
export function hasManagedStops(phase: string): boolean {
  return !CONFIGURATION_PHASES.has(phase) && !NORMALISING_PHASES.has(phase);
}
