import type { Answer, Body, Query } from "../call.js";
import type { EmulatorClock } from "../clock.js";
import { refuse, type ServiceError } from "../failure.js";
import type { Store } from "../store/store.js";
import { effectiveAuthority, sslStatus, validationRecords } from "./life.js";
import type { CertificateSettings, Hostname } from "./model.js";
import type { StoredCertificates } from "./stored.js";

const AUTHORITIES = ["", "digicert", "google", "lets_encrypt", "ssl_com"];
const METHODS = ["http", "txt", "email", "cname"];
const BUNDLES = ["ubiquitous", "optimal", "force"];
const BESIDE_SSL = ["custom_metadata", "custom_origin_server", "custom_origin_sni"];

/** Custom hostnames with the whole life of their certificates. */
export class HostnamesService {
  constructor(
    private readonly store: Store,
    private readonly stored: StoredCertificates,
    private readonly clock: EmulatorClock,
  ) {}

  list(zone: string, query: Query): Answer[] {
    if (query.hostname !== undefined && query.id !== undefined)
      throw refuse(400, 1435, "hostname and id exclude each other");
    const all = this.stored.hostnames.in(zone).map((item) => ({ item, answer: this.answer(zone, item) }));
    const found = all.filter(({ answer }) => matches(answer, query));
    const sorted = query.order === "ssl_status" || query.order === "ssl" ? sortedByStatus(found) : found;
    return (query.direction === "desc" ? sorted.reverse() : sorted).map(({ answer }) => answer);
  }

  get(zone: string, id: string): Answer {
    const found = this.find(zone, id);
    const { issuance } = found;
    if (issuance !== undefined) {
      this.put(zone, { ...found, issuance: { ...issuance, reads: issuance.reads + 1 } });
    }
    return this.answer(zone, found);
  }

  create(zone: string, body: Body): Answer {
    const { hostnameQuota } = this.stored.get(zone);
    const { hostname } = body;
    if (typeof hostname !== "string" || !/^[a-z0-9*]([a-z0-9.-]*[a-z0-9])?$/i.test(hostname))
      throw refuse(400, 1407, "Invalid custom hostname. Custom hostnames must be valid domain names");
    if (this.stored.hasHostname(zone, hostname)) throw refuse(409, 1406, "Duplicate custom hostname found");
    if (hostnameQuota === 0) throw refuse(403, 1404, "Custom hostnames are not included in this plan");
    if (this.stored.hostnames.count(zone) >= hostnameQuota)
      throw refuse(403, 1405, "No more custom hostnames can be created: the quota is used up");
    const ssl = checkSsl(body.ssl ?? { method: "http", type: "dv" });
    const { certificate_authority, ...settings } = ssl;
    const created: Hostname = {
      id: this.store.ids.next(),
      hostname,
      status: "pending",
      createdAt: this.clock.timestamp(),
      authority: text(certificate_authority),
      ssl: { bundle_method: "ubiquitous", wildcard: false, ...settings },
      rest: beside(body),
      issuance: { since: this.clock.now(), reads: 0 },
      ends: "active",
      round: 1,
      locked: false,
    };
    this.put(zone, created);
    return this.answer(zone, created);
  }

  /** An edit. One with `ssl` always validates anew, even when it says what is there already. */
  update(zone: string, id: string, body: Body): Answer {
    const found = this.find(zone, id);
    if (found.locked) throw refuse(409, 1439, "Modifying this custom hostname is not supported");
    const rest = { ...found.rest, ...beside(body) };
    if (body.ssl === undefined) {
      this.put(zone, { ...found, rest });
      return this.answer(zone, { ...found, rest });
    }
    const ssl = checkSsl(body.ssl);
    const { certificate_authority, ...settings } = ssl;
    const authority = certificate_authority === undefined ? found.authority : text(certificate_authority);
    const changes = certificate_authority !== undefined && authority !== found.authority;
    if (changes && (ssl.method === undefined || ssl.type === undefined))
      throw refuse(
        400,
        1440,
        "Both validation type and validation method are required when the certificate authority changes",
      );
    // Nobody has documented what becomes of settings that are left out. Here they are reset, so that who forgets them sees it.
    const changed: Hostname = {
      ...found,
      rest,
      authority,
      ssl: {
        method: found.ssl.method,
        type: found.ssl.type,
        bundle_method: "ubiquitous",
        wildcard: false,
        ...settings,
      },
      issuance: { since: this.clock.now(), reads: 0 },
      round: found.round + 1,
    };
    this.put(zone, changed);
    return this.answer(zone, changed);
  }

  delete(zone: string, id: string): { id: string } {
    this.find(zone, id);
    this.stored.hostnames.delete(zone, id);
    return { id };
  }

