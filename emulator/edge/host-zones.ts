import type { StoredCertificates } from "../certificates/stored.js";
import type { Store } from "../store/store.js";
import type { Zone } from "../zones/model.js";

/** Finds the zone that serves a host: the host itself or the nearest name above it, or one with it as a custom hostname. */
export class HostZones {
  constructor(
    private readonly store: Store,
    private readonly certificates: StoredCertificates,
  ) {}

  find(host: string): Zone | undefined {
    const name = host.toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "");
    const labels = name.split(".");
    for (let from = 0; from < labels.length; from += 1) {
      const zone = this.store.zones.named(labels.slice(from).join("."))[0];
      if (zone !== undefined) return this.current(zone);
    }
    const owner = this.store.zones.in("").find(({ id }) => this.certificates.hasHostname(id, name));
    return owner === undefined ? undefined : this.current(owner);
  }

  names(): string[] {
    return this.store.zones.in("").map(({ name }) => name);
  }

  /** With its account as it is named now. */
  private current(zone: Zone): Zone {
    return { ...zone, account: this.store.accounts.get("", zone.account.id) ?? zone.account };
  }
}
