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

const inZone = (phase: string, ...rules: RulesetRule[]): ActionSample => ({ phase, level: "zones", rules });
const inAccount = (phase: string, ...rules: RulesetRule[]): ActionSample => ({ phase, level: "accounts", rules });
const rule = (action: string, expression: string, actionParameters?: RulesetRule["actionParameters"]): RulesetRule => ({
  action,
  expression,
  ...(actionParameters && { actionParameters }),
});

export const everyAction: readonly ActionSample[] = [
  inZone(
    "http_request_firewall_custom",
    rule("block", 'http.request.uri.path eq "/a"', {
      response: { statusCode: 403, contentType: "application/json", content: "{}" },
    }),
    rule("challenge", 'http.request.uri.path eq "/b"'),
    rule("js_challenge", 'http.request.uri.path eq "/c"'),
    { ...rule("managed_challenge", 'http.request.uri.path eq "/d"'), enabled: false },
    { ...rule("log", 'http.request.uri.path eq "/e"'), description: "Watch" },
    {
      ...rule("skip", "ip.src eq 192.0.2.1", {
        phases: ["http_ratelimit", "http_request_sbfm"],
        products: ["waf", "rateLimit"],
      }),
      logging: { enabled: false },
    },
    rule("skip", "ip.src eq 192.0.2.2", { ruleset: "current" }),
  ),
  inZone(
    "http_request_firewall_managed",
    rule("skip", "ip.src eq 192.0.2.3", { rulesets: [MANAGED] }),
    rule("skip", "ip.src eq 192.0.2.4", { rules: { [MANAGED]: ["5de7edfa648c4d6891dc3e7f84534ffa"] } }),
    rule("execute", "true", {
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
    }),
  ),
  inZone("ddos_l7", rule("execute", "true", { id: DDOS, overrides: { sensitivityLevel: "low", action: "log" } })),
  inZone("http_ratelimit", { ...rule("block", "true"), ratelimit }),
  inZone(
    "http_request_dynamic_redirect",
    rule("redirect", "not ssl", {
      fromValue: {
        targetUrl: { expression: 'concat("https://", http.host)' },
        statusCode: 301,
        preserveQueryString: true,
      },
    }),
  ),
  inAccount(
    "http_request_redirect",
    rule("redirect", "http.request.full_uri in $moved", { fromList: { name: "moved", key: "http.request.full_uri" } }),
  ),
  inZone("http_request_transform", rule("rewrite", "true", { uri: { path: { value: "/new" }, query: { value: "" } } })),
  inZone(
    "http_request_late_transform",
    rule("rewrite", "true", {
      headers: {
        "X-Source": { operation: "set", value: "edge" },
        "x-old_header": { operation: "remove" },
        "X-Ip": { operation: "add", expression: "to_string(ip.src)" },
      },
    }),
  ),
  inZone(
    "http_request_origin",
    rule("route", "true", {
      hostHeader: "origin.example.com",
      origin: { host: "origin.example.com", port: 8443 },
      sni: { value: "origin.example.com" },
    }),
  ),
  inZone(
    "http_custom_errors",
    rule("serve_error", "http.response.code eq 500", {
      contentType: "text/html",
      statusCode: 503,
      content: "<p>Later</p>",
    }),
  ),
  inZone(
    "http_response_compression",
    rule("compress_response", "true", { algorithms: [{ name: "zstd" }, { name: "auto" }] }),
  ),
  inZone(
    "http_log_custom_fields",
    rule("log_custom_field", "true", {
      cookieFields: [{ name: "session" }],
      requestFields: [{ name: "x-request" }],
      transformedRequestFields: [{ name: "x-late" }],
      responseFields: [{ name: "server", preserveDuplicates: true }],
      rawResponseFields: [{ name: "via" }],
    }),
  ),
  inZone(
    "http_config_settings",
    rule("set_config", "true", {
      ssl: "strict",
      securityLevel: "high",
      polish: "off",
      autominify: { css: true, html: false, js: true },
      disableZaraz: true,
      bic: false,
    }),
  ),
  inZone(
    "http_request_cache_settings",
    rule("set_cache_settings", "true", {
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
      originRangeRequests: { mode: "off" },
      additionalCacheablePorts: [8443],
    }),
  ),
  inZone(
    "http_response_cache_settings",
    rule("set_cache_control", "true", {
      maxAge: { operation: "set", value: 60 },
      sMaxage: { operation: "remove" },
      noCache: { operation: "set", qualifiers: ["set-cookie"] },
      public: { operation: "set" },
    }),
    rule("set_cache_tags", "true", { operation: "add", values: ["a", "b"] }),
    rule("set_cache_settings", "ssl", { stripEtags: true }),
  ),
  inZone(
    "http_request_sbfm",
    rule("score", "ssl", { increment: -5 }),
    rule("ddos_dynamic", "not ssl"),
    rule("force_connection_close", 'http.host eq "x"'),
    rule("transform_response_html", 'http.host eq "y"', { linkMaze: {} }),
  ),
];
