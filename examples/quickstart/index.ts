import * as pulumi from "@pulumi/pulumi";
import { PhaseEntrypoint, managedRulesets } from "pulumi-rulesets";

const zoneId = new pulumi.Config().require("zoneId");

// Cloudflare's managed rules; the WordPress rules only log.
const managed = new PhaseEntrypoint("managed", {
  zoneId,
  phase: "http_request_firewall_managed",
  rules: [
    {
      description: "Managed rules",
      action: "execute",
      expression: "true",
      actionParameters: {
        id: managedRulesets.cloudflareManaged,
        overrides: { categories: [{ category: "wordpress", action: "log" }] },
      },
    },
  ],
});

// Two custom rules.
const custom = new PhaseEntrypoint("custom", {
  zoneId,
  phase: "http_request_firewall_custom",
  rules: [
    {
      description: "Block the admin pages",
      action: "block",
      expression: 'starts_with(http.request.uri.path, "/admin") and not ip.src in {192.0.2.0/24}',
    },
    {
      description: "Challenge scanners",
      action: "managed_challenge",
      expression: 'http.user_agent contains "scan"',
    },
  ],
});

export const versions = { managed: managed.version, custom: custom.version };
export const ruleIds = custom.ruleIds;
