import { text } from "../body.js";
import type { ApiResult, Body, Query } from "../call.js";
import type { EmulatorClock } from "../clock.js";
import { refuse } from "../failure.js";
import { pageOf, type Page } from "../pages.js";
import { uuidOf } from "../store/ids.js";
import type { Store } from "../store/store.js";
import { checkHostname, checkNewHostname, checkReplacement, checkControls } from "./bodies.js";
import { hostnameResult, hostnameStatus, sslStatusOf } from "./hostname-result.js";
import { checkMetadata, hostnameOf } from "./hostname-values.js";
import { effectiveAuthority, isFinal, isIssuanceForbidden, statusOf } from "./life-cycle.js";
import type { CertificateSettings, Hostname, Uploaded } from "./model.js";
import type { StoredCertificates } from "./stored.js";
import { readCertificate } from "./uploaded.js";

/** Custom hostnames with the complete life cycle of their certificates. */
export class HostnamesService {
  constructor(
    private readonly store: Store,
    private readonly stored: StoredCertificates,
    private readonly clock: EmulatorClock,
  ) {}

  /** Returns one page; only the hostnames on it are expanded. */
  list(zone: string, query: Query): Page<ApiResult> {
    if (query.hostname !== undefined && query.id !== undefined)
      throw refuse(400, 1435, "hostname and id are mutually exclusive");
    const settings = this.stored.get(zone);
    const status = (hostname: Hostname): string => sslStatusOf(hostname, settings.pace, this.clock.now());
    const found = this.candidates(zone, query).filter((hostname) =>
      matches(hostname, query, status, () => effectiveAuthority(hostname, settings.caa)),
    );
    const bySsl = query.order === "ssl_status" || query.order === "ssl";
    const sorted = bySsl ? found.toSorted((a, b) => status(a).localeCompare(status(b))) : found;
    const limits = { most: 1000, total: this.stored.hostnames.count(zone) };
    const { result, info } = pageOf(query.direction === "desc" ? sorted.toReversed() : sorted, query, limits);
    return { result: result.map((hostname) => this.toResult(zone, hostname)), info };
  }

  /** The hostnames that a search can find: by ID or name at most one, however many the zone has. */
  private candidates(zone: string, query: Query): readonly Hostname[] {
    const name = query.hostname ?? query["hostname.exact"];
    if (name !== undefined) return this.stored.named(zone, name.toLowerCase());
    if (query.id === undefined) return this.stored.hostnames.in(zone);
    const found = this.stored.hostnames.get(zone, query.id);
    return found === undefined ? [] : [found];
  }

  get(zone: string, id: string): ApiResult {
    const found = this.find(zone, id);
    const { issuance } = found;
    if (issuance !== undefined) {
      this.put(zone, { ...found, issuance: { ...issuance, reads: issuance.reads + 1 } });
    }
    return this.toResult(zone, found);
  }

  quota(zone: string): ApiResult {
    const allocated = this.stored.get(zone).hostnameQuota;
    const used = this.stored.hostnames.count(zone);
    return { allocated, exceeded: used > allocated, hard_cap: allocated, used };
  }

  create(zone: string, sent: Body): ApiResult {
    const body = checkNewHostname(sent);
    const hostname = hostnameOf(text(body.hostname));
    checkMetadata(body);
    const { hostnameQuota } = this.stored.get(zone);
    if (this.stored.hasHostname(zone, hostname)) throw refuse(409, 1406, "Duplicate custom hostname found");
    if (hostnameQuota === 0) throw refuse(403, 1404, "Custom hostnames are not included in this plan");
    if (this.stored.hostnames.count(zone) >= hostnameQuota)
      throw refuse(403, 1405, "No more custom hostnames can be created: the quota is used up");
    const { certificate_authority, ...ssl } = (body.ssl ?? {}) as Body;
    const created: Hostname = {
      id: uuidOf(this.store.ids.next()),
      hostname,
      status: "pending",
      createdAt: this.clock.timestamp(),
      ...this.choose(zone, hostname, text(certificate_authority)),
      ...(body.ssl === undefined
        ? {}
        : {
            ssl: { bundle_method: "ubiquitous", wildcard: false, ...withoutCertificates(ssl) },
            issuance: { since: this.clock.now(), reads: 0 },
          }),
      rest: otherFields(body),
      ends: "active",
      round: 1,
      locked: false,
      ...this.uploaded(ssl),
    };
    this.put(zone, created);
    return this.toResult(zone, created);
  }

