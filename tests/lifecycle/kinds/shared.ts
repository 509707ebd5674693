import type { RulesetState } from "../../../provider/kinds/rulesets/description.js";
import type { Service } from "../../support/emulator.js";
import { block } from "../../support/rules.js";
import type { LifecycleEvents } from "../steps.js";
import { Pair, type World } from "./kind-case.js";

/* What several kinds have in common. */

export const phase = "http_request_firewall_custom";
export const managed = "http_request_firewall_managed";
export const skipping = { action: "skip", actionParameters: { ruleset: "current" } };

/** The path of the zone or account of a resource. */
export const placeOf = ({ id }: { readonly id: string }): string => id.split("/").slice(0, 2).join("/");

const HOSTNAME = "shop.customer.test";
const certificates = {
  hostnames: [{ hostname: HOSTNAME, certificateAuthority: "lets_encrypt" }],
  totalTls: { enabled: true, certificateAuthority: "lets_encrypt" },
  pace: "at-once",
} as const;
/** A zone whose customers bring a hostname. */
export const SAAS = { hostname: HOSTNAME, seed: { zones: [{ name: "saas.example.com", certificates }] } } as const;
export const hostnameOf = async (service: Service, zoneId: string): Promise<string> => {
  const [found] = await service.ask<{ id: string }[]>("GET", `/zones/${zoneId}/custom_hostnames`);
  return found?.id ?? "";
};

const stateOf = ({ state }: { readonly state: unknown }) => state as RulesetState;
/** What happens to a resource with all rules of a ruleset. */
export function eventsOfRuleset(requestsOfDelete: readonly string[]): LifecycleEvents {
  return {
    drift: {
      // Someone else disables the first rule.
      by: (service, kept) => {
        const { rulesetId, deployedRules } = stateOf(kept);
        const off = { ...block("A", "ssl"), enabled: false };
        return service.editRule(placeOf(kept), rulesetId, deployedRules[0]?.id ?? "", off);
      },
      shows: { state: { version: "2" } },
      expect: "update",
    },
    gone: (service, kept) => service.delete(placeOf(kept), stateOf(kept).rulesetId),
    lost: "POST",
    delete: requestsOfDelete,
  };
}

/** Where a rule with the ref "theirs" exists. */
export const cache = "http_request_cache_settings";
export const cached = (ref: string) => ({
  ref,
  action: "set_cache_settings",
  expression: "ssl",
  actionParameters: { cache: false },
});

export function rulesetChanges({ zoneId, otherZoneId, accountId }: World) {
  const shared = { description: undefined, ownership: "shared" };
  const beside = { ...shared, name: undefined, zoneId: otherZoneId, phase: cache, rules: [cached("a")] };
  return {
    zoneId: new Pair({ zoneId }, { zoneId: otherZoneId }),
    accountId: new Pair({ rules: [] }, { rules: [], zoneId: undefined, accountId }),
    phase: new Pair({ rules: [] }, { rules: [], phase: "http_request_transform" }),
    name: "two",
    description: "Other",
    rules: [block("A", "not ssl")],
    ownership: new Pair({ description: undefined }, { description: undefined, ownership: "shared" }),
    onExisting: "adopt",
    onConflict: "overwrite",
    onDelete: "keep",
    maxRemovedPercent: 50,
    positions: new Pair(beside, { ...beside, positions: { a: { before: "theirs" } } }),
  };
}
