import type { ApiResult } from "../call.js";
import {
  datesOf,
  delegationRecords,
  effectiveAuthority,
  issuerOf,
  statusOf,
  validationErrors,
  validationRecords,
} from "./life-cycle.js";
import type { CertificateSettings, Hostname, Pace } from "./model.js";
import { idFrom } from "../seed-part.js";
import { uuidOf } from "../store/ids.js";
import { readCertificate } from "./uploaded.js";

/** A custom hostname as the service returns it at a given time. */
export function hostnameResult(
  zone: string,
  hostname: Hostname,
  settings: CertificateSettings,
  now: number,
): ApiResult {
  const { id, rest, createdAt } = hostname;
  const sslStatus = sslStatusOf(hostname, settings.pace, now);
  const status = hostnameStatus(hostname, sslStatus);
  return {
    id,
    hostname: hostname.hostname,
    status,
    created_at: createdAt,
    ...(status === "pending" ? ownership(hostname) : {}),
    ...rest,
    ssl: hostname.ssl === undefined ? null : sslResult(zone, hostname, hostname.ssl, sslStatus, { settings, now }),
  };
}

/** The certificate of a hostname; one that waits for a TXT record also has its name and value beside the records. */
function sslResult(
  zone: string,
  hostname: Hostname,
  ssl: NonNullable<Hostname["ssl"]>,
  status: string,
  { settings, now }: { readonly settings: CertificateSettings; readonly now: number },
): ApiResult {
  const { id, hostname: name, round } = hostname;
  const authority = effectiveAuthority(hostname, settings.caa);
  const records = validationRecords({ id, name, method: ssl.method, round }, status);
  const [first] = records ?? [];
  const errors = validationErrors(status);
  return {
    id: uuidOf(idFrom(id, "ssl")),
    ...ssl,
    status,
    certificate_authority: authority,
    dcv_delegation_records: delegationRecords(zone, name),
    ...(first?.txt_name === undefined ? {} : { txt_name: first.txt_name, txt_value: first.txt_value }),
    ...(records === undefined ? {} : { validation_records: records }),
    ...(errors === undefined ? {} : { validation_errors: errors }),
    ...(status === "active" ? issued(hostname, ssl, authority, { settings, now }) : {}),
  };
}

/** The status of a hostname's certificate; empty if it has none. */
export function sslStatusOf(hostname: Hostname, pace: Pace, now: number): string {
  return hostname.ssl === undefined ? "" : statusOf(hostname, pace, now);
}

/** A hostname becomes active together with its certificate. */
export function hostnameStatus({ status }: Hostname, ssl: string): string {
  return status === "pending" && ssl === "active" ? "active" : status;
}

/** How the customer proves ownership of the hostname. */
function ownership({ id, hostname }: Hostname): ApiResult {
  const token = uuidOf(idFrom(id, "ownership"));
  return {
    ownership_verification: { type: "txt", name: `_cf-custom-hostname.${hostname}`, value: token },
    ownership_verification_http: {
      http_url: `http://${hostname}/.well-known/cf-custom-hostname-challenge/${id}`,
      http_body: token,
    },
  };
}

function issued(
  hostname: Hostname,
  ssl: NonNullable<Hostname["ssl"]>,
  authority: string,
  { settings, now }: { readonly settings: CertificateSettings; readonly now: number },
): ApiResult {
  const { id, uploaded } = hostname;
  const { uploadedOn, expiresOn, serial } = datesOf(id, hostname, settings.pace, now);
  const [own] = uploaded ?? [];
  if (own !== undefined) {
    const facts = readCertificate(own.certificate, 1434, "/ssl");
    return {
      hosts: facts.hosts,
      issuer: facts.issuer,
      signature: facts.signature,
      serial_number: facts.serial,
      uploaded_on: uploadedOn,
      expires_on: facts.expiresOn,
      certificates: (uploaded ?? []).map((each) => ({ id: each.id, ...described(each.certificate) })),
    };
  }
  return {
    hosts: [hostname.hostname, ...(ssl.wildcard === true ? [`*.${hostname.hostname}`] : [])],
    issuer: issuerOf(authority),
    signature: "ECDSAWithSHA256",
    serial_number: serial,
    uploaded_on: uploadedOn,
    expires_on: expiresOn,
  };
}

function described(certificate: string): ApiResult {
  const { issuer, serial, signature, expiresOn } = readCertificate(certificate, 1434, "/ssl");
  return { issuer, serial_number: serial, signature, expires_on: expiresOn };
}
