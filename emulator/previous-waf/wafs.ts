import type { Collection } from "../store/collection.js";
import type { Store } from "../store/store.js";
import type { Stored } from "../stored.js";
import type { PreviousWaf, WafSettings } from "./model.js";
import { previousWafOf } from "./seed.js";

const MIGRATED: WafSettings = previousWafOf({ id: "" }, undefined);

/** The name by which the firewall rules of a filter are found. */
export function usesFilter(zone: string, filter: unknown): string {
  return `${zone}/${String(filter)}`;
}

/** Stored data of the previous WAF, by zone. */
export class PreviousWafs {
  readonly overrides: Collection<Stored>;
  readonly filters: Collection<Stored>;
  readonly firewallRules: Collection<Stored>;
  readonly pageRules: Collection<Stored>;
  private readonly settings: Collection<WafSettings>;

  constructor(store: Store) {
    this.settings = store.collection("previous-waf");
    this.overrides = store.collection("overrides");
    this.filters = store.collection("filters");
    this.firewallRules = store.collection("firewall-rules", ({ filter }, zone) => [usesFilter(zone, filter)]);
    this.pageRules = store.collection("page-rules");
  }

  /** Nothing is stored for a zone that was migrated long ago. */
  get(zone: string): WafSettings {
    return this.settings.get(zone, "") ?? MIGRATED;
  }

  put(zone: string, settings: WafSettings): void {
    this.settings.put(zone, "", settings);
  }

  /** The settings together with overrides, filters, firewall rules and page rules. */
  getWhole(zone: string): PreviousWaf {
    return {
      ...this.get(zone),
      overrides: this.overrides.in(zone),
      filters: this.filters.in(zone),
      firewallRules: this.firewallRules.in(zone),
      pageRules: this.pageRules.in(zone),
    };
  }

  /** Replaces everything of a zone. */
  fill(zone: string, { overrides, filters, firewallRules, pageRules, ...settings }: PreviousWaf): void {
    this.put(zone, settings);
    const lists = [
      [this.overrides, overrides],
      [this.filters, filters],
      [this.firewallRules, firewallRules],
      [this.pageRules, pageRules],
    ] as const;
    for (const [collection, items] of lists) {
      collection.clear(zone);
      for (const item of items) collection.put(zone, item.id, item);
    }
  }
}
