import * as pulumi from "@pulumi/pulumi";
import { PhaseEntrypoint, Ruleset, managedRulesets, owasp, type Rule } from "pulumi-rulesets";

const config = new pulumi.Config();
const zoneId = config.require("zoneId");
const accountId = config.get("accountId");
/** Set this during an attack: it challenges everybody outside the office, and halves the rate limit. */
const underAttack = config.getBoolean("underAttack") ?? false;

// Managed rules, with overrides at all three levels: the whole ruleset, rules with a tag, and single rules.
const managed = new PhaseEntrypoint("managed", {
  zoneId,
  phase: "http_request_firewall_managed",
  rules: [
    {
      description: "Health checks pass",
      action: "skip",
      expression: 'http.request.uri.path eq "/healthz"',
      actionParameters: { rulesets: [managedRulesets.cloudflareManaged, managedRulesets.owaspCore] },
    },
    {
      description: "Managed rules",
      action: "execute",
      expression: "true",
      actionParameters: {
        id: managedRulesets.cloudflareManaged,
        overrides: {
          enabled: true,
          categories: [
            { category: "wordpress", action: "log" },
            { category: "drupal", enabled: false },
          ],
          rules: [{ id: "5de7edfa648c4d6891dc3e7f84534ffa", action: "block" }],
        },
      },
    },
    owasp({ paranoiaLevel: 2, scoreThreshold: "medium", action: "managed_challenge", description: "OWASP" }),
  ],
});

const office = "ip.src in {192.0.2.0/24}";
const attackRules: Rule[] = underAttack
  ? [{ description: "Under attack", action: "managed_challenge", expression: `not ${office}` }]
  : [];
const custom = new PhaseEntrypoint("custom", {
  zoneId,
  phase: "http_request_firewall_custom",
  description: "Rules of the shop",
  rules: [
    ...attackRules,
    {
      description: "Office passes",
      action: "skip",
      expression: office,
      actionParameters: { phases: ["http_ratelimit"], products: ["securityLevel"] },
    },
    {
      description: "Block admin",
      action: "block",
      expression: 'starts_with(http.request.uri.path, "/admin")',
      actionParameters: { response: { statusCode: 403, contentType: "text/plain", content: "Not here." } },
    },
    { description: "Challenge scanners", action: "managed_challenge", expression: 'http.user_agent contains "scan"' },
    { description: "Watch old clients", action: "log", expression: 'http.request.version eq "HTTP/1.0"' },
  ],
});

const ratelimit = new PhaseEntrypoint("ratelimit", {
  zoneId,
  phase: "http_ratelimit",
  rules: [
    {
      description: "Logins",
      action: "block",
      expression: 'http.request.uri.path eq "/login" and http.request.method eq "POST"',
      ratelimit: {
        characteristics: ["cf.colo.id", "ip.src"],
        period: 60,
        requestsPerPeriod: underAttack ? 5 : 10,
        mitigationTimeout: 600,
      },
    },
  ],
});

const redirects = new PhaseEntrypoint("redirects", {
  zoneId,
  phase: "http_request_dynamic_redirect",
  rules: [
    {
      description: "Old shop",
      action: "redirect",
      expression: 'starts_with(http.request.uri.path, "/old-shop/")',
      actionParameters: {
        fromValue: { targetUrl: { value: "https://shop.example.com/" }, statusCode: 301, preserveQueryString: true },
      },
    },
  ],
});

// Blocks the same paths in all Enterprise zones of the account: the account's entry point executes a custom ruleset.
if (accountId !== undefined) {
  const shared = new Ruleset("shared", {
    accountId,
    kind: "custom",
    name: "Paths nobody needs",
    phase: "http_request_firewall_custom",
    rules: [
      { description: "Dot files", action: "block", expression: 'http.request.uri.path contains "/."' },
      { description: "Backups", action: "block", expression: 'ends_with(http.request.uri.path, ".bak")' },
    ],
  });
  new PhaseEntrypoint("account", {
    accountId,
    phase: "http_request_firewall_custom",
    rules: [
      {
        description: "Shared rules",
        action: "execute",
        expression: 'cf.zone.plan eq "ENT"',
        actionParameters: { id: shared.id },
      },
    ],
  });
}

export const versions = {
  managed: managed.version,
  custom: custom.version,
  ratelimit: ratelimit.version,
  redirects: redirects.version,
};
export const ruleIds = custom.ruleIds;
