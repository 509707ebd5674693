import * as pulumi from "@pulumi/pulumi";
import { RulesetRule } from "pulumi-rulesets";

const zoneId = new pulumi.Config().require("zoneId");
const phase = "http_request_firewall_custom";

// Monitoring skips all later rules, no matter whether this stack, another stack or the dashboard created them.
const monitoring = new RulesetRule("monitoring-passes", {
  zoneId,
  phase,
  description: "Monitoring passes",
  action: "skip",
  expression: "ip.src eq 192.0.2.7",
  actionParameters: { ruleset: "current" },
  // Before all other rules.
  position: { before: "" },
});

// Another team's stack can declare a rule like this one.
const admin = new RulesetRule("block-admin", {
  zoneId,
  phase,
  description: "Block the admin pages",
  action: "block",
  expression: 'starts_with(http.request.uri.path, "/admin")',
  position: { after: monitoring },
});

export const rules = { monitoring: monitoring.ruleId, admin: admin.ruleId };
