import * as pulumi from "@pulumi/pulumi";
import { PhaseEntrypoint } from "pulumi-rulesets";

const config = new pulumi.Config();
const zoneId = config.require("zoneId");
const team = config.get("team") ?? "shop";
const before = config.get("before");

// Each team has its own stack, which manages only that team's rules in the zone's entry point.
const firewall = new PhaseEntrypoint("firewall", {
  zoneId,
  phase: "http_request_firewall_custom",
  ownership: "shared",
  rules: [
    {
      ref: `${team}-partners`,
      description: `Partners of ${team} pass`,
      action: "skip",
      expression: `http.host eq "${team}.example.com" and ip.src in {192.0.2.0/24}`,
      actionParameters: { phases: ["http_ratelimit"] },
    },
    {
      ref: `${team}-admin`,
      description: `Block the admin pages of ${team}`,
      action: "block",
      expression: `http.host eq "${team}.example.com" and starts_with(http.request.uri.path, "/admin")`,
    },
  ],
  // Partners pass before that rule of another team can stop them.
  ...(before === undefined ? {} : { positions: { [`${team}-partners`]: { before } } }),
});

export const ruleIds = firewall.ruleIds;
