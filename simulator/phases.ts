/**
 * Request phases in execution order. https://developers.cloudflare.com/ruleset-engine/reference/phases-list/; since September
 * 2026 single redirects run before URL normalisation, so they see the URL as the client sent it.
 */
export const REQUEST_PHASES: readonly string[] = [
  "http_request_dynamic_redirect",
  "http_request_sanitize",
  "http_request_transform",
  "http_request_api_gateway_early",
  "http_config_settings",
  "http_request_origin",
  "ddos_l7",
  "http_request_firewall_custom",
  "http_ratelimit",
  "http_request_api_gateway_late",
  "http_request_firewall_managed",
  "http_request_sbfm",
  "http_request_redirect",
  "http_request_late_transform",
  "http_request_cache_settings",
  "http_request_snippets",
  "http_request_cloud_connector",
];

/** Response phases in execution order. */
export const RESPONSE_PHASES: readonly string[] = [
  "http_response_cache_settings",
  "http_custom_errors",
  "http_response_headers_transform",
  "http_response_compression",
  "http_response_firewall_managed",
  "http_log_custom_fields",
];

/** Phases that only configure what runs elsewhere: the rulesets they execute stop no request at that point. */
export const CONFIGURATION_PHASES: ReadonlySet<string> = new Set(["ddos_l7", "http_request_api_gateway_early"]);

/** Phases in which a managed ruleset changes the request but never stops it. */
export const NORMALISING_PHASES: ReadonlySet<string> = new Set(["http_request_sanitize"]);
