import * as pulumi from "@pulumi/pulumi";
import { PhaseEntrypoint, ZoneWafMigration } from "pulumi-rulesets";

const config = new pulumi.Config();
const zoneId = config.require("zoneId");

// The name must be that of the zone with this ID, so a wrong ID cannot migrate the wrong zone.
const migration = new ZoneWafMigration("shop", {
  zoneId,
  mode: config.require<"validation" | "pending">("mode"),
  acknowledgeIrreversible: config.require("zoneName"),
  // A gradual start: the new rules only log until you remove this, or change them in the PhaseEntrypoint below.
  ...(config.getBoolean("log") === true ? { adjustments: { overrides: [{ action: "log" }] } } : {}),
});

// After the migration is finished, its rules are an ordinary entry point. The first `up` adopts them unchanged and writes
// nothing. Then replace `migration.plannedRules` with the rules themselves, and edit them like any others.
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
