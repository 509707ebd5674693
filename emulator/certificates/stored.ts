import type { Collection } from "../store/collection.js";
import type { Store } from "../store/store.js";
import type { Stored } from "../stored.js";
import type { Certificates, CertificateSettings, Hostname, Pack } from "./model.js";

/** Stored certificate data, by zone. */
export class StoredCertificates {
  readonly hostnames: Collection<Hostname>;
  readonly packs: Collection<Pack>;
  readonly custom: Collection<Stored>;
  private readonly settings: Collection<CertificateSettings>;

  constructor(store: Store) {
    this.settings = store.collection("certificates");
    this.hostnames = store.collection("hostnames", ({ hostname }, zone) => [inZone(zone, hostname)]);
    this.packs = store.collection("packs");
    this.custom = store.collection("custom-certificates");
  }

  get(zone: string): CertificateSettings {
    const found = this.settings.get(zone, "");
    if (found === undefined) throw new Error(`there is no zone ${zone}`);
    return found;
  }

  change(zone: string, change: Partial<CertificateSettings>): void {
    this.settings.put(zone, "", { ...this.settings.get(zone, ""), ...change } as CertificateSettings);
  }

  /** The hostnames with a name; at most one. */
  named(zone: string, hostname: string): Hostname[] {
    return this.hostnames.named(inZone(zone, hostname));
  }

  hasHostname(zone: string, hostname: string): boolean {
    return this.named(zone, hostname).length > 0;
  }

  /** Replaces everything of a zone. */
  fill(zone: string, { hostnames, packs, custom, ...settings }: Certificates): void {
    this.settings.put(zone, "", settings);
    fillScope(this.hostnames, zone, hostnames);
    fillScope(this.packs, zone, packs);
    fillScope(this.custom, zone, custom);
  }
}

function inZone(zone: string, hostname: string): string {
  return `${zone}/${hostname}`;
}

function fillScope<T extends { readonly id: string }>(collection: Collection<T>, zone: string, items: readonly T[]) {
  collection.clear(zone);
  for (const item of items) collection.put(zone, item.id, item);
}