  /** Edits a hostname. An edit with `ssl` always restarts validation, even if nothing changes. */
  update(zone: string, id: string, sent: Body): ApiResult {
    const found = this.find(zone, id);
    const body = checkHostname(sent);
    checkMetadata(body);
    if (found.locked) throw refuse(409, 1439, "Modifying this custom hostname is not supported");
    const rest = { ...found.rest, ...otherFields(body) };
    const changed =
      body.ssl === undefined ? { ...found, rest } : { ...this.reissued(zone, found, body.ssl as Body), rest };
    this.put(zone, changed);
    return this.toResult(zone, changed);
  }

  delete(zone: string, id: string): { id: string } {
    this.find(zone, id);
    this.stored.hostnames.delete(zone, id);
    return { id };
  }

  /** Replaces an uploaded certificate with another one that has the same kind of key. */
  replaceCertificate(zone: string, id: string, certificateId: string, sent: Body): ApiResult {
    const [found, old] = this.findUploaded(zone, id, certificateId);
    const certificate = text(checkReplacement(sent).custom_certificate);
    const [before, after] = [old.certificate, certificate].map((pem) =>
      readCertificate(pem, 1434, "/custom_certificate"),
    );
    if (before?.key !== after?.key)
      throw refuse(
        400,
        1434,
        "A certificate can only be replaced by one with the same kind of key",
        "/custom_certificate",
      );
    const uploaded = (found.uploaded ?? []).map((each) => (each === old ? { ...old, certificate } : each));
    this.put(zone, { ...found, uploaded });
    return this.toResult(zone, { ...found, uploaded });
  }

  deleteCertificate(zone: string, id: string, certificateId: string): { id: string } {
    const [found, old] = this.findUploaded(zone, id, certificateId);
    const uploaded = (found.uploaded ?? []).filter((each) => each !== old);
    if (uploaded.length === 0) throw refuse(400, 1434, "The last certificate of a pack cannot be deleted");
    this.put(zone, { ...found, uploaded });
    return { id: certificateId };
  }

  /** What tests control: the final status of a hostname, and which CAA records exist. */
  setControls(zone: string, sent: Body): void {
    const { ends, ...change } = checkControls(sent) as Partial<CertificateSettings> & { ends?: string };
    const issuing = this.stored.hostnames.in(zone).filter((hostname) => this.isIssuing(zone, hostname));
    this.stored.change(zone, change);
    for (const hostname of change.caa === undefined ? [] : issuing)
      this.put(zone, { ...hostname, ...this.choose(zone, hostname.hostname, hostname.authority) });
    if (ends === undefined) return;
    for (const hostname of this.stored.hostnames.in(zone)) this.put(zone, { ...hostname, ends });
    for (const pack of this.stored.packsIn(zone)) this.stored.putPack(zone, { ...pack, ends });
  }

  /** The authority of a certificate whose issuance begins now. */
  private choose(zone: string, hostname: string, authority: string): Pick<Hostname, "authority" | "isForbidden"> {
    const { caa } = this.stored.get(zone);
    return { authority, isForbidden: isIssuanceForbidden({ authority, hostname }, caa) };
  }

