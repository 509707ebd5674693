import { createHash } from "node:crypto";
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
import type { CertificateSettings, Hostname } from "./model.js";
import { readCertificate } from "./uploaded.js";

/** A custom hostname as the service returns it at a given time. */
export function hostnameResult(
  zone: string,
  hostname: Hostname,
  settings: CertificateSettings,
  now: number,
): ApiResult {
  const { id, ssl, rest, createdAt, round } = hostname;
  const status = statusOf(hostname, settings.pace, now);
  const authority = effectiveAuthority(hostname, settings.caa);
  const records = validationRecords({ id, name: hostname.hostname, method: ssl.method, round }, status);
  const errors = validationErrors(status);
  return {
    id,
    hostname: hostname.hostname,
    status: hostnameStatus(hostname, status),
    created_at: createdAt,
    ...ownership(hostname),
    ...rest,
    ssl: {
      id: `${id}-ssl`,
      ...ssl,
      status,
      certificate_authority: authority,
      dcv_delegation_records: delegationRecords(zone, hostname.hostname),
      ...(records === undefined ? {} : { validation_records: records }),
      ...(errors === undefined ? {} : { validation_errors: errors }),
      ...(status === "active" ? issued(hostname, authority, settings, now) : {}),
    },
  };
}

/** A hostname becomes active together with its certificate. */
export function hostnameStatus({ status }: Hostname, ssl: string): string {
  return status === "pending" && ssl === "active" ? "active" : status;
}

/** How the customer proves ownership of the hostname. */
function ownership({ id, hostname }: Hostname): ApiResult {
  const token = uuid(`${id}/ownership`);
  return {
    ownership_verification: { type: "txt", name: `_cf-custom-hostname.${hostname}`, value: token },
    ownership_verification_http: {
      http_url: `http://${hostname}/.well-known/cf-custom-hostname-challenge/${id}`,
      http_body: token,
    },
  };
}

function issued(hostname: Hostname, authority: string, { pace }: CertificateSettings, now: number): ApiResult {
  const { id, ssl, uploaded } = hostname;
  const { uploadedOn, expiresOn, serial } = datesOf(id, hostname, pace, now);
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

function uuid(text: string): string {
  const digits = createHash("sha256").update(text).digest("hex");
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20, 32),
  ].join("-");
}
