import type { ApiResult, Body, Query } from "../call.js";
import type { EmulatorClock } from "../clock.js";
import { refuse } from "../failure.js";
import { inside, same, selectItems, type Filters, type Orders } from "../lists.js";
import { pageOf, type Page } from "../pages.js";
import type { Collection } from "../store/collection.js";
import type { Store } from "../store/store.js";
import { getStored } from "../stored.js";
import { checkBatch, checkChange, checkRecord, recordOf, type DnsRecord } from "./record.js";

const texts = (name: "name" | "content" | "comment"): Filters<DnsRecord> => ({
  [name]: same((record) => record[name]),
  [`${name}.exact`]: same((record) => record[name]),
  [`${name}.contains`]: inside((record) => record[name]),
  [`${name}.startswith`]: (record, value) => String(record[name]).toLowerCase().startsWith(value.toLowerCase()),
  [`${name}.endswith`]: (record, value) => String(record[name]).toLowerCase().endsWith(value.toLowerCase()),
});
const FILTERS: Filters<DnsRecord> = {
  ...texts("name"),
  ...texts("content"),
  ...texts("comment"),
  type: same(({ type }) => type),
  proxied: same(({ proxied }) => proxied),
  search: (record, value) => [record.name, record.content, record.comment].some((each) => String(each).includes(value)),
};
const ORDERS: Orders<DnsRecord> = {
  type: ({ type }) => type,
  name: ({ name }) => name,
  content: ({ content }) => content,
  ttl: ({ ttl }) => ttl,
  proxied: ({ proxied }) => Number(proxied),
};

/** DNS records of zones. */
export class DnsService {
  private readonly records: Collection<DnsRecord>;

  constructor(
    private readonly store: Store,
    private readonly clock: EmulatorClock,
  ) {
    this.records = store.collection("dns-records", ({ name }, zone) => [atName(zone, name)]);
  }

  list(zone: string, query: Query): Page<ApiResult> {
    const found = selectItems(this.records.in(zone), query, FILTERS, ORDERS);
    return pageOf(found, query, { size: 100, least: 1, most: 5_000_000 });
  }

  get(zone: string, id: string): DnsRecord {
    return getStored(this.records, zone, id, 81_044, "record");
  }

  create(zone: string, sent: Body): ApiResult {
    const now = this.clock.timestamp();
    const record = recordOf(checkRecord(sent), this.zoneName(zone));
    return this.put(zone, { ...record, id: this.store.ids.next(), created_on: now, modified_on: now });
  }

  /** `PUT` replaces the whole record, `PATCH` the given fields. */
  update(zone: string, id: string, sent: Body, whole: boolean): ApiResult {
    const old = this.get(zone, id);
    const body = whole ? checkRecord(sent) : { ...editable(old), ...checkChange(sent) };
    const record = recordOf(body, this.zoneName(zone));
    return this.put(zone, {
      ...record,
      id,
      created_on: old.created_on,
      modified_on: this.clock.timestamp(),
    });
  }

  delete(zone: string, id: string): { id: string } {
    this.get(zone, id);
    this.records.delete(zone, id);
    return { id };
  }

  /** Deletes, patches, puts and posts, in this order, either all or none. */
  batch(zone: string, sent: Body): ApiResult {
    const body = checkBatch(sent) as Readonly<Record<string, readonly Body[] | undefined>>;
    const idOf = ({ id }: Body): string => String(id);
    return {
      deletes: (body.deletes ?? []).map((each) => {
        const gone = this.get(zone, idOf(each));
        this.delete(zone, gone.id);
        return gone;
      }),
      patches: (body.patches ?? []).map((each) => this.update(zone, idOf(each), each, false)),
      puts: (body.puts ?? []).map((each) => this.update(zone, idOf(each), each, true)),
      posts: (body.posts ?? []).map((each) => this.create(zone, each)),
    };
  }

  private put(zone: string, record: DnsRecord): ApiResult {
    this.refuseConflict(zone, record);
    this.records.put(zone, record.id, record);
    return record;
  }

  /** A name has either one CNAME or other records, and no record twice. */
  private refuseConflict(zone: string, record: DnsRecord): void {
    const others = this.records.named(atName(zone, record.name)).filter(({ id }) => id !== record.id);
    if (others.some(({ type, content }) => type === record.type && content === record.content))
      throw refuse(400, 81_058, "An identical record already exists.");
    const addresses = ["A", "AAAA", "CNAME"];
    const clash = others.some(
      ({ type }) =>
        (type === "CNAME" && addresses.includes(record.type)) || (record.type === "CNAME" && addresses.includes(type)),
    );
    if (clash) throw refuse(400, 81_053, "An A, AAAA, or CNAME record with that host already exists.");
  }

  private zoneName(zone: string): string {
    return this.store.zones.get("", zone)?.name ?? "";
  }
}

const atName = (zone: string, name: string): string => `${zone}/${name}`;

/** The parts of a record that a body may contain. */
function editable(record: DnsRecord): Body {
  const { name, type, content, data, ttl, priority, proxied, comment, tags, settings } = record;
  const fields = { name, type, content, data, ttl, priority, proxied, comment, tags, settings };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
