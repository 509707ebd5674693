import { text, bodyCheck, boolean, nonEmpty, listOf, object, oneOf } from "../body.js";
import type { ApiResult, Body, Query } from "../call.js";
import type { EmulatorClock } from "../clock.js";
import { refuse } from "../failure.js";
import type { Group } from "../group.js";
import { same, selectItems, withOperator, type Filters, type Orders } from "../lists.js";
import { pageOf, type Page } from "../pages.js";
import type { Store } from "../store/store.js";
import { type Account, type Plan, type Zone, PLANS } from "./model.js";
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

const TYPES = oneOf("full", "partial", "secondary", "internal");
const CODES = [["", 1000]] as const;

const checkNewZone = bodyCheck(
  object({ name: { ...nonEmpty, maxLength: 253 }, account: object({ id: nonEmpty }, ["id"]), type: TYPES }, ["name"]),
  [["/name", 1099], ...CODES],
);
const checkZone = bodyCheck(
  object({
    paused: boolean,
    type: TYPES,
    vanity_name_servers: listOf(nonEmpty),
    plan: object({ id: oneOf(...PLANS) }, ["id"]),
  }),
  CODES,
);
const checkSubscription = bodyCheck(
  object(
    {
      rate_plan: object({ id: oneOf(...PLANS) }, ["id"]),
      frequency: oneOf("weekly", "monthly", "quarterly", "yearly"),
    },
    ["rate_plan"],
  ),
  CODES,
);

const PLAN_NAMES = {
  free: "Free Website",
  pro: "Pro Website",
  business: "Business Website",
  enterprise: "Enterprise Website",
};
const CREATED = "2026-01-01T00:00:00.000000Z";

/** A zone as the service returns it. */
function zoneResult(zone: Zone, account: Account): ApiResult {
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
function subscriptionResult({ id, plan }: Zone): ApiResult {
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
