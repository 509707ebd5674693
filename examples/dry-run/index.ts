import * as pulumi from "@pulumi/pulumi";
import { expression, managedRulesets, PhaseEntrypoint, type Rule } from "pulumi-rulesets";

const config = new pulumi.Config();
const zoneId = config.require("zoneId");
const overriddenRule = config.get("overriddenRule") ?? "5de7edfa648c4d6891dc3e7f84534ffa";
const field = config.get("field") ?? "";

// Only the service knows whether this managed rule still exists.
const managed = new PhaseEntrypoint("managed", {
  zoneId,
  phase: "http_request_firewall_managed",
  rules: [
    {
      action: "execute",
      description: "Managed rules",
      expression: "true",
      actionParameters: {
        id: managedRulesets.cloudflareManaged,
        overrides: { rules: [{ id: overriddenRule, action: "log" }] },
      },
    },
  ],
});

// Only the service knows whether it has a field that is newer than this package, and how many rules the zone may have.
const rules: Rule[] = [
  {
    action: "block",
    description: "Block admin",
    expression: expression`starts_with(http.request.uri.path, ${"/admin"})`,
  },
];
if (field !== "") rules.push({ action: "block", description: `Block ${field}`, expression: `${field} eq "blocked"` });
const custom = new PhaseEntrypoint("custom", { zoneId, phase: "http_request_firewall_custom", rules });

export const versions = { managed: managed.version, custom: custom.version };
