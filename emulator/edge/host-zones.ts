import type { StoredCertificates } from "../certificates/stored.js";
import type { Store } from "../store/store.js";
import type { Zone } from "../zones/model.js";

/**
 * Finds the zone that serves a host: the zone with that name or the nearest parent, or one with the host as a custom hostname.
 */
export class HostZones {
  constructor(
    private readonly store: Store,
    private readonly certificates: StoredCertificates,
  ) {}

  find(host: string): Zone | undefined {
    const name = hostName(host);
    const labels = name.split(".");
    for (let from = 0; from < labels.length; from += 1) {
      const zone = this.store.zones.named(labels.slice(from).join("."))[0];
      if (zone !== undefined) return this.current(zone);
    }
    const [owner = ""] = this.certificates.zonesWith(name);
    const zone = this.store.zones.get("", owner);
    return zone === undefined ? undefined : this.current(zone);
  }

  /** The text of `cf.hostname.metadata`; empty if the host has no metadata. */
  metadata({ id }: Zone, host: string): string {
    const [found] = this.certificates.named(id, hostName(host));
    return found?.rest.custom_metadata === undefined ? "" : JSON.stringify(found.rest.custom_metadata);
  }

  names(): string[] {
    return this.store.zones.in("").map(({ name }) => name);
  }

  /** The zone with its account's current name. */
  private current(zone: Zone): Zone {
    return { ...zone, account: this.store.accounts.get("", zone.account.id) ?? zone.account };
  }
}

/** The name in a Host header. */
function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "");
}
