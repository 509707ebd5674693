import equal from "fast-deep-equal";
import type { Collection } from "../store/collection.js";
import type { Store } from "../store/store.js";
import type { Stored } from "../stored.js";
import type { Certificates, CertificateSettings, Hostname, Pack } from "./model.js";
import { certificatesOf, universalPack } from "./seed.js";

const {
  hostnames: _hostnames,
  packs: _packs,
  custom: _custom,
  ...DEFAULT_SETTINGS
} = certificatesOf({ id: "", name: "" }, 0);

/** Stored certificate data, by zone. Default settings are not stored, nor is the pack of a zone that has only that one. */
export class StoredCertificates {
  readonly hostnames: Collection<Hostname>;
  readonly custom: Collection<Stored>;
  private readonly packs: Collection<Pack>;
  private readonly settings: Collection<CertificateSettings>;

  constructor(private readonly store: Store) {
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

  packsIn(zone: string): readonly Pack[] {
    return this.hasOnlyUniversalPack(zone) ? [this.universalPackOf(zone)] : this.packs.in(zone);
  }

  findPack(zone: string, id: string): Pack | undefined {
    return this.packsIn(zone).find((pack) => pack.id === id);
  }

  putPack(zone: string, pack: Pack): void {
    if (this.hasOnlyUniversalPack(zone)) {
      const universal = this.universalPackOf(zone);
      this.packs.put(zone, universal.id, universal);
    }
    this.packs.put(zone, pack.id, pack);
  }

  deletePack(zone: string, id: string): void {
    this.packs.delete(zone, id);
  }

  /** Replaces everything of a zone. */
  fill(zone: string, { hostnames, packs, custom, ...settings }: Certificates): void {
    const all = packs === undefined ? settings : { ...settings, hasListedPacks: true };
    if (equal(all, DEFAULT_SETTINGS)) this.settings.delete(zone, "");
    else this.settings.put(zone, "", all);
    fillScope(this.hostnames, zone, hostnames);
    fillScope(this.packs, zone, packs ?? []);
    fillScope(this.custom, zone, custom);
  }

  private hasOnlyUniversalPack(zone: string): boolean {
    return this.packs.count(zone) === 0 && this.get(zone).hasListedPacks !== true;
  }

  private universalPackOf(zone: string): Pack {
    return universalPack({ id: zone, name: this.store.zones.get("", zone)?.name ?? "" });
  }
}

function inZone(zone: string, hostname: string): string {
  return `${zone}/${hostname}`;
}

function fillScope<T extends { readonly id: string }>(collection: Collection<T>, zone: string, items: readonly T[]) {
  collection.clear(zone);
  for (const item of items) collection.put(zone, item.id, item);
}
