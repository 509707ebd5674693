import * as pulumi from "@pulumi/pulumi";
import * as rulesets from "@pulumi-rulesets/rulesets";

const config = new pulumi.Config();
const office = config.require("office");

const waf = new rulesets.PhaseEntrypoint("waf", {
  zoneId: config.require("zoneId"),
  phase: "http_request_firewall_custom",
  rules: [
    {
      ref: "office-only",
      description: "Admin pages are for the office",
      action: "block",
      expression: `starts_with(http.request.uri.path, "/admin") and not ip.src in {${office}}`,
    },
    {
      ref: "scanners",
      description: "Challenge scanners",
      action: "managed_challenge",
      expression: 'http.user_agent contains "scan"',
    },
    {
      ref: "watch-api",
      description: "Watch the API",
      action: "log",
      expression: 'starts_with(http.request.uri.path, "/api/")',
      enabled: false,
    },
  ],
});

export const ruleIds = waf.ruleIds;
