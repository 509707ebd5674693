import * as pulumi from "@pulumi/pulumi";
import { PhaseEntrypoint, expression, getZoneOutput } from "pulumi-rulesets";

const config = new pulumi.Config();
// Tests set the ID, because they make no request.
const zoneId = config.get("zoneId") ?? getZoneOutput({ name: config.require("zone") }).id;
const office = config.get("office") ?? "192.0.2.0/24";

const custom = new PhaseEntrypoint("custom", {
  zoneId,
  phase: "http_request_firewall_custom",
  rules: [
    {
      ref: "office-only",
      description: "Admin pages are for the office",
      action: "block",
      expression: expression`starts_with(http.request.uri.path, "/admin") and not ip.src in ${[office]}`,
    },
    {
      ref: "scanners",
      description: "Challenge scanners",
      action: "managed_challenge",
      expression: 'http.user_agent contains "scan"',
    },
  ],
});

new PhaseEntrypoint("limits", {
  zoneId,
  phase: "http_ratelimit",
  rules: [
    {
      ref: "logins",
      description: "Slow down the guessing of passwords",
      action: "block",
      expression: 'http.request.uri.path eq "/login"',
      ratelimit: {
        characteristics: ["cf.colo.id", "ip.src"],
        period: 10,
        requestsPerPeriod: 10,
        mitigationTimeout: 10,
      },
    },
  ],
});

export const ruleIds = custom.ruleIds;
