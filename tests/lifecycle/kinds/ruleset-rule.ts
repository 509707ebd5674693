import { RULESET_RULE, type RuleState } from "../../../provider/kinds/rulesets/rule/description.js";
import { kindCase, Pair, type Values } from "./kind-case.js";
import { managed, phase, placeOf, skipping } from "./shared.js";

const stateOf = ({ state }: { readonly state: unknown }) => state as RuleState;
const executing = {
  phase: managed,
  action: "execute",
  expression: 'cf.zone.plan eq "ENT"',
  actionParameters: { id: "efb7b8c949ac4650a09736fc376e9aee" },
};
const RULE_CHANGES = {
  action: "log",
  description: "Other",
  enabled: false,
  expression: "not ssl",
  actionParameters: new Pair(
    { action: "skip", actionParameters: { ruleset: "current" } },
    { action: "skip", actionParameters: { phases: ["http_ratelimit"] } },
  ),
  exposedCredentialCheck: { usernameExpression: "http.host", passwordExpression: "http.user_agent" },
  logging: new Pair(
    { action: "skip", actionParameters: { ruleset: "current" } },
    { action: "skip", actionParameters: { ruleset: "current" }, logging: { enabled: false } },
  ),
  ratelimit: new Pair(limited(5), limited(6)),
  wire: { categories: ["a"] },
};

function limited(requestsPerPeriod: number): Values {
  const ratelimit = { characteristics: ["cf.colo.id", "ip.src"], period: 60, requestsPerPeriod, mitigationTimeout: 60 };
  return { phase: "http_ratelimit", ratelimit };
}

export const tested = kindCase(RULESET_RULE, {
  steps: ({ zoneId }) => [
    {
      inputs: { zoneId, phase, ref: "a", action: "block", expression: "ssl" },
      expect: "create",
      says: [expect.stringContaining("this change stops requests that were not stopped:\n  GET ")],
      requests: [`GET /rulesets/phases/${phase}/entrypoint`, "POST /rulesets"],
      state: { phase, ref: "a", version: "1" },
    },
    {
      inputs: { zoneId, phase, ref: "a", action: "block", expression: "not ssl" },
      expect: "update",
      says: [expect.stringContaining("lets requests through that were stopped")],
      requests: [`GET /rulesets/phases/${phase}/entrypoint`, "PATCH /rulesets/<id>/rules/<id>"],
      state: { ref: "a", version: "2" },
    },
    {
      inputs: { zoneId, phase, ref: "b", action: "block", expression: "not ssl" },
      expect: "replace",
      state: { ref: "b", version: "1" },
    },
  ],
  events: {
    drift: {
      by: (service, kept) => {
        const { rulesetId, ruleId } = stateOf(kept);
        return service.editRule(placeOf(kept), rulesetId, ruleId, {
          action: "block",
          expression: "ssl",
          enabled: false,
        });
      },
      shows: { inputs: { enabled: false }, state: { version: "2" } },
      expect: "update",
    },
    gone: (service, kept) => service.deleteRule(placeOf(kept), stateOf(kept).rulesetId, stateOf(kept).ruleId),
    lost: "POST",
    delete: ["GET", "DELETE"],
  },
  base: ({ zoneId }) => ({ zoneId, phase, ref: "a", action: "block", expression: "ssl" }),
  changes: ({ otherZoneId, accountId, rulesetIds }) => ({
    ...RULE_CHANGES,
    zoneId: otherZoneId,
    accountId: new Pair({ ...executing, zoneId: otherZoneId }, { ...executing, zoneId: undefined, accountId }),
    phase: new Pair({ ...skipping, zoneId: otherZoneId }, { ...skipping, zoneId: otherZoneId, phase: managed }),
    rulesetId: new Pair(
      { zoneId: undefined, accountId, phase: undefined, rulesetId: rulesetIds[0] },
      { zoneId: undefined, accountId, phase: undefined, rulesetId: rulesetIds[1] },
    ),
    ref: "b",
    position: { index: 1 },
    ruleId: "0".repeat(32),
    onExisting: "adopt",
    onConflict: "overwrite",
    onDelete: "keep",
  }),
  recorded: ({ zoneId }) => ({
    ...{ zoneId, ref: "mine", action: "block", expression: "ssl", description: "Ours", position: { before: "" } },
    ...limited(5),
  }),
});
