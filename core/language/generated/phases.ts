// Generated from schema/ by `npm run generate`. Edit the schema instead.

/** Phases of requests, in execution order. */
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
/** Phases of responses, in execution order. */
export const RESPONSE_PHASES: readonly string[] = [
  "http_response_cache_settings",
  "http_custom_errors",
  "http_response_headers_transform",
  "http_response_compression",
  "http_response_firewall_managed",
  "http_log_custom_fields",
];
