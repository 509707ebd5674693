import { text } from "../body.js";
import type { ApiResult, Body, Query } from "../call.js";
import type { EmulatorClock } from "../clock.js";
import { refuse } from "../failure.js";
import type { Group } from "../group.js";
import { same, selectItems, withOperator, type Filters, type Orders } from "../lists.js";
import { pageOf, type Page } from "../pages.js";
import type { Store } from "../store/store.js";
import { subscriptionResult, zoneResult } from "./result.js";
import { checkNewZone, checkSubscription, checkZone } from "./bodies.js";
import type { Account, Plan, Zone } from "./model.js";
import type { BareZoneSeed } from "./seed.js";

const DOMAIN = /^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9-]{2,63}$/;

/** Zones, to which all other objects belong. */
export class ZonesService {
  private readonly filters: Filters<Zone> = {
    name: withOperator(({ name }) => name),
    "account.id": same(({ account }) => account.id),
    "account.name": withOperator((zone) => this.accountOf(zone).name),
    status: same(({ status }) => status ?? "active"),
    type: ({ type = "full" }, value) => value.split(",").includes(type),
  };
  private readonly orders: Orders<Zone> = {
    name: ({ name }) => name,
    status: ({ status }) => status ?? "active",
    "account.id": ({ account }) => account.id,
    "account.name": (zone) => this.accountOf(zone).name,
    "plan.id": ({ plan }) => plan,
  };

  constructor(
    private readonly store: Store,
    private readonly clock: EmulatorClock,
    /** Every group, which adds its own data to a new zone. */
    private readonly groups: readonly Group[],
  ) {}

  list(query: Query): Page<ApiResult> {
    const found = selectItems(this.candidates(query), query, this.filters, this.orders);
    const { result, info } = pageOf(found, query, { most: 50 });
    return { result: result.map((zone) => this.toResult(zone)), info };
  }

  /** The zones that a query can select: by name at most one, however many there are. */
  private candidates({ name, match }: Query): readonly Zone[] {
    const isPlain = name !== undefined && !name.includes(":") && match !== "any";
    return isPlain ? this.store.zones.named(name.toLowerCase()) : this.store.zones.in("");
  }

  get(id: string): ApiResult {
    return this.toResult(this.find(id));
  }

  /** A new zone waits for its name servers, on the lowest plan, until it is activated and subscribed to another plan. */
  create(sent: Body): ApiResult {
    const body = checkNewZone(sent);
    const name = text(body.name).toLowerCase();
    if (!DOMAIN.test(name))
      throw refuse(400, 1099, `We were unable to identify ${name} as a registered domain`, "/name");
    if (this.store.zones.named(name).length > 0) throw refuse(400, 1061, `${name} already exists`, "/name");
    const now = this.clock.timestamp();
    const zone: Zone = {
      id: this.store.ids.next(),
      name,
      plan: "free",
      account: this.accountFor(body.account as { id?: string } | undefined),
      status: "pending",
      type: text(body.type) || "full",
      createdOn: now,
      modifiedOn: now,
    };
    this.add(zone, { name });
    return this.toResult(zone);
  }

  /** Adds a zone with what every group has in it. */
  add(zone: Zone, seed: BareZoneSeed): void {
    this.store.zones.put("", zone.id, zone);
    for (const group of this.groups) group.addZone?.(zone, seed);
  }

  update(id: string, sent: Body): ApiResult {
    const body = checkZone(sent) as {
      paused?: boolean;
      type?: string;
      vanity_name_servers?: readonly string[];
      plan?: { id?: Plan };
    };
    const { paused, type, vanity_name_servers, plan } = body;
    return this.change(id, {
      ...(paused === undefined ? {} : { paused }),
      ...(type === undefined ? {} : { type }),
      ...(vanity_name_servers === undefined ? {} : { vanityNameServers: vanity_name_servers }),
      ...(plan?.id === undefined ? {} : { plan: plan.id }),
    });
  }

  delete(id: string): { id: string } {
    const zone = this.find(id);
    for (const { removeZone } of this.groups) removeZone?.(zone);
    this.store.removeOwner(id);
    this.store.zones.delete("", id);
    return { id };
  }

  activate(id: string): { id: string } {
    this.change(id, { status: "active" });
    return { id };
  }

  subscription(id: string): ApiResult {
    return subscriptionResult(this.find(id));
  }
  subscribe(id: string, sent: Body): ApiResult {
    const { rate_plan } = checkSubscription(sent) as { rate_plan: { id: Plan } };
    this.change(id, { plan: rate_plan.id });
    return this.subscription(id);
  }

  private change(id: string, change: Partial<Zone>): ApiResult {
    const zone = { ...this.find(id), ...change, modifiedOn: this.clock.timestamp() };
    this.store.zones.put("", id, zone);
    return this.toResult(zone);
  }

  private accountFor(sent: { readonly id?: string } = {}): Account {
    const found = sent.id === undefined ? this.store.accounts.in("")[0] : this.store.accounts.get("", sent.id);
    if (found === undefined) throw refuse(403, 9109, "Unauthorized to access requested resource", "/account/id");
    return found;
  }

  private toResult(zone: Zone): ApiResult {
    return zoneResult(zone, this.accountOf(zone));
  }
  private accountOf({ account }: Zone): Account {
    return this.store.accounts.get("", account.id) ?? account;
  }

  private find(id: string): Zone {
    const found = this.store.zones.get("", id);
    if (found === undefined) throw refuse(404, 1001, `zone ${id} not found`);
    return found;
  }
}
