import * as pulumi from "@pulumi/pulumi";
import { PhaseEntrypoint, ZoneWafMigration } from "pulumi-rulesets";

const config = new pulumi.Config();
const zoneId = config.require("zoneId");

// The name is compared with the zone's, so a wrong ID is refused instead of migrating the wrong zone.
const migration = new ZoneWafMigration("shop", {
  zoneId,
  mode: config.require<"validation" | "pending">("mode"),
  acknowledgeIrreversible: config.require("zoneName"),
  // A gradual start: the new rules only log until you remove this, or change them in the PhaseEntrypoint below.
  ...(config.getBoolean("log") === true ? { adjustments: { overrides: [{ action: "log" }] } } : {}),
});

// After the finish, the rules are an ordinary entry point. The first `up` adopts them unchanged and sends nothing. Then write
// the rules themselves here, and edit them like any others.
if (config.getBoolean("handOver") === true) {
  new PhaseEntrypoint("waf", {
    zoneId,
    phase: "http_request_firewall_managed",
    rules: migration.plannedRules,
    onExisting: "adopt",
  });
}

export const phase = migration.phase;
export const configDigest = migration.configDigest;
