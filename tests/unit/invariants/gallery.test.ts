import { readFileSync } from "node:fs";
import { join } from "node:path";
import { judgeZones } from "../../../core/invariants/judge";
import { readInvariants } from "../../../core/invariants/read";
import { TextDocument } from "../../../tools/rules-files/text/text-document";
import type { RuleInput, RulesetInput } from "../../../core/simulator/index";

/* Every invariant of the gallery, with rules for which it is proved and rules that violate it. */

const PAGE = readFileSync(join(__dirname, "..", "..", "..", "docs", "invariants-gallery.md"), "utf8");
const GALLERY = Array.from(PAGE.matchAll(/```yaml\n([^]*?)```/g), ([, text = ""]) =>
  readInvariants(TextDocument.parse(text, "invariants-gallery.md")),
).flat();

const CUSTOM = "http_request_firewall_custom";
const zone = (phase: string, ...rules: RuleInput[]): RulesetInput => ({ kind: "zone", phase, rules });
const rule = (action: string, expression: string, more: object = {}): RuleInput => ({ action, expression, ...more });
const custom = (...rules: RuleInput[]): RulesetInput[] => [zone(CUSTOM, ...rules)];
const block = (expression: string): RuleInput[] => [rule("block", expression)];
const path = (start: string): string => `starts_with(http.request.uri.path, "${start}")`;
const skip = (expression: string, actionParameters: object = { ruleset: "current" }): RuleInput =>
  rule("skip", expression, { actionParameters });
const limit = (expression: string): RuleInput =>
  rule("block", expression, {
    ratelimit: { characteristics: ["ip.src"], period: 60, requestsPerPeriod: 10, mitigationTimeout: 600 },
  });
const execute = (expression: string): RulesetInput =>
  zone(
    "http_request_firewall_managed",
    rule("execute", expression, { actionParameters: { id: "efb7b8c949ac4650a09736fc376e9aee" } }),
  );

/** By name, rules for which an invariant holds, and rules for which it does not. */
const CASES: Readonly<Record<string, readonly [holds: readonly RulesetInput[], fails: readonly RulesetInput[]]>> = {
  "admin pages are for the office": [
    custom(...block(`${path("/admin")} and not ip.src in {192.0.2.0/25 192.0.2.128/25}`)),
    custom(...block(`http.request.uri.path eq "/admin" and not ip.src in {192.0.2.0/24}`)),
  ],
  "the internal API is closed": [
    custom(...block(path("/internal"))),
    custom(skip("ip.src eq 192.0.2.1"), ...block(path("/internal"))),
  ],
  "only our hosts are served": [
    custom(...block('http.host ne "www.example.com" and http.host ne "api.example.com"')),
    custom(...block('not ends_with(http.host, ".example.com")')),
  ],
  "the partner API needs a client certificate": [
    custom(...block('http.host eq "api.example.com" and not (cf.tls_client_auth.cert_verified and ssl)')),
    custom(...block('http.host eq "api.example.com" and cf.tls_client_auth.cert_revoked')),
  ],
  "nothing comes from Tor to the checkout": [
    custom(rule("managed_challenge", 'ip.src.country eq "T1"')),
    custom(rule("managed_challenge", 'ip.src.country eq "T1" and http.request.uri.path eq "/checkout"')),
  ],
  "sanctioned countries are blocked": [
    custom(...block('ip.src.country in {"IR" "KP" "SY"}')),
    custom(rule("managed_challenge", 'ip.src.country in {"IR" "KP"}')),
  ],
  "no repository is served": [
    custom(...block('http.request.uri.path contains "/.git"')),
    custom(...block(path("/.git/"))),
  ],
  "no settings and backups are served": [
    custom(...block('http.request.uri.path.extension in {"bak" "env" "old" "sql"}')),
    custom(...block('http.request.uri.path.extension in {"bak" "env"}')),
  ],
  "nothing is served by PHP": [
    custom(...block('http.request.uri.path wildcard "*.php"')),
    custom(...block('http.request.uri.path eq "/index.php"')),
  ],
  "methods that nobody needs are blocked": [
    custom(...block('not http.request.method in {"GET" "HEAD" "POST" "OPTIONS"}')),
    custom(...block('http.request.method eq "TRACE"')),
  ],
  "managed rules see everything": [[execute("true")], [execute(`not ${path("/static/")}`)]],
  "logins are limited": [
    [zone("http_ratelimit", limit(path("/login")))],
    [zone("http_ratelimit", limit(path("/login"))), ...custom(skip("ssl", { phases: ["http_ratelimit"] }))],
  ],
  "the API is limited": [
    [zone("http_ratelimit", limit(path("/api")))],
    [zone("http_ratelimit", limit(`${path("/api/")} and http.request.method eq "POST"`))],
  ],
  "probable attacks are stopped": [custom(...block("cf.waf.score lt 21")), custom(...block("cf.waf.score lt 20"))],
  "automated clients are challenged at the checkout": [
    custom(rule("managed_challenge", `cf.bot_management.score le 30 and ${path("/checkout")}`)),
    custom(rule("managed_challenge", `cf.bot_management.score lt 10 and ${path("/checkout")}`)),
  ],
  "no rule lets payments past others": [
    custom(skip(`ip.src eq 192.0.2.1 and not ${path("/pay")}`), ...block("cf.client.bot")),
    custom(skip("ip.src eq 192.0.2.1"), ...block("cf.client.bot")),
  ],
  "access to the admin pages is logged": [
    custom(rule("log", path("/admin"))),
    custom(rule("log", `${path("/admin")} and http.request.method ne "GET"`)),
  ],
  "health checks are never stopped": [
    custom(...block(`${path("/")} and not http.request.uri.path eq "/health"`)),
    custom(...block('not http.user_agent contains "Mozilla"')),
  ],
  "webhooks of the payment service arrive": [
    custom(skip('http.request.uri.path eq "/webhooks/payments"'), ...block('http.request.method eq "POST"')),
    custom(...block('http.request.method eq "POST" and len(http.user_agent) eq 0')),
  ],
  "plain requests move to HTTPS": [
    [
      zone(
        "http_request_dynamic_redirect",
        rule("redirect", "not ssl", {
          actionParameters: {
            fromValue: {
              targetUrl: { expression: 'concat("https://", http.host, http.request.uri.path)' },
              statusCode: 301,
            },
          },
        }),
      ),
    ],
    [],
  ],
};

const judge = (name: string, rulesets: readonly RulesetInput[]) => {
  const invariants = GALLERY.filter((one) => one.name === name);
  const [verdict] = judgeZones({
    invariants,
    zones: [{ label: "a.com", zone: {}, rulesets }],
    now: new Date("2026-11-25"),
    isWhole: true,
  }).verdicts;
  return verdict?.proof;
};

test("the gallery has twenty invariants, and each has its cases", () => {
  expect(GALLERY).toHaveLength(20);
  expect(GALLERY.map(({ name }) => name).sort()).toEqual(Object.keys(CASES).sort());
});

test.each(Object.entries(CASES))("%s", (name, [holds, fails]) => {
  expect(judge(name, holds)).toEqual({ verdict: "proved" });
  expect(judge(name, fails)).toMatchObject({ verdict: "violated" });
});
