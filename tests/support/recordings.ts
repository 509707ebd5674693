import type { Recording } from "./replay.js";

/*
 * What the service returns for a zone and its account, with every key of the API description
 * (https://developers.cloudflare.com/api/resources/rulesets/) and the values of its pages: nulls, empty lists and objects, more than
 * one spelling, fields that this package has no name for, and rules that its checks refuse.
 */

export const ZONE = "9f1839b6152d298aca64c4e906b6d074";
export const ACCOUNT = "abf9b32d38c5f572afde3336ec0ce302";
const MANAGED = "efb7b8c949ac4650a09736fc376e9aee";
const MANAGED_RULE = "5de7edfa648c4d6891dc3e7f84534ffa";
const [ZONE_PATH, ACCOUNT_PATH] = [`/client/v4/zones/${ZONE}`, `/client/v4/accounts/${ACCOUNT}`];

const hex = (number: number): string => number.toString(16).padStart(32, "a");

/** The phases that the service names a source for. */
const SOURCES: Readonly<Record<string, string>> = {
  http_request_firewall_custom: "firewall_custom",
  http_request_firewall_managed: "firewall_managed",
  http_ratelimit: "rate_limit",
};

/** A rule as the service returns it: its ID is its ref if nobody gave it one. */
const rule = (id: string, content: object) => ({
  id,
  version: "1",
  action: "block",
  expression: "true",
  description: "",
  last_updated: "2024-05-04T11:22:33.447829Z",
  ref: id,
  enabled: true,
  ...content,
});

const headers = (entries: object) => ({ action: "rewrite", action_parameters: { headers: entries } });
const cache = (parameters: object) => ({
  action: "set_cache_settings",
  action_parameters: { cache: true, ...parameters },
});
const cacheKey = (key: object) => cache({ cache_key: { custom_key: key } });
const limit = (content: object) => ({
  ratelimit: { characteristics: ["ip.src", "cf.colo.id"], period: 60, requests_per_period: 100, ...content },
});

