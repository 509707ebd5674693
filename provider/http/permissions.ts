import { ownValue } from "../model/json.js";

const ZONE: Readonly<Record<string, string>> = {
  http_request_firewall_custom: "Zone WAF",
  http_request_firewall_managed: "Zone WAF",
  http_ratelimit: "Zone WAF",
  http_response_firewall_managed: "Zone WAF",
  ddos_l7: "HTTP DDoS Managed Ruleset",
  http_request_dynamic_redirect: "Single Redirect",
  http_request_cache_settings: "Cache Rules",
  http_response_cache_settings: "Cache Rules",
  http_config_settings: "Config Rules",
  http_request_origin: "Origin Rules",
  http_request_transform: "Transform Rules",
  http_request_late_transform: "Transform Rules",
  http_response_headers_transform: "Transform Rules",
  http_response_compression: "Response Compression",
  http_custom_errors: "Custom Error Rules",
  http_request_sanitize: "Sanitize",
  http_request_sbfm: "Bot Management",
  http_log_custom_fields: "Logs",
};

/** Permissions of other operations than those of rulesets, by a part of the path. */
const BY_PATH: readonly (readonly [RegExp, string])[] = [
  [/\/waf_migration\//, "Zone WAF"],
  [/\/firewall\/waf\/overrides|\/settings\//, "Zone Settings"],
  [/\/firewall\/|\/filters/, "Firewall Services"],
  [/\/pagerules/, "Page Rules"],
  [/\/custom_hostnames|\/ssl\/|\/custom_certificates|\/acm\//, "SSL and Certificates"],
];

/**
 * The permission that an operation needs, as the API token page names it. See
 * https://developers.cloudflare.com/fundamentals/api/reference/permissions/.
 */
export function permissionFor(call: {
  readonly method: string;
  readonly path: string;
  readonly phase?: string;
}): string {
  const right = call.method === "GET" ? "Read" : "Edit";
  if (!call.path.includes("/rulesets")) {
    return `${BY_PATH.find(([pattern]) => pattern.test(call.path))?.[1] ?? "Zone"} ${right}`;
  }
  if (call.path.startsWith("/accounts/")) return `Account Rulesets ${right} (or Account WAF ${right})`;
  const phase = call.phase ?? /\/phases\/([^/?]+)/.exec(call.path)?.[1];
  return `${(phase === undefined ? undefined : ownValue(ZONE, phase)) ?? "Zone WAF"} ${right}`;
}
