import { ownValue } from "../lookup.js";

/** Phases of the service, where they exist, and which actions they allow if documented. */
interface PhaseFacts {
  readonly zone: boolean;
  readonly account: boolean;
  readonly actions?: readonly string[];
  readonly rootActions?: readonly string[];
}

export const CHALLENGES: readonly string[] = ["challenge", "js_challenge", "managed_challenge"];
const zone = (...actions: string[]): PhaseFacts => ({
  zone: true,
  account: false,
  ...(actions.length > 0 ? { actions } : {}),
});
const both = (...actions: string[]): PhaseFacts => ({ zone: true, account: true, actions });
const account = (...actions: string[]): PhaseFacts => ({
  zone: false,
  account: true,
  ...(actions.length > 0 ? { actions } : {}),
});

const PHASES: Readonly<Record<string, PhaseFacts>> = {
  ddos_l4: account("execute"),
  ddos_l7: both("execute"),
  http_config_settings: zone("set_config"),
  http_custom_errors: both("serve_error"),
  http_log_custom_fields: zone("log_custom_field"),
  http_ratelimit: { ...both("block", ...CHALLENGES, "log"), rootActions: ["execute"] },
  http_request_cache_settings: zone("set_cache_settings"),
  http_request_dynamic_redirect: zone("redirect"),
  http_request_firewall_custom: {
    ...both("block", ...CHALLENGES, "log", "skip", "execute", "rewrite"),
    rootActions: ["execute"],
  },
  http_request_firewall_managed: both("execute", "skip"),
  http_request_late_transform: zone("rewrite"),
  http_request_origin: zone("route"),
  http_request_redirect: account("redirect"),
  http_request_sanitize: zone("execute"),
  http_request_sbfm: zone(),
  http_request_transform: zone("rewrite"),
  http_response_cache_settings: zone("set_cache_control", "set_cache_tags", "set_cache_settings"),
  http_response_compression: zone("compress_response"),
  http_response_firewall_managed: both("execute", "log", "skip"),
  http_response_headers_transform: zone("rewrite"),
  magic_transit: account(),
  magic_transit_ids_managed: account(),
  magic_transit_managed: account(),
  magic_transit_ratelimit: account(),
};

/** A phase by its name. */
export function findPhase(phase: string): PhaseFacts | undefined {
  return ownValue(PHASES, phase);
}

const placed = new Set(
  Object.values(PHASES).flatMap((phase) => [...(phase.actions ?? []), ...(phase.rootActions ?? [])]),
);

/** Whether an action is allowed in a phase; actions that are not documented are allowed everywhere. */
export function takesAction(phase: string, kind: string, action: string): boolean {
  const facts = findPhase(phase);
  const allowed = (kind === "root" ? facts?.rootActions : undefined) ?? facts?.actions;
  return allowed === undefined || !placed.has(action) || allowed.includes(action);
}
