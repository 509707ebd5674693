import { X509Certificate } from "node:crypto";
import type { Body, Query } from "../call.js";
import type { EmulatorClock } from "../clock.js";
import { invalidValue, refuse } from "../failure.js";
import type { Store } from "../store/store.js";
import { getStored, type Stored } from "../stored.js";
import type { StoredCertificates } from "./stored.js";

const AUTHORITIES = ["google", "lets_encrypt", "ssl_com"];
const BUNDLES = ["ubiquitous", "optimal", "force"];
/** From this day on the service bundles with the self-signed root only. */
const CHAIN_CHANGE = Date.parse("2024-09-09T00:00:00Z");

/** Certificate packs, uploaded certificates, Total TLS, Universal SSL and the fallback origin. */
export class CertificatesService {
  constructor(
    private readonly store: Store,
    private readonly stored: StoredCertificates,
    private readonly clock: EmulatorClock,
  ) {}

  /** Active packs, and all of them with `status=all`. */
  packs(zone: string, query: Query): readonly Stored[] {
    const packs = this.stored.packs.in(zone);
    return query.status === "all" ? packs : packs.filter(({ status }) => status === "active");
  }
  pack(zone: string, id: string): Stored {
    return getStored(this.stored.packs, zone, id, 1300, "certificate pack");
  }
  orderPack(zone: string, body: Body): Stored {
    for (const field of ["type", "hosts", "validation_method", "validity_days", "certificate_authority"]) {
      if (body[field] === undefined) throw refuse(400, 1408, `${field} is required`, `/${field}`);
    }
    authority(body.certificate_authority);
    const ordered = { certificates: [], ...body, id: this.store.ids.next(), status: "initializing" };
    this.stored.packs.put(zone, ordered.id, ordered);
    return ordered;
  }
  /** Restarts the validation, or adds branding; nothing else of a pack can be edited. */
  updatePack(zone: string, id: string, body: Body): Stored {
    const changed = { ...this.pack(zone, id), status: "initializing", ...pick(body, ["cloudflare_branding"]) };
    this.stored.packs.put(zone, id, changed);
    return changed;
  }
  deletePack(zone: string, id: string): { id: string } {
    const found = this.pack(zone, id);
    if (found.type === "universal") throw refuse(400, 1301, "Universal SSL packs cannot be deleted");
    this.stored.packs.delete(zone, id);
    return { id };
  }

  customs(zone: string, query: Query): readonly Stored[] {
    return this.stored.custom.in(zone).filter(({ status }) => query.status === undefined || status === query.status);
  }
  custom(zone: string, id: string): Stored {
    return getStored(this.stored.custom, zone, id, 1003, "custom certificate");
  }
  uploadCustom(zone: string, body: Body): Stored {
    if (body.private_key === undefined && body.custom_csr_id === undefined)
      throw refuse(400, 1002, "private_key is required", "/private_key");
    const uploaded = { ...this.uploaded(zone, body), id: this.store.ids.next() };
    this.stored.custom.put(zone, uploaded.id, uploaded);
    return uploaded;
  }
  updateCustom(zone: string, id: string, body: Body): Stored {
    const found = this.custom(zone, id);
    const fresh = body.certificate === undefined ? { ...bundle(body) } : this.uploaded(zone, { ...found, ...body });
    const changed = { ...found, ...fresh, id, modified_on: this.clock.timestamp() };
    this.stored.custom.put(zone, id, changed);
    return changed;
  }
  deleteCustom(zone: string, id: string): { id: string } {
    this.custom(zone, id);
    this.stored.custom.delete(zone, id);
    return { id };
  }

  /** Which chain visitors get of the affected authority's uploaded certificates, by upload date and bundle method. */
  chains(zone: string): { id: string; chain: string }[] {
    return this.stored.custom.in(zone).map(({ id, bundle_method, uploaded_on }) => {
      const before = Date.parse(String(uploaded_on)) < CHAIN_CHANGE;
      return { id, chain: bundle_method === "force" ? "as uploaded" : before ? "cross-signed" : "self-signed" };
    });
  }

  totalTls(zone: string): object {
    return { ...this.stored.get(zone).totalTls, validity_period: 90 };
  }
  setTotalTls(zone: string, body: Body): object {
    const { enabled, certificate_authority } = body;
    if (typeof enabled !== "boolean") throw refuse(400, 1000, "enabled is required", "/enabled");
    const before = this.stored.get(zone).totalTls.certificate_authority;
    const chosen = certificate_authority === undefined ? before : authority(certificate_authority);
    this.stored.change(zone, { totalTls: { enabled, certificate_authority: chosen } });
    return this.totalTls(zone);
  }

  universal(zone: string): object {
    return { enabled: this.stored.get(zone).universalEnabled };
  }
  setUniversal(zone: string, { enabled }: Body): object {
    this.stored.change(zone, { universalEnabled: enabled !== false });
    return this.universal(zone);
  }

  fallbackOrigin(zone: string): object {
    const { fallbackOrigin } = this.stored.get(zone);
    if (fallbackOrigin === undefined) throw refuse(404, 1551, "No fallback origin is set");
    return fallbackOrigin;
  }
  setFallbackOrigin(zone: string, { origin }: Body): object {
    if (typeof origin !== "string" || origin === "") throw refuse(400, 1550, "origin is required", "/origin");
    const now = this.clock.timestamp();
    this.stored.change(zone, { fallbackOrigin: { origin, status: "active", created_at: now, updated_at: now } });
    return this.fallbackOrigin(zone);
  }
  deleteFallbackOrigin(zone: string): object {
    const gone = this.fallbackOrigin(zone);
    this.stored.change(zone, { fallbackOrigin: undefined });
    return { ...gone, status: "pending_deletion" };
  }

  private uploaded(zone: string, body: Body): Omit<Stored, "id"> {
    const now = this.clock.timestamp();
    return {
      zone_id: zone,
      ...readCertificate(body.certificate),
      ...bundle(body),
      status: "active",
      priority: 0,
      uploaded_on: now,
      modified_on: now,
    };
  }
}

/** What a certificate says of itself. */
function readCertificate(pem: unknown): Record<string, unknown> {
  try {
    const { issuer, subjectAltName, validTo } = new X509Certificate(String(pem));
    const organisation = /^O=(.*)$/m.exec(issuer)?.[1];
    return {
      hosts: (subjectAltName ?? "").split(", ").map((name) => name.replace(/^DNS:/, "")),
      issuer: organisation ?? issuer.replace(/\n/g, ", "),
      signature: "SHA256WithRSA",
      expires_on: new Date(validTo).toISOString(),
    };
  } catch {
    throw refuse(400, 1002, "The certificate cannot be parsed", "/certificate");
  }
}

function bundle({ bundle_method }: Body): Record<string, unknown> {
  if (bundle_method === undefined) return { bundle_method: "ubiquitous" };
  if (typeof bundle_method === "string" && BUNDLES.includes(bundle_method)) return { bundle_method };
  throw invalidValue(bundle_method, "bundle_method", `it must be one of ${BUNDLES.join(", ")}`);
}

function authority(value: unknown): string {
  if (typeof value === "string" && AUTHORITIES.includes(value)) return value;
  throw invalidValue(value, "certificate_authority", `it must be one of ${AUTHORITIES.join(", ")}`);
}

function pick(body: Body, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])));
}
