import { text } from "../body.js";
import type { Body } from "../call.js";
import type { EmulatorClock } from "../clock.js";
import { invalidValue, refuse } from "../failure.js";
import { ownValue } from "../lookup.js";
import { expressionFault } from "../rulesets/expression.js";
import type { Store } from "../store/store.js";
import { getStored, type Stored } from "../stored.js";
import { checkFilter, checkFirewallRule, checkNewFirewallRule, checkPageRule, checkWholePageRule } from "./bodies.js";
import { usesFilter, type PreviousWafs } from "./wafs.js";

/** Firewall rules with their filters, and page rules: everything that lets requests bypass the previous WAF. */
export class BypassService {
  constructor(
    private readonly store: Store,
    private readonly wafs: PreviousWafs,
    private readonly clock: EmulatorClock,
  ) {}

  filters(zone: string): readonly Stored[] {
    return this.wafs.filters.in(zone);
  }
  filter(zone: string, id: string): Stored {
    return getStored(this.wafs.filters, zone, id, 10_100, "filter");
  }
  createFilters(zone: string, bodies: readonly Body[]): Stored[] {
    return bodies.map((body) => this.putFilter(zone, this.store.ids.next(), body));
  }
  updateFilter(zone: string, id: string, body: Body): Stored {
    this.filter(zone, id);
    return this.putFilter(zone, id, body);
  }
  deleteFilter(zone: string, id: string): { id: string } {
    this.filter(zone, id);
    if (this.wafs.firewallRules.named(usesFilter(zone, id)).length > 0)
      throw refuse(400, 10_102, `filter ${id} is used by a firewall rule`);
    this.wafs.filters.delete(zone, id);
    return { id };
  }

  firewallRules(zone: string): Stored[] {
    return this.wafs.firewallRules.in(zone).map((rule) => this.withFilter(zone, rule));
  }
  firewallRule(zone: string, id: string): Stored {
    return this.withFilter(zone, this.storedRule(zone, id));
  }
  createFirewallRule(zone: string, sent: Body): Stored {
    const body = checkNewFirewallRule(sent);
    return this.putRule(zone, { paused: false, ...body, id: this.store.ids.next() }, body);
  }
  /** `PUT` replaces the whole rule, `PATCH` the given fields. */
  updateFirewallRule(zone: string, id: string, sent: Body, whole: boolean): Stored {
    const old = this.storedRule(zone, id);
    const body = (whole ? checkNewFirewallRule : checkFirewallRule)(sent);
    return this.putRule(zone, { ...(whole ? { paused: false } : old), ...body, id }, body, old);
  }
  deleteFirewallRule(zone: string, id: string): Stored {
    const deleted = this.firewallRule(zone, id);
    this.wafs.firewallRules.delete(zone, id);
    return deleted;
  }

  pageRules(zone: string): readonly Stored[] {
    return this.wafs.pageRules.in(zone);
  }
  pageRule(zone: string, id: string): Stored {
    return getStored(this.wafs.pageRules, zone, id, 1002, "page rule");
  }
  createPageRule(zone: string, sent: Body): Stored {
    const now = this.clock.timestamp();
    const body = { priority: 1, status: "disabled", ...checkWholePageRule(sent) };
    const created = { ...body, id: this.store.ids.next(), created_on: now, modified_on: now };
    this.wafs.pageRules.put(zone, created.id, created);
    return created;
  }
  updatePageRule(zone: string, id: string, sent: Body, whole: boolean): Stored {
    const old = this.pageRule(zone, id);
    const body = (whole ? checkWholePageRule : checkPageRule)(sent);
    const base = whole ? { priority: 1, status: "disabled", created_on: old.created_on } : old;
    const changed = { ...base, ...body, id, modified_on: this.clock.timestamp() };
    this.wafs.pageRules.put(zone, id, changed);
    return changed;
  }
  deletePageRule(zone: string, id: string): { id: string } {
    this.pageRule(zone, id);
    this.wafs.pageRules.delete(zone, id);
    return { id };
  }

  private storedRule(zone: string, id: string): Stored {
    return getStored(this.wafs.firewallRules, zone, id, 10_100, "firewall rule");
  }

  private putFilter(zone: string, id: string, sent: Body): Stored {
    const body = checkFilter(sent);
    const { expression } = body as { expression: string };
    checkExpression(expression);
    const filter = { paused: false, ...body, id };
    this.wafs.filters.put(zone, id, filter);
    return filter;
  }

  private putRule(zone: string, { priority, ...rule }: Stored, { action, filter }: Body, old?: Stored): Stored {
    const stored = {
      ...rule,
      // Documented as a value of a request, but not of a response.
      ...(priority === undefined || priority === null ? {} : { priority }),
      action: action === undefined ? rule.action : actionName(action),
      filter: filter === undefined ? old?.filter : this.filterOf(zone, filter as Body),
    };
    this.wafs.firewallRules.put(zone, rule.id, stored);
    return this.withFilter(zone, stored);
  }

  /** An existing filter by ID, or a new one created with its rule. */
  private filterOf(zone: string, { id, ...rest }: Body): string {
    if (typeof id === "string") return this.filter(zone, id).id;
    return this.putFilter(zone, this.store.ids.next(), rest).id;
  }

  private withFilter(zone: string, rule: Stored): Stored {
    return { ...rule, filter: this.wafs.filters.get(zone, String(rule.filter)) };
  }
}

function checkExpression(expression: string): void {
  if (expression.trim() === "") throw refuse(400, 10_016, "expression is required", "/expression");
  // The 4 KB limit belongs to the migration; a filter may be longer.
  const fault = expression.length > 4096 ? undefined : expressionFault(expression);
  if (fault !== undefined)
    throw invalidValue(expression, "expression", fault.reason ?? fault.message ?? "", { pointer: "/expression" });
}

const NAMES: Readonly<Record<string, string>> = { simulate: "log", ban: "block" };

/** The name of an action, which may also be sent as an object. */
function actionName(action: unknown): string {
  if (typeof action === "string") return action;
  const mode = text((action as Body).mode);
  return ownValue(NAMES, mode) ?? mode;
}