const RULES: Readonly<Record<string, readonly object[]>> = {
  http_request_firewall_custom: [
    {
      action_parameters: { response: { status_code: 418, content: "no", content_type: "text/plain" } },
      ratelimit: null,
    },
    { action: "log", action_parameters: {}, logging: null, categories: [], exposed_credential_check: null },
    { action: "log", action_parameters: null, description: null },
    { action: "skip", action_parameters: { ruleset: "current" }, logging: { enabled: true } },
    { action: "skip", action_parameters: { phases: ["http_ratelimit"], products: [] }, logging: { enabled: false } },
    { action: "skip", action_parameters: { rules: { [MANAGED]: [] } }, expression: "ssl" },
    { action: "skip", action_parameters: {}, expression: "not ssl" },
    { expression: 'http.host quasi_matches "a"', description: "An operator of next year" },
    { expression: '(cf.threat_score gt 10 and ip.geoip.country in {"T1" "XX"})', ref: "named" },
    { action: "teleport", action_parameters: { to: { colo_name: "AMS", tags: ["a", null] } } },
    { action: "blok", description: "An action that looks like a mistake" },
    { newer_field: [{ a_b: 1 }], description: "A newer field of a rule" },
    { action: "log", action_parameters: { newer: { aB: null, list: [] } }, expression: 'http.host eq "a"' },
    { action: "managed_challenge", action_parameters: { increment: 5 }, expression: 'http.host eq "b"' },
    { action: "log", description: "x".repeat(5000), expression: 'http.host eq "c"' },
    {
      action: "log",
      expression: `http.host in {${Array.from({ length: 300 }, (_, at) => `"host-${String(at)}.test"`).join(" ")}}`,
    },
    { action: "log", expression: 'http.host eq "d"', enabled: false, position: null },
    ...[undefined, null, "", 4].map((expression, at) => ({ expression, description: `No expression, ${String(at)}` })),
    {
      action: "block",
      expression: 'http.host eq "e"',
      action_parameters: { response: { status_code: 99, content: "", content_type: "" } },
    },
  ],
  http_request_firewall_managed: [
    {
      action: "execute",
      action_parameters: {
        id: MANAGED,
        version: "latest",
        matched_data: null,
        overrides: { enabled: false, categories: [], rules: [], action: "" },
      },
    },
    {
      action: "execute",
      expression: 'http.host eq "a"',
      action_parameters: {
        id: MANAGED,
        version: "3",
        overrides: {
          categories: [{ category: "wordpress", enabled: true, newer: 1 }],
          rules: [{ id: MANAGED_RULE, action: "log", enabled: null, score_threshold: 25, sensitivity_level: "low" }],
          sensitivity_level: "default",
        },
      },
    },
    { action: "skip", expression: "ssl", action_parameters: { rulesets: [MANAGED], phases: [], rules: {} } },
    { action: "skip", expression: 'http.host eq "b"', action_parameters: { rules: { [MANAGED]: [MANAGED_RULE] } } },
    { action: "execute", expression: 'http.host eq "c"', action_parameters: { id: "not-an-id", overrides: {} } },
  ],
  http_ratelimit: [
    limit({ mitigation_timeout: 0, requests_to_origin: false, counting_expression: "" }),
    limit({ mitigation_timeout: 61, period: 61, counting_expression: null }),
    limit({ characteristics: ["ip.src"], score_per_period: 5, score_response_header_name: "x-score" }),
    limit({
      characteristics: ["cf.unique_visitor_id", "ip.src", "cf.colo.id"],
      newer: true,
      mitigation_expression: "",
    }),
    { description: "No limit at all" },
    {
      ...limit({ requests_to_origin: true, characteristics: ["cf.colo.id", 'http.request.headers["X-Key"]'] }),
      expression: "ip.src in $ip",
    },
    {
      ...limit({ counting_expression: "http.response.code eq 403 and ip.src in $ip" }),
      action: "force_connection_close",
    },
  ],
  http_request_transform: [
    { action: "rewrite", action_parameters: { uri: { path: { value: "/new" }, query: { value: "" }, origin: false } } },
    { action: "rewrite", action_parameters: { uri: { path: { expression: "regex(http.host" } } } },
    { action: "rewrite", action_parameters: { uri: { path: { value: "/new", newer: {} } } } },
    { action: "rewrite", action_parameters: { uri: {} } },
    {
      action: "rewrite",
      action_parameters: { uri: { path: { value: "/a".repeat(1500) }, query: { value: "a=".repeat(1500) } } },
    },
  ],
  http_request_late_transform: [
    headers({ "X-A": { operation: "set", expression: '(ip.src.continent eq "AN")' } }),
    headers({ "X-B": { operation: "set", value: "1", expression: null }, "X-C": { operation: "remove" } }),
    headers({ "CF-Ray": { operation: "remove" } }),
    headers({ "X D": { operation: "append" } }),
    headers({}),
  ],
  http_request_cache_settings: [
    cacheKey({ query_string: { exclude: "*" }, header: null, user: { geo: false, lang: null } }),
    cacheKey({ query_string: { exclude: ["*"] }, cookie: { include: [], check_presence: ["a"] } }),
    cacheKey({ query_string: { include: ["a", "b"] } }),
    cacheKey({ query_string: { include: { list: ["a"] } }, host: {} }),
    cacheKey({ query_string: { include: {} } }),
    cacheKey({ query_string: { newer: ["a"] } }),
    cacheKey({ header: { include: ["Accept", "x-a"], exclude_origin: true }, cookie: { include: ["__cflb"] } }),
    cache({
      edge_ttl: {
        mode: "override_origin",
        status_code_ttl: [{ status_code_range: { from: 400, to: 499 }, value: -1 }],
      },
    }),
    cache({
      edge_ttl: { mode: "bypass_by_default", default: 0, status_code_ttl: [] },
      browser_ttl: { mode: "bypass" },
    }),
    cache({ serve_stale: {}, read_timeout: 900, additional_cacheable_ports: [], origin_cache_control: null }),
    cache({ cache_reserve: { eligible: true, minimum_file_size: 0 }, vary: null, strip_etags: true }),
  ],
  http_config_settings: [
    { action: "set_config", action_parameters: { autominify: { css: true, html: false, js: true }, polish: "webpp" } },
    { action: "set_config", action_parameters: { disable_apps: false, disable_railgun: true, bic: null } },
    { action: "set_config", action_parameters: { ssl: "strict", security_level: "medium", mirage: false, sxg: true } },
    { action: "set_config", action_parameters: {} },
  ],
  http_request_dynamic_redirect: [
    {
      action: "redirect",
      action_parameters: {
        from_value: { target_url: { value: "https://a.test" }, preserve_query_string: false, status_code: 301 },
      },
    },
    {
      action: "redirect",
      action_parameters: { from_value: { target_url: { value: null, expression: "concat(" }, status_code: 399 } },
    },
  ],
  http_request_origin: [
    { action: "route", action_parameters: { host_header: "a.test", origin: { host: "b.test", port: 0 }, sni: null } },
    { action: "route", action_parameters: { origin: { host: null, port: 8443 }, sni: { value: "c.test" } } },
  ],
  http_log_custom_fields: [
    {
      action: "log_custom_field",
      action_parameters: {
        request_fields: [{ name: "Content-Type" }],
        response_fields: [{ name: "server", preserve_duplicates: false }],
        raw_response_fields: [],
        cookie_fields: null,
      },
    },
  ],
  http_response_compression: [
    { action: "compress_response", action_parameters: { algorithms: [{ name: "auto" }, { name: "snappy" }] } },
  ],
  http_custom_errors: [
    {
      action: "serve_error",
      action_parameters: { content: "a", asset_name: "b", content_type: "text/html", status_code: 0 },
    },
  ],
  http_request_quantum: [{ action: "block" }],
  // A phase that resembles a known one, and one that only accounts are known to have.
  http_ratelimits: [limit({})],
  http_request_redirect: [{ action: "redirect", action_parameters: { from_list: { name: "redirect", key: "ssl" } } }],
  http_request_sanitize: [{ action: "execute", action_parameters: { id: MANAGED, version: "latest" } }],
};

