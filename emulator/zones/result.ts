import type { ApiResult } from "../call.js";
import type { Account, Zone } from "./model.js";

const PLAN_NAMES = {
  free: "Free Website",
  pro: "Pro Website",
  business: "Business Website",
  enterprise: "Enterprise Website",
};
const CREATED = "2026-01-01T00:00:00.000000Z";

/** A zone as the service returns it. */
export function zoneResult(zone: Zone, account: Account): ApiResult {
  const { id, name, plan, status = "active", createdOn = CREATED } = zone;
  return {
    id,
    name,
    status,
    paused: zone.paused ?? false,
    type: zone.type ?? "full",
    development_mode: 0,
    name_servers: ["a.ns.example.com", "b.ns.example.com"],
    ...(zone.vanityNameServers === undefined ? {} : { vanity_name_servers: zone.vanityNameServers }),
    original_name_servers: null,
    original_registrar: null,
    original_dnshost: null,
    created_on: createdOn,
    modified_on: zone.modifiedOn ?? createdOn,
    activated_on: status === "active" ? createdOn : null,
    meta: { step: 4, custom_certificate_quota: 0, page_rule_quota: 3, phishing_detected: false },
    owner: { id: account.id, type: "organization", name: account.name },
    account: { id: account.id, name: account.name },
    permissions: ["#zone:read", "#zone:edit"],
    plan: { id, name: PLAN_NAMES[plan], price: 0, currency: "USD", legacy_id: plan },
  };
}

/** The subscription of a zone. */
export function subscriptionResult({ id, plan }: Zone): ApiResult {
  return {
    id,
    state: "Paid",
    price: 0,
    currency: "USD",
    frequency: "monthly",
    rate_plan: {
      id: plan,
      public_name: PLAN_NAMES[plan],
      currency: "USD",
      scope: "zone",
      is_contract: false,
      sets: [],
    },
  };
}
