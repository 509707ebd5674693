import * as pulumi from "@pulumi/pulumi";
import {
  PhaseEntrypoint,
  and,
  effectiveRulesOutput,
  expression,
  getZoneOutput,
  listManagedRulesOutput,
  managedRulesets,
  not,
  owasp,
  type Rule,
} from "pulumi-rulesets";

const config = new pulumi.Config();
const zone = getZoneOutput({ name: config.require("zoneName") });
const office = expression`ip.src in ${config.getObject<string[]>("office") ?? ["192.0.2.0/24"]}`;

// Sets the rules that have the tag `wordpress` today to only log. If no rule has the tag, the preview fails.
const ruleset = managedRulesets.cloudflareManaged;
const wordpress = listManagedRulesOutput({ zoneId: zone.id, ruleset, tag: "wordpress" });
const cautious: Rule = {
  action: "execute",
  description: "Managed rules",
  expression: "true",
  actionParameters: {
    id: ruleset,
    overrides: {
      categories: [{ category: "drupal", enabled: false }],
      rules: wordpress.apply((rules) => rules.map(({ id }) => ({ id, action: "log" }))),
    },
  },
};

const managed = new PhaseEntrypoint("managed", {
  zoneId: zone.id,
  phase: "http_request_firewall_managed",
  rules: [cautious, owasp({ paranoiaLevel: 2, action: "managed_challenge", description: "OWASP" })],
});

const custom = new PhaseEntrypoint("custom", {
  zoneId: zone.id,
  phase: "http_request_firewall_custom",
  rules: [
    {
      action: "skip",
      description: "Office passes",
      expression: office,
      actionParameters: { phases: ["http_ratelimit"] },
    },
    {
      action: "block",
      description: "Admin pages are for the office",
      expression: and(expression`starts_with(http.request.uri.path, ${"/admin"})`, not(office)),
      actionParameters: { response: { statusCode: 403, contentType: "text/plain", content: "Not here." } },
    },
  ],
});

/** The managed rules that are enabled after these overrides, with their actions. The preview shows this output. */
export const effective = effectiveRulesOutput({ zoneId: zone.id, rule: cautious }).apply((rules) =>
  rules.filter(({ enabled }) => enabled).map(({ description, action }) => `${action}: ${description}`),
);
export const deployed = pulumi
  .all([managed.deployedRules, custom.deployedRules])
  .apply((lists) => lists.flat().map(({ description }) => description));