const rulesets = Object.entries(RULES).map(([phase, rules], index) => ({
  id: hex(index + 1),
  name: index % 2 === 0 ? "default" : "",
  description: index % 3 === 0 ? "" : "Ours",
  ...(SOURCES[phase] === undefined ? {} : { source: SOURCES[phase] }),
  kind: "zone",
  version: String(index + 3),
  rules: rules.map((content, at) => rule(hex((index + 1) * 100 + at), content)),
  last_updated: "2024-05-04T11:22:33.447829Z",
  phase,
}));

/** Those of the account: its entry point, and a custom ruleset that it executes. */
const CUSTOM_RULESET = hex(8000);
const ofAccount = [
  {
    ...{ id: hex(8001), name: "default", description: "", source: "firewall_custom", kind: "root", version: "7" },
    rules: [
      rule(hex(8010), {
        action: "execute",
        expression: '(cf.zone.name in {"a.test"}) and cf.zone.plan eq "ENT"',
        action_parameters: { id: CUSTOM_RULESET, version: "latest", overrides: null, matched_data: {} },
      }),
      rule(hex(8011), { action: "execute", action_parameters: { id: CUSTOM_RULESET, newer: [] }, categories: null }),
    ],
    ...{ last_updated: "2024-05-04T11:22:33Z", phase: "http_request_firewall_custom" },
  },
  {
    ...{
      id: CUSTOM_RULESET,
      name: "",
      description: "R&amp;D",
      kind: "custom",
      version: "1",
      sharing: { with: [] },
    },
    rules: [rule(hex(8020), { expression: "ip.src in $ip", categories: [], score_threshold: null })],
    ...{ last_updated: "2024-05-04T11:22:33Z", phase: "http_request_firewall_custom" },
  },
];

/** A custom hostname with every key that the service shows of one. */
const HOSTNAME = {
  ...{ id: "0d89c70d-ad9f-4843-b99f-6cc0252067e9", hostname: "shop.customer.test", status: "active" },
  ...{ created_at: "2024-05-04T11:22:33.447829Z", custom_metadata: null, verification_errors: [] },
  ssl: {
    ...{ id: "0d89c70d-ad9f-4843-b99f-6cc0252067e8", type: "dv", method: "http", status: "active", wildcard: false },
    ...{ certificate_authority: "google", bundle_method: "ubiquitous", settings: {}, validation_records: [] },
    ...{
      hosts: ["shop.customer.test"],
      issuer: "GoogleTrustServices",
      serial_number: "6743787633689793699141714808227354901",
    },
    ...{
      expires_on: "2034-05-04T11:22:33Z",
      uploaded_on: "2024-05-04T11:22:33Z",
      validation_errors: null,
      newer: [{}],
    },
  },
};

const summary = ({ rules: _rules, ...rest }: { readonly rules: unknown }) => rest;
const managed = {
  ...{ id: MANAGED, name: "Cloudflare Managed Ruleset", description: "", source: "firewall_managed", kind: "managed" },
  ...{ version: "63", last_updated: "2024-05-01T00:00:00.000000Z", phase: "http_request_firewall_managed" },
};

const item = (id: number, content: object) => ({
  ...{ id: hex(id), created_on: "2024-05-04T11:22:33Z", modified_on: "2024-05-04T11:22:33Z", comment: null },
  ...content,
});
const redirectTo = (source: string, content: object) => ({
  redirect: { source_url: source, target_url: "https://example.test/", status_code: 301, ...content },
});

