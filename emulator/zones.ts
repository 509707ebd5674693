import { refuse } from "./failure.js";
import type { Zone } from "./seed.js";

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

type Query = Readonly<Record<string, string | undefined>>;

/** One page of the zones that match a filter, with the page information of the service. */
export function listZones(zones: readonly Zone[], query: Query): { result: unknown[]; info: Record<string, number> } {
  const matching = zones
    .filter((zone) => query.name === undefined || zone.name === query.name)
    .filter((zone) => query["account.id"] === undefined || zone.account.id === query["account.id"])
    .filter(() => query.status === undefined || query.status === "active");
  const page = Number(query.page ?? 1);
  const perPage = Number(query.per_page ?? 20);
  if (!(page >= 1) || !(perPage >= 5 && perPage <= 50))
    throw refuse(400, 6003, "Invalid request: page or per_page out of range");
  const shown = matching.slice((page - 1) * perPage, page * perPage);
  return {
    result: shown.map(zoneAnswer),
    info: {
      page,
      per_page: perPage,
      count: shown.length,
      total_count: matching.length,
      total_pages: Math.max(1, Math.ceil(matching.length / perPage)),
    },
  };
}
