// Realistic zones with rules of all phases, and invariants about them of which it is known, by construction, whether they hold.

const CUSTOM = "http_request_firewall_custom";
const LIMITS = "http_ratelimit";
const MANAGED = "http_request_firewall_managed";
const TRANSFORM = "http_request_transform";
const REDIRECT = "http_request_dynamic_redirect";
const CLOUDFLARE = "efb7b8c949ac4650a09736fc376e9aee";
const OWASP = "4814384a9e5d4991b9815dcfc25d2f1f";

const zone = (phase, ...rules) => ({ kind: "zone", phase, rules });
const account = (phase, ...rules) => ({ kind: "root", phase, rules });
const custom = (id, ...rules) => ({ kind: "custom", id, phase: CUSTOM, rules });
const rule = (action, expression, actionParameters, more = {}) => ({
  ...{ action, expression, description: `${action} ${expression.slice(0, 30)}` },
  ...(actionParameters === undefined ? {} : { actionParameters }),
  ...more,
});
const block = (expression) => rule("block", expression);
const skip = (expression, parameters = { ruleset: "current" }) => rule("skip", expression, parameters);
const execute = (expression, id = CLOUDFLARE) => rule("execute", expression, { id });
const rewrite = (expression, path) => rule("rewrite", expression, { uri: { path: { value: path } } });
const redirect = (expression, target, statusCode = 301) =>
  rule("redirect", expression, { fromValue: { targetUrl: target, statusCode } });
const limit = (expression, more = {}) => ({
  ...block(expression),
  ratelimit: {
    ...{ characteristics: ["ip.src", "cf.colo.id"], period: 60, requestsPerPeriod: 20, mitigationTimeout: 600 },
    ...more,
  },
});

/** Rules that decide nothing about whether a request is stopped, as most zones have them. */
const furniture = (n) => [
  zone(
    "http_request_origin",
    rule("route", `http.host eq "img${n}.example.com"`, { hostHeader: `s3-${n}.example.net` }),
  ),
  zone("http_config_settings", rule("set_config", `starts_with(http.request.uri.path, "/app${n}")`, { polish: "off" })),
  zone(
    "http_request_cache_settings",
    rule("set_cache_settings", 'http.request.uri.path.extension in {"css" "js"}', { cache: true }),
  ),
  zone(
    "http_response_headers_transform",
    rule("rewrite", "true", { headers: { "X-Frame-Options": { operation: "set", value: "DENY" } } }),
  ),
  zone(
    "http_request_late_transform",
    rule("rewrite", "true", { headers: { "X-Zone": { operation: "set", value: `${n}` } } }),
  ),
];

const path = (text) => `http.request.uri.path eq "${text}"`;
const below = (text) => `starts_with(http.request.uri.path, "${text}")`;
const office = (n) => `ip.src in {198.18.${n}.0/24}`;
const host = (name) => `http.host eq "${name}.example.com"`;

const share = (percent) => `hash_in_range(0, 100, cf.random_seed) lt ${percent}`;

const stopped = "be-stopped";
const holds = (requests, must) => ({ requests, must: typeof must === "string" ? { kind: must } : must, holds: true });
const fails = (requests, must) => ({ requests, must: typeof must === "string" ? { kind: must } : must, holds: false });