  /** What a test decides: where the way of a hostname ends, and what CAA records there are. */
  steer(
    zone: string,
    change: Partial<Pick<CertificateSettings, "caa" | "pace" | "hostnameQuota">> & { ends?: string },
  ): void {
    const { ends, ...rest } = change;
    this.stored.change(zone, rest);
    if (ends === undefined) return;
    for (const hostname of this.stored.hostnames.in(zone)) this.put(zone, { ...hostname, ends });
  }

  private answer(zone: string, hostname: Hostname): Answer {
    const { pace, caa } = this.stored.get(zone);
    const status = sslStatus(hostname, pace, this.clock.now());
    const records = validationRecords(hostname, status);
    const errors = status.endsWith("_timed_out")
      ? [{ message: `the certificate could not be issued: ${status}` }]
      : undefined;
    const authority = effectiveAuthority(hostname, caa);
    return {
      id: hostname.id,
      hostname: hostname.hostname,
      status: hostname.status === "pending" && status === "active" ? "active" : hostname.status,
      created_at: hostname.createdAt,
      ...hostname.rest,
      ssl: {
        id: `${hostname.id}-ssl`,
        ...hostname.ssl,
        status,
        certificate_authority: authority,
        ...(records === undefined ? {} : { validation_records: records }),
        ...(errors === undefined ? {} : { validation_errors: errors }),
        ...(status === "active" ? issued(hostname, authority) : {}),
      },
    };
  }

  private find(zone: string, id: string): Hostname {
    const found = this.stored.hostnames.get(zone, id);
    if (found === undefined) throw refuse(404, 1436, "The custom hostname was not found");
    return found;
  }

  private put(zone: string, hostname: Hostname): void {
    this.stored.hostnames.put(zone, hostname.id, hostname);
  }
}

const ISSUERS: Readonly<Record<string, string>> = {
  google: "GoogleTrustServices",
  lets_encrypt: "LetsEncrypt",
  ssl_com: "SSLCorp",
  digicert: "DigiCertInc",
};

function issued({ hostname }: Hostname, authority: string): Answer {
  return {
    issuer: ISSUERS[authority] ?? authority,
    hosts: [hostname],
    signature: "ECDSAWithSHA256",
    uploaded_on: "2024-05-01T00:00:00Z",
    expires_on: "2026-12-31T00:00:00Z",
  };
}

function checkSsl(sent: unknown): Body {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent))
    throw refuse(400, 1434, "Invalid ssl object", "/ssl");
  const ssl = sent as Body;
  const { method, type, bundle_method, certificate_authority } = ssl;
  if (method !== undefined && !METHODS.includes(text(method)))
    throw refuse(400, 1432, "Invalid ssl method", "/ssl/method");
  if (type !== undefined && type !== "dv") throw refuse(400, 1433, "Invalid ssl type", "/ssl/type");
  if (bundle_method !== undefined && !BUNDLES.includes(text(bundle_method)))
    throw refuse(400, 1449, "Invalid ssl bundle_method", "/ssl/bundle_method");
  if (certificate_authority !== undefined && !AUTHORITIES.includes(text(certificate_authority, "?")))
    throw unknownAuthority();
  return ssl;
}

function unknownAuthority(): ServiceError {
  return refuse(400, 1434, "Invalid ssl certificate_authority", "/ssl/certificate_authority");
}

function beside(body: Body): Body {
  return Object.fromEntries(BESIDE_SSL.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])));
}

function matches(answer: Answer, query: Query): boolean {
  const ssl = answer.ssl as Readonly<Record<string, unknown>>;
  const hostname = text(answer.hostname);
  const tests: [string | undefined, (value: string) => boolean][] = [
    [query.id, (value) => answer.id === value],
    [query.hostname, (value) => hostname === value],
    [query["hostname.exact"], (value) => hostname === value],
    [query["hostname.contain"], (value) => hostname.includes(value)],
    [query["hostname.startsWith"], (value) => hostname.startsWith(value)],
    [query.hostname_status, (value) => answer.status === value],
    [query.ssl_status, (value) => ssl.status === value],
    [query.certificate_authority, (value) => ssl.certificate_authority === value],
    [query.wildcard, (value) => String(ssl.wildcard) === value],
    [query.custom_origin_server, (value) => answer.custom_origin_server === value],
  ];
  return tests.every(([value, test]) => value === undefined || test(value));
}

function sortedByStatus<T extends { readonly answer: Answer }>(list: readonly T[]): T[] {
  const status = ({ answer }: T): string => text((answer.ssl as Answer).status);
  return list.toSorted((a, b) => status(a).localeCompare(status(b)));
}

function text(value: unknown, otherwise = ""): string {
  return typeof value === "string" ? value : otherwise;
}
