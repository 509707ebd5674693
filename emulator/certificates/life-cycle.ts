import { createHash } from "node:crypto";
import type { Body } from "../call.js";
import { ownValue } from "../lookup.js";
import type { CertificateSettings, Hostname, Issuance, Issued, Pace } from "./model.js";

/** The statuses of a successful certificate. */
const SUCCESS_STATUSES = ["initializing", "pending_validation", "pending_issuance", "pending_deployment", "active"];
/** The index of the status from which each failure branches off. */
const FAILURE_STATUSES: Readonly<Record<string, number>> = {
  initializing_timed_out: 1,
  validation_timed_out: 2,
  issuance_timed_out: 3,
  deployment_timed_out: 4,
};
/** How a certificate ends that CAA records forbid to issue. */
const FORBIDDEN = "issuance_timed_out";
const DAY = 86_400_000;

/** The statuses of a certificate; the last one is final. */
function statusesOf({ ends: end = "active", isForbidden = false }: Issued): readonly string[] {
  const ends = isForbidden && end === "active" ? FORBIDDEN : end;
  if (ends === "active") return SUCCESS_STATUSES;
  return [...SUCCESS_STATUSES.slice(0, ownValue(FAILURE_STATUSES, ends) ?? SUCCESS_STATUSES.length), ends];
}

/** Whether a certificate stays in a status until it is issued again. */
export function isFinal(status: string): boolean {
  return status === "active" || !SUCCESS_STATUSES.includes(status);
}

/** The number of steps since validation began. */
export function countSteps(pace: Pace, { since, reads }: Issuance, now: number): number {
  if (pace === "at-once") return Number.MAX_SAFE_INTEGER;
  if ("reads" in pace) return Math.floor(reads / pace.reads);
  return Math.floor((now - since) / (pace.seconds * 1000));
}

/** The status of a certificate at a given time. */
export function statusOf(issued: Issued, pace: Pace, now: number): string {
  const way = statusesOf(issued);
  const last = way.at(-1) ?? "active";
  if (issued.issuance === undefined) return last;
  return way[Math.max(0, Math.min(countSteps(pace, issued.issuance, now), way.length - 1))] ?? last;
}

/** Dates and serial number of an issued certificate. */
interface CertificateDates {
  readonly uploadedOn: string;
  readonly expiresOn: string;
  readonly serial: string;
}

/** The current certificate at a given time. It is renewed after two thirds of its lifetime. */
export function datesOf(id: string, issued: Issued, pace: Pace, now: number, validDays = 90): CertificateDates {
  const { issuance, createdAt, round = 1 } = issued;
  const waited =
    typeof pace === "object" && "seconds" in pace ? (SUCCESS_STATUSES.length - 1) * pace.seconds * 1000 : 0;
  const first = issuance === undefined ? Date.parse(createdAt ?? "") || 0 : issuance.since + waited;
  const period = (validDays * DAY * 2) / 3;
  const renewals = Math.max(0, Math.floor((now - first) / period));
  const from = first + renewals * period;
  const digest = createHash("sha256")
    .update(`${id}/${String(round)}/${String(renewals)}`)
    .digest("hex");
  const serial = BigInt(`0x${digest.slice(0, 32)}`).toString();
  return { uploadedOn: dateText(from), expiresOn: dateText(from + validDays * DAY), serial };
}

function dateText(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}

interface Validated {
  readonly id: string;
  /** The name whose control must be proved. */
  readonly name: string;
  readonly method: unknown;
  readonly round?: number;
}

/** The records that prove control of a name; missing before the service has created them, and after they were used. */
export function validationRecords({ id, name, method, round = 1 }: Validated, status: string): Body[] | undefined {
  if (status === "initializing" || status === "active") return undefined;
  const value = `${id.slice(0, 16)}-${String(round)}`;
  if (method === "http") {
    const url = `http://${name}/.well-known/pki-validation/${value}.txt`;
    return [{ status: "pending", http_url: url, http_body: value }];
  }
  if (method === "email") return [{ status: "pending", emails: [`admin@${name}`, `hostmaster@${name}`] }];
  return [{ status: "pending", txt_name: `_acme-challenge.${name}`, txt_value: value }];
}

/** Why a certificate failed. */
export function validationErrors(status: string): { readonly message: string }[] | undefined {
  return status.endsWith("_timed_out") ? [{ message: `the certificate could not be issued: ${status}` }] : undefined;
}

/** A record that permanently lets the service prove control itself. */
export function delegationRecords(zone: string, name: string): object[] {
  return [{ cname: `_acme-challenge.${name}`, cname_target: `${name}.${zone.slice(0, 16)}.dcv.cloudflare.com` }];
}

/** The names of authorities in CAA records: https://developers.cloudflare.com/ssl/reference/certificate-authorities/. */
const CAA_NAMES: Readonly<Record<string, string>> = {
  google: "pki.goog",
  lets_encrypt: "letsencrypt.org",
  ssl_com: "ssl.com",
  digicert: "digicert.com",
};

/** Whether the CAA records of a hostname, or else of its nearest parent that has any, do not allow an authority to issue. */
function isForbidden(hostname: string, authority: string, caa: CertificateSettings["caa"]): boolean {
  const labels = hostname.split(".");
  const names = labels.map((_, index) => labels.slice(index).join("."));
  const records = names.map((name) => ownValue(caa, name)).find((found) => found !== undefined);
  const wanted = ownValue(CAA_NAMES, authority);
  return records !== undefined && wanted !== undefined && !records.includes(wanted);
}

/** The authority that the service chooses: the more compatible one, unless CAA records do not allow that one. */
export function effectiveAuthority({ authority, hostname }: AuthorityOf, caa: CertificateSettings["caa"]): string {
  if (authority !== "") return authority;
  return isForbidden(hostname, "google", caa) ? "lets_encrypt" : "google";
}

type AuthorityOf = Pick<Hostname, "authority" | "hostname">;

/** Whether CAA records do not allow the certificate that is being issued. */
export function isIssuanceForbidden(hostname: AuthorityOf, caa: CertificateSettings["caa"]): boolean {
  return isForbidden(hostname.hostname, effectiveAuthority(hostname, caa), caa);
}

const ISSUERS: Readonly<Record<string, string>> = {
  google: "GoogleTrustServices",
  lets_encrypt: "LetsEncrypt",
  ssl_com: "SSLCorp",
  digicert: "DigiCertInc",
};

/** The issuer in certificates of an authority. */
export function issuerOf(authority: string): string {
  return ownValue(ISSUERS, authority) ?? authority;
}
