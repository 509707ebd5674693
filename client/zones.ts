import { isObject, type JsonObject } from "../core/model/json.js";
import type { Call, Transport } from "./http/index.js";
import { encodeSegment, hasId, pages, readPage, requireResult, requireSame, responseText, type Page } from "./pages.js";

/** The properties of a zone that this package uses. */
export interface Zone {
  readonly id: string;
  readonly name: string;
  readonly accountId: string;
  /** Empty when the response does not contain it. */
  readonly accountName: string;
  /** `free`, `pro`, `business` or `enterprise`; empty when the response does not contain it. */
  readonly plan: string;
}

/** Which zones to list; a zone must match every filter that is given. */
export interface ZoneFilter {
  readonly accountId?: string;
  readonly accountName?: string;
  readonly name?: string;
}

const PAGE_SIZE = 50;

/** Zones that are visible with the credentials. */
export class ZonesClient {
  /** By ID, the names of the zones that were read. */
  readonly names = new Map<string, string>();

  constructor(private readonly transport: Transport) {}

  /** Whether the service answers, as far as the last request of this client shows. */
  get isAnswering(): boolean {
    return this.transport.isAnswered;
  }

  /** Every zone, all pages. */
  async list(filter: ZoneFilter = {}): Promise<Zone[]> {
    const found: Zone[] = [];
    for await (const page of this.pages(filter)) found.push(...page);
    return found;
  }

  /** Pages of fifty zones; each is requested only when the caller reads it. */
  async *pages(filter: ZoneFilter = {}): AsyncGenerator<readonly Zone[]> {
    for await (const page of pages(this.transport, "/zones", { perPage: PAGE_SIZE, query: queryFor(filter) }))
      yield page.map((wire) => this.learn(wire));
  }

  /** One page of fifty zones, counted from 1. */
  async page(page: number, filter: ZoneFilter): Promise<Page<Zone>> {
    const query = queryFor(filter);
    const { items, ...rest } = await readPage(this.transport, "/zones", { page, perPage: PAGE_SIZE, query });
    return { items: items.map((wire) => this.learn(wire)), ...rest };
  }

  async get(zoneId: string): Promise<Zone> {
    const call: Call = { method: "GET", path: `/zones/${encodeSegment(zoneId)}` };
    const result = requireResult(call, await this.transport.send(call), "zone", hasId);
    requireSame(call, zoneId, responseText(result.id));
    return this.learn(result);
  }

  private learn(wire: JsonObject): Zone {
    const zone = zoneFromWire(wire);
    this.names.set(zone.id, zone.name);
    return zone;
  }
}

function queryFor({ accountId, accountName, name }: ZoneFilter): Record<string, string | undefined> {
  return { "account.id": accountId, "account.name": accountName, name };
}

function zoneFromWire(wire: JsonObject): Zone {
  const account = isObject(wire.account) ? wire.account : {};
  const plan = isObject(wire.plan) ? wire.plan : {};
  return {
    id: responseText(wire.id),
    name: responseText(wire.name),
    accountId: responseText(account.id),
    accountName: responseText(account.name),
    plan: responseText(plan.legacy_id),
  };
}
