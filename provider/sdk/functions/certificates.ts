import type { HostnameFilter } from "../../../client/index.js";
import type { CertificatePack, CustomCertificate, CustomHostname, TotalTls } from "../../../core/model/certificates.js";
import { requireArguments } from "./arguments.js";
import { asOutput } from "./output.js";
import { viaOf, type LookupOptions } from "./options.js";
import { requestOnce } from "./request-once.js";
import { assessChain, type ZoneCertificates } from "../../../core/certificates/assess.js";
import type { ChainAssessment } from "../../../core/certificates/assessment.js";

/**
 * Every certificate pack of a zone with its authority, active or not, all pages. Also makes its requests in previews.
 * Throws an `ApiError` when a request fails.
 */
export async function listCertificatePacks(zoneId: string, opts?: LookupOptions): Promise<CertificatePack[]> {
  requireArguments("listCertificatePacks", { zoneId });
  return requestOnce(viaOf("listCertificatePacks", opts), ["certificate packs", zoneId], ({ certificates }) =>
    certificates.listPacks(zoneId),
  );
}

/** {@link listCertificatePacks} with outputs. */
export const listCertificatePacksOutput = asOutput(listCertificatePacks);

/** Every certificate that was uploaded to a zone, with its issuer and bundle method, all pages. */
export async function listCustomCertificates(zoneId: string, opts?: LookupOptions): Promise<CustomCertificate[]> {
  requireArguments("listCustomCertificates", { zoneId });
  return requestOnce(viaOf("listCustomCertificates", opts), ["custom certificates", zoneId], ({ certificates }) =>
    certificates.listCustomCertificates(zoneId),
  );
}

/** {@link listCustomCertificates} with outputs. */
export const listCustomCertificatesOutput = asOutput(listCustomCertificates);

/** Every custom hostname of a zone with its authority, all pages; or those that match a filter. */
export async function listCustomHostnames(
  zoneId: string,
  filter: HostnameFilter = {},
  opts?: LookupOptions,
): Promise<CustomHostname[]> {
  requireArguments("listCustomHostnames", { ...filter, zoneId });
  return requestOnce(viaOf("listCustomHostnames", opts), ["custom hostnames", zoneId, filter], ({ customHostnames }) =>
    customHostnames.list(zoneId, filter),
  );
}

/** {@link listCustomHostnames} with outputs. */
export const listCustomHostnamesOutput = asOutput(listCustomHostnames, 2);

/** Total TLS of a zone with its authority. */
export async function getTotalTls(zoneId: string, opts?: LookupOptions): Promise<TotalTls> {
  requireArguments("getTotalTls", { zoneId });
  return requestOnce(viaOf("getTotalTls", opts), ["total TLS", zoneId], ({ certificates }) =>
    certificates.getTotalTls(zoneId),
  );
}

/** {@link getTotalTls} with outputs. */
export const getTotalTlsOutput = asOutput(getTotalTls);

/**
 * Assesses every certificate of a zone against the rules of the chain change, at any date. Certificates of other
 * authorities, and those that are expired, deleted or failed, are not affected. Makes no requests.
 * @param at defaults to now
 */
export function assessCertificateChain(certificates: ZoneCertificates, at: Date = new Date()): ChainAssessment[] {
  return assessChain(certificates, at);
}