  private reissued(zone: string, found: Hostname, sent: Body): Hostname {
    const { certificate_authority, ...ssl } = sent;
    const authority = certificate_authority === undefined ? found.authority : text(certificate_authority);
    const isOther = found.ssl === undefined || authority !== found.authority;
    if (isOther && (ssl.method === undefined || ssl.type === undefined))
      throw refuse(
        400,
        1440,
        "Both validation type and validation method are required when the certificate authority changes",
      );
    // It is not documented what happens to settings that are left out. Here they are reset, so that tests notice the omission.
    const { method, type } = found.ssl ?? {};
    return {
      ...found,
      ...this.choose(zone, found.hostname, authority),
      ssl: { method, type, bundle_method: "ubiquitous", wildcard: false, ...withoutCertificates(ssl) },
      issuance: { since: this.clock.now(), reads: 0 },
      round: found.round + 1,
      uploaded: undefined,
      ...this.uploaded(ssl),
    };
  }

  private isIssuing(zone: string, hostname: Hostname): boolean {
    return !isFinal(statusOf(hostname, this.stored.get(zone).pace, this.clock.now()));
  }

  /** Certificates that an owner uploads, without their keys. */
  private uploaded({ custom_certificate, custom_cert_bundle }: Body): { uploaded?: Uploaded[] } {
    const bundle = (custom_cert_bundle ?? []) as readonly Body[];
    const all = [custom_certificate, ...bundle.map((each) => each.custom_certificate)].filter(
      (pem) => pem !== undefined,
    );
    if (all.length === 0) return {};
    for (const pem of all) readCertificate(pem, 1434, "/ssl/custom_certificate");
    return { uploaded: all.map((pem) => ({ id: uuidOf(this.store.ids.next()), certificate: text(pem) })) };
  }

  private toResult(zone: string, hostname: Hostname): ApiResult {
    return hostnameResult(zone, hostname, this.stored.get(zone), this.clock.now());
  }

  private find(zone: string, id: string): Hostname {
    const found = this.stored.hostnames.get(zone, id);
    if (found === undefined) throw refuse(404, 1436, "The custom hostname was not found");
    return found;
  }

  private findUploaded(zone: string, id: string, certificateId: string): [Hostname, Uploaded] {
    const found = this.find(zone, id);
    const certificate = found.uploaded?.find((each) => each.id === certificateId);
    if (certificate === undefined) throw refuse(404, 1436, `The certificate ${certificateId} was not found`);
    return [found, certificate];
  }

  private put(zone: string, hostname: Hostname): void {
    this.stored.hostnames.put(zone, hostname.id, hostname);
  }
}

/** Certificates are stored separately, keys not at all. */
function withoutCertificates(ssl: Body): Body {
  const { custom_certificate: _certificate, custom_key: _key, custom_cert_bundle: _bundle, ...rest } = ssl;
  return rest;
}

function otherFields({ ssl: _ssl, hostname: _hostname, ...rest }: Body): Body {
  return rest;
}

function matches(
  hostname: Hostname,
  query: Query,
  sslStatus: (hostname: Hostname) => string,
  authority: () => string,
): boolean {
  const { hostname: name, ssl, rest } = hostname;
  const tests: [string | undefined, (value: string) => boolean][] = [
    [query.id, (value) => hostname.id === value],
    [query.hostname, (value) => name === value.toLowerCase()],
    [query["hostname.exact"], (value) => name === value.toLowerCase()],
    [query["hostname.contain"], (value) => name.includes(value.toLowerCase())],
    [query["hostname.startsWith"], (value) => name.startsWith(value.toLowerCase())],
    [query.hostname_status, (value) => hostnameStatus(hostname, sslStatus(hostname)) === value],
    [query.ssl_status, (value) => sslStatus(hostname) === value],
    [query.certificate_authority, (value) => ssl !== undefined && authority() === value],
    [query.wildcard, (value) => String(ssl?.wildcard) === value],
    [query.custom_origin_server, (value) => rest.custom_origin_server === value],
  ];
  return tests.every(([value, test]) => value === undefined || test(value));
}
