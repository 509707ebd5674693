import type { FleetPlan } from "../../tools/fleet/plan.js";

/** A plan of two waves without gates, for a test to change. */
export const FLEET_PLAN: FleetPlan = {
  version: 3,
  createdAt: "2026-11-26T10:00:00.000Z",
  program: ".",
  stacks: { prefix: "fleet-" },
  baseUrl: "https://api.cloudflare.com/client/v4",
  tokens: [],
  waves: [
    { name: "canary", gates: [] },
    { name: "rest", gates: [] },
  ],
  failures: { failed: { shards: 0 }, moved: { percent: 50 } },
  gateFiles: {},
  definition: "",
  refreshed: true,
  shards: [],
  changes: [],
};
