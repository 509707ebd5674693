import type { Seed } from "../../emulator/index.js";
import type { RulesetRule } from "../../core/model/generated/rule.js";

/** A program that uses every action, by the phase of the action. `level` is the level at which that phase exists. */
export interface ActionSample {
  readonly phase: string;
  readonly level: "zones" | "accounts";
  readonly rules: readonly RulesetRule[];
}

/** What the samples refer to, and the service needs. */
export const sampleSeed: Seed = { lists: [{ name: "moved", kind: "redirect" }] };

const MANAGED = "efb7b8c949ac4650a09736fc376e9aee";
const DDOS = "4d21379b4f9f4bb088e0729962c8b3cf";
const ratelimit = {
  characteristics: ["cf.colo.id", "ip.src"],
  period: 60,
  requestsPerPeriod: 100,
  mitigationTimeout: 600,
  countingExpression: "http.response.code eq 401",
  requestsToOrigin: true,
};

export const everyAction: readonly ActionSample[] = [
  {
    phase: "http_request_firewall_custom",
    level: "zones",
    rules: [
      {
        action: "block",
        expression: 'http.request.uri.path eq "/a"',
        actionParameters: { response: { statusCode: 403, contentType: "application/json", content: "{}" } },
      },
      { action: "challenge", expression: 'http.request.uri.path eq "/b"' },
      { action: "js_challenge", expression: 'http.request.uri.path eq "/c"' },
      { action: "managed_challenge", expression: 'http.request.uri.path eq "/d"', enabled: false },
      { action: "log", expression: 'http.request.uri.path eq "/e"', description: "Watch" },
      {
        action: "skip",
        expression: "ip.src eq 192.0.2.1",
        actionParameters: { phases: ["http_ratelimit", "http_request_sbfm"], products: ["waf", "rateLimit"] },
        logging: { enabled: false },
      },
      { action: "skip", expression: "ip.src eq 192.0.2.2", actionParameters: { ruleset: "current" } },
    ],
  },
  {
    phase: "http_request_firewall_managed",
    level: "zones",
    rules: [
      { action: "skip", expression: "ip.src eq 192.0.2.3", actionParameters: { rulesets: [MANAGED] } },
      {
        action: "skip",
        expression: "ip.src eq 192.0.2.4",
        actionParameters: { rules: { [MANAGED]: ["5de7edfa648c4d6891dc3e7f84534ffa"] } },
      },
      {
        action: "execute",
        expression: "true",
        actionParameters: {
          id: MANAGED,
          matchedData: { publicKey: "iGqBmyIUxuWt1rvxoAharN9FUXneUBxA/Y19PyyrEG0=" },
          overrides: {
            enabled: true,
            action: "log",
            categories: [
              { category: "wordpress", action: "js_challenge", enabled: true },
              { category: "xss", enabled: false },
            ],
            rules: [{ id: "5de7edfa648c4d6891dc3e7f84534ffa", action: "block", enabled: true }],
          },
        },
      },
    ],
  },
  {
    phase: "ddos_l7",
    level: "zones",
    rules: [
      {
        action: "execute",
        expression: "true",
        actionParameters: { id: DDOS, overrides: { sensitivityLevel: "low", action: "log" } },
      },
    ],
  },
  { phase: "http_ratelimit", level: "zones", rules: [{ action: "block", expression: "true", ratelimit }] },
  {
    phase: "http_request_dynamic_redirect",
    level: "zones",
    rules: [
      {
        action: "redirect",
        expression: "not ssl",
        actionParameters: {
          fromValue: {
            targetUrl: { expression: 'concat("https://", http.host)' },
            statusCode: 301,
            preserveQueryString: true,
          },
        },
      },
    ],
  },
  {
    phase: "http_request_redirect",
    level: "accounts",
    rules: [
      {
        action: "redirect",
        expression: "http.request.full_uri in $moved",
        actionParameters: { fromList: { name: "moved", key: "http.request.full_uri" } },
      },
    ],
  },
  {
    phase: "http_request_transform",
    level: "zones",
    rules: [
      {
        action: "rewrite",
        expression: "true",
        actionParameters: { uri: { path: { value: "/new" }, query: { value: "" } } },
      },
    ],
  },
  {
    phase: "http_request_late_transform",
    level: "zones",
    rules: [
      {
        action: "rewrite",
        expression: "true",
        actionParameters: {
          headers: {
            "X-Source": { operation: "set", value: "edge" },
            "x-old_header": { operation: "remove" },
            "X-Ip": { operation: "add", expression: "to_string(ip.src)" },
          },
        },
      },
    ],
  },
  {
    phase: "http_request_origin",
    level: "zones",
    rules: [
      {
        action: "route",
        expression: "true",
        actionParameters: {
          hostHeader: "origin.example.com",
          origin: { host: "origin.example.com", port: 8443 },
          sni: { value: "origin.example.com" },
        },
      },
    ],
  },
  {
    phase: "http_custom_errors",
    level: "zones",
    rules: [
      {
        action: "serve_error",
        expression: "http.response.code eq 500",
        actionParameters: { contentType: "text/html", statusCode: 503, content: "<p>Later</p>" },
      },
    ],
  },
  {
    phase: "http_response_compression",
    level: "zones",
    rules: [
      {
        action: "compress_response",
        expression: "true",
        actionParameters: { algorithms: [{ name: "zstd" }, { name: "auto" }] },
      },
    ],
  },
  {
    phase: "http_log_custom_fields",
    level: "zones",
    rules: [
      {
        action: "log_custom_field",
        expression: "true",
        actionParameters: {
          cookieFields: [{ name: "session" }],
          requestFields: [{ name: "x-request" }],
          transformedRequestFields: [{ name: "x-late" }],
          responseFields: [{ name: "server", preserveDuplicates: true }],
          rawResponseFields: [{ name: "via" }],
        },
      },
    ],
  },
  {
    phase: "http_config_settings",
    level: "zones",
    rules: [
      {
        action: "set_config",
        expression: "true",
        actionParameters: {
          ssl: "strict",
          securityLevel: "high",
          polish: "off",
          autominify: { css: true, html: false, js: true },
          disableZaraz: true,
          bic: false,
        },
      },
    ],
  },
  {
    phase: "http_request_cache_settings",
    level: "zones",
    rules: [
      {
        action: "set_cache_settings",
        expression: "true",
        actionParameters: {
          cache: true,
          edgeTtl: {
            mode: "override_origin",
            default: 60,
            statusCodeTtls: [
              { statusCode: 404, value: 1 },
              { statusCodeRange: { from: 500, to: 599 }, value: -1 },
            ],
          },
          browserTtl: { mode: "respect_origin" },
          cacheKey: {
            ignoreQueryStringsOrder: true,
            customKey: {
              queryString: { exclude: { lists: ["utm_source"] } },
              header: { includes: ["x-tenant"], contains: { "accept-encoding": ["br"] }, checkPresences: ["x-a"] },
              cookie: { includes: ["a"], checkPresences: ["b"] },
              host: { resolved: true },
              user: { deviceType: true },
            },
          },
          serveStale: { disableStaleWhileUpdating: true },
          additionalCacheablePorts: [8443],
        },
      },
    ],
  },
  {
    phase: "http_response_cache_settings",
    level: "zones",
    rules: [
      {
        action: "set_cache_control",
        expression: "true",
        actionParameters: {
          maxAge: { operation: "set", value: 60 },
          sMaxage: { operation: "remove" },
          noCache: { operation: "set", qualifiers: ["set-cookie"] },
          public: { operation: "set" },
        },
      },
      { action: "set_cache_tags", expression: "true", actionParameters: { operation: "add", values: ["a", "b"] } },
      { action: "set_cache_settings", expression: "ssl", actionParameters: { stripEtags: true } },
    ],
  },
  {
    phase: "http_request_sbfm",
    level: "zones",
    rules: [
      { action: "score", expression: "ssl", actionParameters: { increment: -5 } },
      { action: "ddos_dynamic", expression: "not ssl" },
      { action: "force_connection_close", expression: 'http.host eq "x"' },
      { action: "transform_response_html", expression: 'http.host eq "y"', actionParameters: { linkMaze: {} } },
    ],
  },
];