const ITEMS: Readonly<Record<string, readonly object[]>> = {
  ip: [{ ip: "192.0.2.1" }, { ip: "0.0.0.0/1" }, { ip: "2001:db8::/4", comment: "x".repeat(501) }, { ip: "newer" }],
  asn: [{ asn: 64496, comment: "R&amp;D" }, { asn: 4_294_967_296 }],
  hostname: [
    { hostname: { url_hostname: "*.example.test", exclude_exact_hostname: false, newer: { aB: [null, 1] } } },
    { hostname: { url_hostname: "a..example.test", exclude_exact_hostname: null } },
    { hostname: { url_hostname: "b.example.test", exclude_exact_hostname: true } },
  ],
  redirect: [
    redirectTo("example.test/a", { include_subdomains: false, preserve_path_suffix: false, subpath_matching: false }),
    redirectTo("example.test/b", { status_code: null, preserve_query_string: null }),
    redirectTo("example.test/c", { status_code: 399, target_url: "no-scheme", newer_switch: true }),
    redirectTo("https://example.test:8443/d?query", { include_subdomains: "enabled" }),
  ],
  tls_fingerprint: [
    { tls_fingerprint: "e7d705a3286e19ea42f587b344ee6865", comment: "A kind of next year" },
    { ip: null, asn: null, tls_fingerprint: 4711 },
    { tls_fingerprint: { ja4: "t13d1516h2", os_names: ["a", null], strict: null }, comment: "" },
    { tls_fingerprint: "a", weight: 0 },
  ],
  "redirect-2": Array.from({ length: 60 }, (_, at) =>
    redirectTo(`example.test/${String(at)}`, { status_code: 300 + at }),
  ),
};
const lists = Object.entries(ITEMS).map(([name, items], index) => ({
  ...{ id: hex(9000 + index), name, kind: name.replace("-2", ""), description: index === 0 ? "Ours" : "" },
  ...{ num_items: items.length, num_referencing_filters: 0 },
  ...{ created_on: "2024-05-04T11:22:33Z", modified_on: "2024-05-04T11:22:33Z" },
  items: items.map((content, at) => item(9100 + 100 * index + at, content)),
}));

/** The answers by path. */
export const RECORDING: Recording = {
  [ZONE_PATH]: {
    ...{ id: ZONE, name: "example.test", status: "active", paused: false, type: "full", development_mode: 0 },
    account: { id: ACCOUNT, name: "Example" },
    plan: { id: "94f3b7b768b0458b56d2cac4fe5ec0f9", name: "Enterprise Website", legacy_id: "enterprise" },
  },
  [`${ZONE_PATH}/rulesets`]: [...rulesets.map(summary), managed],
  [`${ACCOUNT_PATH}/rulesets`]: [...ofAccount.map(summary), managed],
  ...Object.fromEntries(ofAccount.map((one) => [`${ACCOUNT_PATH}/rulesets/${one.id}`, one])),
  [`${ACCOUNT_PATH}/rulesets/phases/http_request_firewall_custom/entrypoint`]: ofAccount[0],
  [`${ACCOUNT_PATH}/rules/lists`]: lists.map(({ items: _items, ...list }) => list),
  ...Object.fromEntries<unknown>(
    lists.flatMap(({ items, ...list }): [string, unknown][] => [
      [`${ACCOUNT_PATH}/rules/lists/${list.id}`, list],
      [`${ACCOUNT_PATH}/rules/lists/${list.id}/items`, items],
    ]),
  ),
  ...Object.fromEntries(
    rulesets.flatMap((one) => [
      [`${ZONE_PATH}/rulesets/${one.id}`, one],
      [`${ZONE_PATH}/rulesets/phases/${one.phase}/entrypoint`, one],
    ]),
  ),
  [`${ZONE_PATH}/rulesets/${MANAGED}`]: {
    ...managed,
    rules: [rule(MANAGED_RULE, { action: "block", description: "XSS", categories: ["xss"], expression: undefined })],
  },
  [`${ZONE_PATH}/custom_hostnames`]: [HOSTNAME],
  [`${ZONE_PATH}/custom_hostnames/${HOSTNAME.id}`]: HOSTNAME,
  [`${ZONE_PATH}/acm/total_tls`]: {
    enabled: true,
    certificate_authority: "google",
    validity_days: 90,
    status: "enabled",
  },
};
