import type { Query } from "../call.js";
import { pageOf, type PageInfo } from "../pages.js";
import type { Zone } from "./model.js";

const PLAN_NAMES = {
  free: "Free Website",
  pro: "Pro Website",
  business: "Business Website",
  enterprise: "Enterprise Website",
};
const CREATED = "2026-01-01T00:00:00.000000Z";

/** A zone as the service answers it. */
export function zoneAnswer(zone: Zone): Record<string, unknown> {
  return {
    id: zone.id,
    name: zone.name,
    status: "active",
    paused: false,
    type: "full",
    development_mode: 0,
    name_servers: ["a.ns.example.com", "b.ns.example.com"],
    original_name_servers: null,
    original_registrar: null,
    original_dnshost: null,
    created_on: CREATED,
    modified_on: CREATED,
    activated_on: CREATED,
    meta: { step: 4, custom_certificate_quota: 0, page_rule_quota: 3, phishing_detected: false },
    owner: { id: zone.account.id, type: "organization", name: zone.account.name },
    account: { id: zone.account.id, name: zone.account.name },
    permissions: ["#zone:read", "#zone:edit"],
    plan: { id: zone.id, name: PLAN_NAMES[zone.plan], price: 0, currency: "USD", legacy_id: zone.plan },
  };
}

/** One page of the zones that match a filter, with the page information of the service. */
export function listZones(zones: readonly Zone[], query: Query): { result: unknown[]; info: PageInfo } {
  const matching = zones
    .filter((zone) => query.name === undefined || zone.name === query.name)
    .filter((zone) => query["account.id"] === undefined || zone.account.id === query["account.id"])
    .filter(() => query.status === undefined || query.status === "active");
  const { result, info } = pageOf(matching, query, { most: 50 });
  return { result: result.map(zoneAnswer), info };
}
