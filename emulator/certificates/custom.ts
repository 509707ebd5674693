import type { ApiResult, Body, Query } from "../call.js";
import type { EmulatorClock } from "../clock.js";
import { refuse } from "../failure.js";
import type { Store } from "../store/store.js";
import { getStored, type Stored } from "../stored.js";
import { checkPriorities, checkUpload, checkUploaded } from "./bodies.js";
import type { StoredCertificates } from "./stored.js";
import { readCertificate } from "./uploaded.js";

/** From this day on, the service bundles certificates of Let's Encrypt with the self-signed root only. */
const CHAIN_CHANGE = Date.parse("2024-09-09T00:00:00Z");

/** Certificates uploaded by their owner. */
export class CustomCertificatesService {
  constructor(
    private readonly store: Store,
    private readonly stored: StoredCertificates,
    private readonly clock: EmulatorClock,
  ) {}

  list(zone: string, query: Query): ApiResult[] {
    const all = this.stored.custom.in(zone).map((item) => this.toResult(item));
    return all.filter(({ status }) => query.status === undefined || status === query.status);
  }

  get(zone: string, id: string): ApiResult {
    return this.toResult(this.find(zone, id));
  }

  upload(zone: string, sent: Body): ApiResult {
    const body = checkUpload(sent);
    if (body.private_key === undefined && body.custom_csr_id === undefined)
      throw refuse(400, 1002, "private_key is required", "/private_key");
    const uploaded: Stored = {
      zone_id: zone,
      bundle_method: "ubiquitous",
      status: "active",
      priority: this.stored.custom.count(zone),
      ...this.kept(body),
      id: this.store.ids.next(),
    };
    this.put(zone, uploaded);
    return this.toResult(uploaded);
  }

  /** Changes only the given fields. */
  update(zone: string, id: string, sent: Body): ApiResult {
    const found = this.find(zone, id);
    const changed = { ...found, ...this.kept(checkUploaded(sent)), id, modified_on: this.clock.timestamp() };
    this.put(zone, changed);
    return this.toResult(changed);
  }

  delete(zone: string, id: string): { id: string } {
    this.find(zone, id);
    this.stored.custom.delete(zone, id);
    return { id };
  }

  /** Sets the order in which certificates for the same host are used, the highest priority first. */
  prioritize(zone: string, sent: Body): ApiResult[] {
    const { certificates } = checkPriorities(sent) as { certificates: readonly { id: string; priority: number }[] };
    for (const { id, priority } of certificates) this.put(zone, { ...this.find(zone, id), priority });
    return this.list(zone, {}).sort((a, b) => Number(b.priority) - Number(a.priority));
  }

  /** Which chain visitors receive for uploaded certificates. */
  chains(zone: string): { id: string; chain: string }[] {
    return this.stored.custom.in(zone).map((item) => ({ id: item.id, chain: chainOf(item) }));
  }

  /** What is stored of a body: the certificate's own properties, never the key. */
  private kept({ certificate, private_key: _key, deploy: _deploy, type: _type, policy, ...rest }: Body): Body {
    const policies = policy === undefined ? {} : { policy_restrictions: policy };
    if (certificate === undefined) return { ...rest, ...policies };
    const { hosts, issuer, signature, expiresOn } = readCertificate(certificate, 1002, "/certificate");
    const now = this.clock.timestamp();
    const facts = { hosts, issuer, signature, expires_on: expiresOn, uploaded_on: now, modified_on: now };
    return { ...rest, ...policies, ...facts };
  }

  private toResult(item: Stored): ApiResult {
    const over = Date.parse(String(item.expires_on)) <= this.clock.now();
    return over && item.status === "active" ? { ...item, status: "expired" } : item;
  }

  private find(zone: string, id: string): Stored {
    return getStored(this.stored.custom, zone, id, 1003, "custom certificate");
  }
  private put(zone: string, item: Stored): void {
    this.stored.custom.put(zone, item.id, item);
  }
}

const AS_UPLOADED: ReadonlySet<unknown> = new Set(["force", "user-defined"]);

/** The service adds a chain unless the owner uploads it; that of one authority depends on the day of the upload. */
function chainOf({ bundle_method, issuer, uploaded_on }: Stored): string {
  if (AS_UPLOADED.has(bundle_method)) return "as uploaded";
  if (!/let.?s\s?encrypt/i.test(String(issuer))) return "of its authority";
  return Date.parse(String(uploaded_on)) < CHAIN_CHANGE ? "cross-signed" : "self-signed";
}
