import { ZONE_WAF_MIGRATION } from "../../../provider/kinds/waf-migration/description.js";
import { kindCase, Pair, ZONE } from "./kind-case.js";
import { skipping } from "./shared.js";

export const tested = kindCase(ZONE_WAF_MIGRATION, {
  steps: ({ zoneId }) => [
    {
      inputs: { zoneId, mode: "validation" },
      expect: "create",
      says: [expect.stringContaining(ZONE)],
      state: { phase: "validation", previousWaf: "enabled", newWaf: "enabled" },
    },
    {
      inputs: { zoneId, mode: "pending", acknowledgeIrreversible: ZONE },
      expect: "update",
      state: { phase: "finished", previousWaf: "disabled", newWaf: "enabled" },
    },
  ],
  events: {
    lost: "PUT",
    delete: /cannot be undone/,
  },
  seed: { zones: [{ name: ZONE, previousWaf: {} }] },
  base: ({ zoneId }) => ({ zoneId, mode: "validation" }),
  changes: ({ otherZoneId }) => ({
    zoneId: otherZoneId,
    mode: new Pair({ acknowledgeIrreversible: ZONE }, { acknowledgeIrreversible: ZONE, mode: "pending" }),
    acknowledgeIrreversible: ZONE,
    expectedConfig: new Pair({}, ({ configDigest }) => ({ expectedConfig: configDigest })),
    adjustments: { append: [{ ...skipping, expression: "ssl" }] },
    rules: [{ ...skipping, expression: "ssl" }],
    existingRules: "replace",
    wait: false,
    waitTimeoutSeconds: 60,
  }),
  recorded: ({ zoneId }) => ({
    zoneId,
    mode: "pending",
    acknowledgeIrreversible: ZONE,
    adjustments: { overrides: [{ action: "log" }] },
  }),
});
