import type { PageState } from "./page-state.js";

/** An example of the page: a question that somebody has, and the texts that answer it. */
export interface Example {
  readonly title: string;
  readonly state: Partial<PageState>;
}

export const EXAMPLES: readonly Example[] = [
  {
    title: "Is the admin page closed?",
    state: {
      rules: `phase: http_request_firewall_custom
rules:
  - description: Let monitoring in
    action: skip
    expression: ip.src in {192.0.2.0/28}
    actionParameters: { ruleset: current }
  - description: Block admin
    action: block
    expression: starts_with(http.request.uri.path, "/admin")
  - description: Challenge scanners
    action: managed_challenge
    expression: lower(http.user_agent) contains "scan"
`,
      request: {
        method: "GET",
        url: "https://shop.example.com/admin/users?page=2",
        ip: "203.0.113.9",
        headers: "User-Agent: Mozilla/5.0",
      },
    },
  },
  {
    title: "What does an edit let through?",
    state: {
      mode: "compare",
      rules: `phase: http_request_firewall_custom
rules:
  - description: Block admin
    action: block
    expression: starts_with(http.request.uri.path, "/admin")
  - description: Only known countries
    action: block
    expression: not ip.src.country in {"DE" "AT" "CH"}
`,
      after: `phase: http_request_firewall_custom
rules:
  - description: Block admin
    action: block
    expression: http.request.uri.path eq "/admin"
  - description: Only known countries
    action: block
    expression: not ip.src.country in {"DE" "AT" "CH"}
`,
    },
  },
  {
    title: "Mistakes that a deployment would not show",
    state: {
      rules: `phase: http_request_firewall_custom
rules:
  - description: Old proxies
    action: block
    expression: http.request.headers["Via"][0] contains "proxy"
  - description: Scripts
    action: block
    expression: http.request.uri.path.extension in {".php" ".asp"}
  - description: Everything under /api
    action: block
    expression: starts_with(http.request.uri.path, "/api")
  - description: Old API
    action: managed_challenge
    expression: starts_with(http.request.uri.path, "/api/v1/")
  - description: Large ports
    action: block
    expression: cf.edge.server_port gt 70000
`,
      request: { method: "POST", url: "https://shop.example.com/api/v1/orders" },
    },
  },
  {
    title: "Tests of a firewall",
    state: {
      rules: `rules:
  - phase: http_request_firewall_custom
    rules:
      - description: Block admin
        action: block
        expression: starts_with(http.request.uri.path, "/admin")
      - description: Challenge scanners
        action: managed_challenge
        expression: lower(http.user_agent) contains "scan"
tests:
  - name: the admin pages are closed
    request: GET https://shop.example.com/admin
    expect: { block: Block admin }
  - name: the shop is open
    request: GET https://shop.example.com/products
    expect: allow
  - name: scanners have to solve a challenge
    request: { url: "https://shop.example.com/", headers: { User-Agent: Scanner } }
    expect: { block: Challenge scanners }
`,
      request: { method: "GET", url: "https://shop.example.com/products", headers: "User-Agent: Scanner" },
    },
  },
  {
    title: "When does the rate limit stop a login?",
    state: {
      rules: `phase: http_ratelimit
rules:
  - description: Login limits
    action: block
    expression: http.request.method eq "POST" and http.request.uri.path eq "/login"
    ratelimit:
      characteristics: [cf.colo.id, ip.src]
      period: 60
      requestsPerPeriod: 5
      mitigationTimeout: 600
`,
      request: { method: "POST", url: "https://shop.example.com/login", ip: "203.0.113.9", times: "6" },
    },
  },
  {
    title: "What does an expression mean?",
    state: {
      rules: `(http.host eq "shop.example.com" and not cf.client.bot
  and cf.bot_management.score lt 30)
or any(http.request.headers["x-forwarded-for"][*] contains "203.0.113.")`,
      request: {
        method: "GET",
        url: "https://shop.example.com/",
        ip: "203.0.113.9",
        headers: "X-Forwarded-For: 203.0.113.77",
      },
    },
  },
];
