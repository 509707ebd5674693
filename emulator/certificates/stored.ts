import equal from "fast-deep-equal";
import type { Collection } from "../store/collection.js";
import type { Store } from "../store/store.js";
import type { Stored } from "../stored.js";
import type { Certificates, CertificateSettings, Hostname, Pack } from "./model.js";
import { certificatesOf } from "./seed.js";

const {
  hostnames: _hostnames,
  packs: _packs,
  custom: _custom,
  ...DEFAULT_SETTINGS
} = certificatesOf({ id: "", name: "", plan: "free", account: { id: "", name: "" } }, 0);

/** Stored certificate data, by zone. Default settings are not stored. */
export class StoredCertificates {
  readonly hostnames: Collection<Hostname>;
  readonly packs: Collection<Pack>;
  readonly custom: Collection<Stored>;
  private readonly settings: Collection<CertificateSettings>;

  constructor(store: Store) {
    this.settings = store.collection("certificates");
    this.hostnames = store.collection("hostnames", ({ hostname }, zone) => [inZone(zone, hostname), hostname]);
    this.packs = store.collection("packs");
    this.custom = store.collection("custom-certificates");
  }

  get(zone: string): CertificateSettings {
    return this.settings.get(zone, "") ?? DEFAULT_SETTINGS;
  }

  change(zone: string, change: Partial<CertificateSettings>): void {
    this.settings.put(zone, "", { ...this.get(zone), ...change });
  }

  /** The zones with a hostname. */
  zonesWith(hostname: string): string[] {
    return this.hostnames.scopesOf(hostname);
  }

  /** The hostnames with a name in a zone; at most one. */
  named(zone: string, hostname: string): Hostname[] {
    return this.hostnames.named(inZone(zone, hostname));
  }

  hasHostname(zone: string, hostname: string): boolean {
    return this.named(zone, hostname).length > 0;
  }

  /** Replaces everything of a zone. */
  fill(zone: string, { hostnames, packs, custom, ...settings }: Certificates): void {
    if (equal(settings, DEFAULT_SETTINGS)) this.settings.delete(zone, "");
    else this.settings.put(zone, "", settings);
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
