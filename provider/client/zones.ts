import { isObject, type Json } from "../model/json.js";
import type { Transport } from "../http/index.js";

/** A zone as far as this package needs it. */
export interface Zone {
  readonly id: string;
  readonly name: string;
  readonly accountId: string;
  /** `free`, `pro`, `business` or `enterprise`; empty when the service does not tell. */
  readonly plan: string;
}

const PAGE_SIZE = 50;

/** Zones the credentials can see. */
export class ZonesClient {
  constructor(private readonly transport: Transport) {}

  /** Every zone, all pages. */
  async list(filter: { readonly accountId?: string; readonly name?: string } = {}): Promise<Zone[]> {
    const found: Zone[] = [];
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const query = { page, per_page: PAGE_SIZE, "account.id": filter.accountId, name: filter.name };
      const answer = await this.transport.send({ method: "GET", path: "/zones", query });
      found.push(...(Array.isArray(answer.result) ? (answer.result as Json[]).map(zoneFromWire) : []));
      pages = answer.totalPages ?? 1;
    }
    return found;
  }

  async get(zoneId: string): Promise<Zone> {
    const answer = await this.transport.send({ method: "GET", path: `/zones/${encodeURIComponent(zoneId)}` });
    return zoneFromWire(answer.result);
  }
}

function zoneFromWire(value: unknown): Zone {
  const wire = isObject(value) ? value : {};
  const account = isObject(wire.account) ? wire.account : {};
  const plan = isObject(wire.plan) ? wire.plan : {};
  const text = (item: Json | undefined): string => (typeof item === "string" ? item : "");
  return { id: text(wire.id), name: text(wire.name), accountId: text(account.id), plan: text(plan.legacy_id) };
}
