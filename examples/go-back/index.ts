import * as pulumi from "@pulumi/pulumi";
import { expression, PhaseEntrypoint } from "pulumi-rulesets";

const config = new pulumi.Config();
const zoneId = config.require("zoneId");
const paths = (config.get("blockedPaths") ?? "/admin,/login,/.env").split(",").filter((path) => path !== "");
const restoreVersion = config.get("restoreVersion") ?? "";

const firewall = new PhaseEntrypoint("firewall", {
  zoneId,
  phase: "http_request_firewall_custom",
  rules: paths.map((path) => ({
    action: "block",
    description: `Block ${path}`,
    expression: expression`http.request.uri.path eq ${path}`,
  })),
  // A typo in the list of paths cannot remove more than half of the rules.
  maxRemovedPercent: 50,
  // If a change goes wrong, one line of configuration restores an earlier version.
  ...(restoreVersion === "" ? {} : { restoreVersion }),
});

export const version = firewall.version;
export const previousVersion = firewall.previousVersion;