/** Each scenario has the rules of a zone, and two invariants that hold and two that do not. */
const SCENARIOS = [
  // Admin pages only from the office.
  (n) => [
    [zone(CUSTOM, block(`${below(`/admin${n}`)} and not ${office(n)}`))],
    holds(`${below(`/admin${n}/users`)} and not ${office(n)}`, stopped),
    holds(`${below(`/admin${n}`)} and ip.src eq 198.18.${n}.7`, "be-allowed"),
    fails(below(`/admin${n}`), "block"),
    fails(`${path(`/admin${n}`)} and not ${office(n)}`, "challenge"),
  ],
  // A partner is let past all custom rules.
  (n) => [
    [
      zone(
        CUSTOM,
        skip(`ip.src in {203.0.113.${n} 198.51.100.${n}}`),
        block(`${below("/admin")} and not ${office(n)}`),
      ),
    ],
    holds(`${below("/admin")} and not ${office(n)} and not ip.src in {203.0.113.${n} 198.51.100.${n}}`, stopped),
    holds(office(n), "not-be-skipped"),
    fails(`${below("/admin")} and not ${office(n)}`, stopped),
    fails(`ip.src eq 203.0.113.${n}`, "not-be-skipped"),
  ],
  // Health checks skip rate limits and managed rules.
  (n) => [
    [
      zone(CUSTOM, skip(path(`/health${n}`), { phases: [LIMITS, MANAGED] })),
      zone(LIMITS, limit(`${below("/")} and http.request.method eq "POST"`)),
      zone(MANAGED, execute("true")),
    ],
    holds(`${path("/login")} and http.request.method eq "POST"`, "be-limited"),
    holds(below("/shop"), "reach-managed-rules"),
    fails(`http.request.method eq "POST"`, "be-limited"),
    fails("true", "reach-managed-rules"),
  ],
  // An old address of the admin pages is rewritten to the new one, which is closed.
  (n) => [
    [zone(TRANSFORM, rewrite(path(`/old-admin${n}`), "/admin/start")), zone(CUSTOM, block(below("/admin")))],
    holds(path(`/old-admin${n}`), stopped),
    holds(below("/admin/"), "block"),
    fails(below("/old-admin"), stopped),
    fails(path(`/old-admin${n}`), "be-allowed"),
  ],
  // A rewrite hides a closed path from the firewall.
  (n) => [
    [
      zone(TRANSFORM, rewrite(`${path("/internal")} and any(http.request.headers["x-beta"][*] eq "${n}")`, "/public")),
      zone(CUSTOM, block(path("/internal"))),
    ],
    holds(`${path("/internal")} and not any(http.request.headers["x-beta"][*] eq "${n}")`, "block"),
    holds(path("/public"), "be-allowed"),
    fails(path("/internal"), stopped),
    fails(below("/internal"), "block"),
  ],
  // Plain requests are redirected before the firewall sees them.
  (n) => [
    [
      zone(REDIRECT, redirect("not ssl", { value: `https://www${n}.example.com/` })),
      zone(CUSTOM, block(below("/admin"))),
    ],
    holds("not ssl", { kind: "redirect", to: `https://www${n}.example.com/`, status: 301 }),
    holds(`ssl and ${below("/admin")}`, stopped),
    fails(below("/admin"), stopped),
    fails("ssl", "redirect"),
  ],
  // A custom ruleset of the account runs for one host.
  (n) => [
    [
      account(CUSTOM, execute(host(`pay${n}`), `c0${n}`)),
      custom(`c0${n}`, block('not ip.src.country in {"DE" "AT" "CH"}'), block("cf.threat_score gt 40")),
    ],
    holds(`${host(`pay${n}`)} and ip.src.country eq "US"`, stopped),
    holds(`${host(`pay${n}`)} and ip.src.country eq "DE" and cf.threat_score lt 10`, "be-allowed"),
    fails('ip.src.country eq "US"', stopped),
    fails(host(`pay${n}`), stopped),
  ],
  // Managed rules see everything but static files.
  (n) => [
    [zone(MANAGED, execute(`not ${below(`/static${n}/`)}`), execute("true", OWASP))],
    holds(`not ${below(`/static${n}/`)}`, { kind: "reach-managed-rules", ruleset: CLOUDFLARE }),
    holds("true", "reach-managed-rules"),
    fails("true", { kind: "reach-managed-rules", ruleset: CLOUDFLARE }),
    fails(below(`/static${n}`), { kind: "reach-managed-rules", ruleset: CLOUDFLARE }),
  ],
  // An API is limited by path and method.
  (n) => [
    [zone(LIMITS, limit(`${below(`/api/v${n}/`)} and http.request.method in {"POST" "PUT" "DELETE"}`))],
    holds(`${below(`/api/v${n}/orders`)} and http.request.method eq "POST"`, "be-limited"),
    holds(`${below(`/api/v${n}/`)} and http.request.method eq "GET"`, "be-allowed"),
    fails(below(`/api/v${n}/`), "be-limited"),
    fails(`${below(`/api/v${n}/`)} and http.request.method eq "POST"`, stopped),
  ],
  // What happens on the admin pages is logged.
  (n) => [
    [zone(CUSTOM, rule("log", below(`/admin${n}`)), block(`${below("/admin")} and ip.src.country eq "T1"`))],
    holds(below(`/admin${n}`), "be-logged"),
    holds(`${below("/admin")} and ip.src.country eq "T1"`, "be-logged"),
    fails(below("/admin"), "be-logged"),
    fails(below(`/admin${n}`), stopped),
  ],
  // A rule is rolled out to a share of requests.
  (n) => [
    [zone(CUSTOM, block(`${below("/beta")} and ${share(10 + n)}`))],
    holds(`${below("/beta")} and ${share(10)}`, stopped),
    holds(`${below("/beta")} and not ${share(20 + n)}`, "be-allowed"),
    fails(below("/beta"), stopped),
    fails(`${below("/beta")} and ${share(20 + n)}`, stopped),
  ],
  // Countries and continents.
  (n) => [
    [zone(CUSTOM, rule("managed_challenge", 'ip.src.continent ne "EU"'), block('ip.src.country in {"RU" "BY"}'))],
    holds('ip.src.country in {"US" "CA" "MX"}', "challenge"),
    holds('ip.src.country eq "BY"', stopped),
    fails(`ip.src.country eq "${["DE", "FR"][n % 2]}"`, stopped),
    fails('ip.src.continent eq "EU"', "be-allowed"),
  ],
  // Bots by score.
  (n) => [
    [
      zone(
        CUSTOM,
        skip("cf.bot_management.verified_bot"),
        rule("managed_challenge", `cf.bot_management.score lt ${20 + n}`),
      ),
    ],
    holds("cf.bot_management.score eq 1 and not cf.bot_management.verified_bot", "challenge"),
    holds(`cf.bot_management.score gt ${20 + n}`, "be-allowed"),
    fails(`cf.bot_management.score lt ${30 + n} and not cf.bot_management.verified_bot`, "challenge"),
    fails("cf.bot_management.score lt 10", stopped),
  ],
  // Writes need a token.
  (n) => [
    [
      zone(
        CUSTOM,
        block(
          `${below(`/api${n}/`)} and http.request.method ne "GET" and not any(http.request.headers.names[*] eq "authorization")`,
        ),
      ),
    ],
    holds(
      `${path(`/api${n}/users`)} and http.request.method eq "DELETE" and not any(http.request.headers.names[*] eq "authorization")`,
      stopped,
    ),
    holds(`${below(`/api${n}/`)} and http.request.method eq "GET"`, "be-allowed"),
    fails(`${below(`/api${n}/`)} and http.request.method eq "DELETE"`, stopped),
    fails(`${below(`/api${n}/`)} and not any(http.request.headers.names[*] eq "authorization")`, stopped),
  ],
  // Networks.
  (n) => [
    [
      zone(
        CUSTOM,
        block(`ip.src.asnum in {645${10 + n} 64496..64500}`),
        rule("js_challenge", "ip.src in {2001:db8::/32}"),
      ),
    ],
    holds("ip.src.asnum eq 64498", "block"),
    holds("ip.src in {2001:db8:1::/48}", stopped),
    fails("ip.src.asnum in {64498..64501}", "block"),
    fails("ip.src in {2001:d00::/24}", stopped),
  ],
  // Files that nobody should get.
  (n) => [
    [
      zone(
        CUSTOM,
        block('http.request.uri.path.extension in {"env" "bak" "sql"}'),
        block(`http.request.uri.path contains "/.git/" or http.request.uri.path contains "/wp-${n}/"`),
      ),
    ],
    holds('ends_with(http.request.uri.path, "/x.sql")', stopped),
    holds('http.request.uri.path contains "/.git/config"', "block"),
    fails('http.request.uri.path contains ".sql"', stopped),
    fails('http.request.uri.path contains "/.git"', stopped),
  ],
  // Unknown hosts.
  (n) => [
    [
      zone(
        CUSTOM,
        block(`not http.host in {"www${n}.example.com" "api${n}.example.com"}`),
        block(`${host(`api${n}`)} and ${below("/admin")}`),
      ),
    ],
    holds(host("staging"), stopped),
    holds(`${host(`www${n}`)} and ${below("/admin")}`, "be-allowed"),
    fails(host(`www${n}`), stopped),
    fails(`ends_with(http.host, ".example.com")`, "be-allowed"),
  ],
  // Regular expressions.
  (n) => [
    [
      zone(
        CUSTOM,
        block(`http.request.uri.path matches "^/api/v[0-${n % 9}]/"`),
        rule("log", 'http.user_agent matches "(?i)sqlmap"'),
      ),
    ],
    holds(below("/api/v0/"), "block"),
    holds('http.user_agent contains "SQLMap/1.0"', "be-logged"),
    fails('http.request.uri.path matches "^/api/v[0-9]+/"', stopped),
    fails('lower(http.user_agent) contains "sql"', "be-logged"),
  ],
  // Queries and cookies.
  (n) => [
    [
      zone(
        CUSTOM,
        block(`http.request.uri.query contains "debug${n}=1"`),
        rule("managed_challenge", `${path("/checkout")} and not http.cookie contains "session="`),
      ),
    ],
    holds(`http.request.uri.query contains "&debug${n}=1&"`, stopped),
    holds(`${path("/checkout")} and http.cookie eq "a=b"`, stopped),
    fails(`http.request.uri.query contains "debug${n}"`, stopped),
    fails(path("/checkout"), "challenge"),
  ],
  // Client certificates.
  (n) => [
    [
      zone(
        CUSTOM,
        block(`${host(`mtls${n}`)} and (not cf.tls_client_auth.cert_verified or cf.tls_client_auth.cert_revoked)`),
      ),
    ],
    holds(`${host(`mtls${n}`)} and not cf.tls_client_auth.cert_verified`, "block"),
    holds(
      `${host(`mtls${n}`)} and cf.tls_client_auth.cert_verified and not cf.tls_client_auth.cert_revoked`,
      "be-allowed",
    ),
    fails(host(`mtls${n}`), stopped),
    fails("not cf.tls_client_auth.cert_verified", stopped),
  ],
  // Attack scores.
  (n) => [
    [zone(CUSTOM, block("cf.waf.score lt 20"), rule("managed_challenge", `cf.waf.score lt ${40 + n}`))],
    holds("cf.waf.score le 10", "block"),
    holds("cf.waf.score lt 40", stopped),
    fails("cf.waf.score lt 40", "block"),
    fails("cf.waf.score gt 30", "be-allowed"),
  ],
  // The account skips the zone's rules for its monitors.
  (n) => [
    [
      account(CUSTOM, skip(`http.user_agent eq "monitor/${n}"`, { phases: [LIMITS] })),
      zone(LIMITS, limit(below("/login"))),
      zone(CUSTOM, block(`${below("/login")} and http.request.method eq "TRACE"`)),
    ],
    holds(`${below("/login")} and http.user_agent ne "monitor/${n}"`, "be-limited"),
    holds(`${below("/login")} and http.request.method eq "TRACE"`, stopped),
    fails(below("/login"), "be-limited"),
    fails(`http.user_agent contains "monitor"`, "not-be-skipped"),
  ],
  // The same custom ruleset for two hosts.
  (n) => [
    [
      zone(CUSTOM, execute(host(`a${n}`), `d0${n}`), execute(`${host(`b${n}`)} and ${below("/v2")}`, `d0${n}`)),
      custom(`d0${n}`, skip(office(n)), block(below("/v2/admin"))),
    ],
    holds(`${host(`a${n}`)} and ${below("/v2/admin")} and not ${office(n)}`, stopped),
    holds(`${host(`b${n}`)} and ${path("/v2/admin/x")} and ip.src eq 203.0.113.1`, "block"),
    fails(`${host(`b${n}`)} and ${below("/v2/admin")}`, stopped),
    fails(host(`a${n}`), "not-be-skipped"),
  ],
  // Redirects that move a closed page.
  (n) => [
    [
      zone(
        REDIRECT,
        redirect(path(`/blog${n}`), { value: `https://blog.example.com/${n}` }, 302),
        redirect(host("old"), { expression: 'concat("https://new.example.com", http.request.uri.path)' }),
      ),
    ],
    // Redirects see the path before it is normalised: not for `//blog`.
    holds(`raw.${path(`/blog${n}`)}`, { kind: "redirect", status: 302, to: `https://blog.example.com/${n}` }),
    holds(host("old"), "redirect"),
    fails(path(`/blog${n}`), "redirect"),
    fails(below("/blog"), "redirect"),
  ],
  // Skips of single rules of a managed ruleset, and of everything.
  (n) => [
    [
      zone(
        MANAGED,
        skip(`${below(`/upload${n}`)} and http.request.method eq "PUT"`, { rulesets: [CLOUDFLARE] }),
        execute("true"),
        execute("true", OWASP),
      ),
    ],
    holds('http.request.method eq "GET"', { kind: "reach-managed-rules", ruleset: CLOUDFLARE }),
    holds(below(`/upload${n}`), { kind: "reach-managed-rules", ruleset: OWASP }),
    fails(below(`/upload${n}`), { kind: "reach-managed-rules", ruleset: CLOUDFLARE }),
    fails('http.request.method eq "PUT"', "not-be-skipped"),
  ],
];

/** 50 zones with four invariants each: two hold and two do not. */
export function zonesWithInvariants() {
  return SCENARIOS.flatMap((scenario) =>
    [3, 8].map((n) => {
      const [rulesets, ...invariants] = scenario(n);
      return { rulesets: [...rulesets, ...furniture(n)], invariants };
    }),
  );
}
