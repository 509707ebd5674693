import type { Body } from "../call.js";
import type { EmulatorClock } from "../clock.js";
import { invalidValue, refuse } from "../failure.js";
import { expressionFault } from "../rulesets/expression.js";
import type { Store } from "../store/store.js";
import { getStored, type Stored } from "../stored.js";
import { usesFilter, type PreviousWafs } from "./wafs.js";

const ACTIONS = ["block", "challenge", "js_challenge", "managed_challenge", "allow", "log", "bypass"];

/** Firewall rules with their filters, and page rules: what lets requests past the previous WAF. */
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
    return bodies.map((body) => {
      checkExpression(body.expression);
      const created = { paused: false, ...body, id: this.store.ids.next() };
      this.wafs.filters.put(zone, created.id, created);
      return created;
    });
  }
  updateFilter(zone: string, id: string, body: Body): Stored {
    this.filter(zone, id);
    checkExpression(body.expression);
    const changed = { paused: false, ...body, id };
    this.wafs.filters.put(zone, id, changed);
    return changed;
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
  createFirewallRule(zone: string, body: Body): Stored {
    checkAction(body.action);
    const created = { paused: false, ...body, filter: this.filterOf(zone, body.filter), id: this.store.ids.next() };
    this.wafs.firewallRules.put(zone, created.id, created);
    return this.withFilter(zone, created);
  }
  updateFirewallRule(zone: string, id: string, body: Body): Stored {
    const old = this.storedRule(zone, id);
    if (body.action !== undefined) checkAction(body.action);
    const filter = body.filter === undefined ? old.filter : this.filterOf(zone, body.filter);
    const changed = { ...old, ...body, filter, id };
    this.wafs.firewallRules.put(zone, id, changed);
    return this.withFilter(zone, changed);
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
  createPageRule(zone: string, body: Body): Stored {
    checkPageRule(body);
    const now = this.clock.timestamp();
    const created = { priority: 1, status: "disabled", ...body, id: this.store.ids.next() };
    const dated = { ...created, created_on: now, modified_on: now };
    this.wafs.pageRules.put(zone, dated.id, dated);
    return dated;
  }
  updatePageRule(zone: string, id: string, body: Body, whole: boolean): Stored {
    const old = this.pageRule(zone, id);
    if (whole) checkPageRule(body);
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

  /** A filter that is named, or made together with its rule. */
  private filterOf(zone: string, sent: unknown): string {
    const { id, ...rest } = (typeof sent === "object" && sent !== null ? sent : {}) as Body;
    if (typeof id === "string") return this.filter(zone, id).id;
    const [created] = this.createFilters(zone, [rest]);
    return created?.id ?? "";
  }

  private withFilter(zone: string, rule: Stored): Stored {
    return { ...rule, filter: this.wafs.filters.get(zone, String(rule.filter)) };
  }
}

function checkExpression(expression: unknown): void {
  if (typeof expression !== "string" || expression.trim() === "")
    throw refuse(400, 10_016, "expression is required", "/expression");
  // The limit of 4 KB is the migration's; a filter may be longer.
  const fault = expression.length > 4096 ? undefined : expressionFault(expression);
  if (fault !== undefined) throw invalidValue(expression, "expression", fault, { pointer: "/expression" });
}

function checkAction(action: unknown): void {
  if (typeof action !== "string" || !ACTIONS.includes(action))
    throw invalidValue(action, "action", `it must be one of ${ACTIONS.join(", ")}`, { pointer: "/action" });
}

function checkPageRule({ targets, actions }: Body): void {
  if (!Array.isArray(targets) || targets.length === 0) throw refuse(400, 1004, "targets is required", "/targets");
  if (!Array.isArray(actions) || actions.length === 0) throw refuse(400, 1004, "actions is required", "/actions");
}
