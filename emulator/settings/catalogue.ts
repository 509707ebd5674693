import { boolean, nonEmpty, listOf, object, oneOf } from "../body.js";
import type { Schema } from "../schemas.js";

/** A setting of a zone: its initial value and its possible values. */
interface Setting {
  readonly value: unknown;
  readonly schema: Schema;
}

const onOff = (value: "on" | "off"): Setting => ({ value, schema: oneOf("on", "off") });
const choice = (value: unknown, ...others: readonly unknown[]): Setting => ({ value, schema: oneOf(value, ...others) });
const flags = (...names: readonly string[]): Setting => ({
  value: Object.fromEntries(names.map((name) => [name, "off"])),
  schema: object(Object.fromEntries(names.map((name) => [name, oneOf("on", "off")])), [], {
    additionalProperties: false,
  }),
});
const seconds = (value: number, maximum: number): Setting => ({
  value,
  schema: { type: "integer", minimum: 0, maximum },
});

const OFF = [
  "advanced_ddos",
  "always_online",
  "always_use_https",
  "development_mode",
  "early_hints",
  "hotlink_protection",
  "mirage",
  "opportunistic_onion",
  "orange_to_orange",
  "origin_error_page_pass_thru",
  "prefetch_preload",
  "response_buffering",
  "rocket_loader",
  "sort_query_string_for_cache",
  "tls_client_auth",
  "true_client_ip_header",
  "webp",
  "0rtt",
] as const;
const ON = [
  "automatic_https_rewrites",
  "brotli",
  "browser_check",
  "email_obfuscation",
  "fonts",
  "http2",
  "http3",
  "ip_geolocation",
  "ipv6",
  "opportunistic_encryption",
  "server_side_exclude",
  "websockets",
] as const;

/** Settings of a zone, except the WAF setting, which is a group of its own. */
export const SETTINGS: ReadonlyMap<string, Setting> = new Map<string, Setting>([
  ...OFF.map((id) => [id, onOff("off")] as const),
  ...ON.map((id) => [id, onOff("on")] as const),
  ["browser_cache_ttl", seconds(14_400, 31_536_000)],
  ["cache_level", choice("aggressive", "basic", "simplified")],
  [
    "challenge_ttl",
    choice(1800, 300, 900, 2700, 3600, 7200, 10_800, 14_400, 28_800, 57_600, 86_400, 604_800, 2_592_000, 31_536_000),
  ],
  ["ciphers", { value: [], schema: listOf(nonEmpty, { uniqueItems: true }) }],
  ["cname_flattening", choice("flatten_at_root", "flatten_all")],
  ["edge_cache_ttl", seconds(7200, 31_536_000)],
  ["h2_prioritization", choice("off", "on", "custom")],
  ["image_resizing", choice("off", "on", "open")],
  ["max_upload", { value: 100, schema: { type: "integer", minimum: 100, maximum: 500 } }],
  ["min_tls_version", choice("1.0", "1.1", "1.2", "1.3")],
  ["minify", flags("css", "html", "js")],
  ["nel", { value: { enabled: true }, schema: object({ enabled: boolean }, ["enabled"]) }],
  ["origin_max_http_version", choice("2", "1")],
  ["polish", choice("off", "lossless", "lossy")],
  ["proxy_read_timeout", { value: 100, schema: { type: "number", minimum: 1, maximum: 6000 } }],
  ["pseudo_ipv4", choice("off", "add_header", "overwrite_header")],
  ["security_header", { value: securityHeader(), schema: securityHeaderSchema() }],
  ["security_level", choice("medium", "off", "essentially_off", "low", "high", "under_attack")],
  ["ssl", choice("full", "off", "flexible", "strict", "origin_pull")],
  ["tls_1_3", choice("on", "off", "zrt")],
]);

function securityHeader(): object {
  return {
    strict_transport_security: {
      enabled: false,
      max_age: 0,
      include_subdomains: false,
      preload: false,
      nosniff: false,
    },
  };
}

function securityHeaderSchema(): Schema {
  const age = { type: "integer", minimum: 0 };
  return object(
    {
      strict_transport_security: object({
        enabled: boolean,
        max_age: age,
        include_subdomains: boolean,
        preload: boolean,
        nosniff: boolean,
      }),
    },
    ["strict_transport_security"],
  );
}
