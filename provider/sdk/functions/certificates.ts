import type { HostnameFilter } from "../../../client/index.js";
import { assessChain, type ZoneCertificates } from "../../../core/certificates/assess.js";
import type { ChainAssessment } from "../../../core/certificates/assessment.js";
import type { CertificatePack, CustomCertificate, CustomHostname, TotalTls } from "../../../core/model/certificates.js";
import { ZONE_ID } from "./arguments.js";
import { asOutput, lookup } from "./lookup.js";
import { ASSESSMENT, CUSTOM_CERTIFICATE, HOSTNAME, listOf, PACK, TOTAL_TLS } from "./results.js";
import { requestOnce, type Via } from "./via.js";

/** Arguments of the look-ups of a zone's certificates. */
export interface ZoneCertificatesArgs {
  readonly zoneId: string;
}

const packsOf = (via: Via, zoneId: string): Promise<CertificatePack[]> =>
  requestOnce(via, ["certificate packs", zoneId], ({ certificates }) => certificates.listPacks(zoneId));

const customCertificatesOf = (via: Via, zoneId: string): Promise<CustomCertificate[]> =>
  requestOnce(via, ["custom certificates", zoneId], ({ certificates }) => certificates.listCustomCertificates(zoneId));

const hostnamesOf = (via: Via, zoneId: string, filter: HostnameFilter): Promise<CustomHostname[]> =>
  requestOnce(via, ["custom hostnames", zoneId, filter], ({ customHostnames }) => customHostnames.list(zoneId, filter));

const totalTlsOf = (via: Via, zoneId: string): Promise<TotalTls> =>
  requestOnce(via, ["total TLS", zoneId], ({ certificates }) => certificates.getTotalTls(zoneId));

/**
 * Every certificate pack of a zone with its authority, active or not, all pages. Also makes its requests in previews.
 * Throws an `ApiError` when a request fails.
 */
export const listCertificatePacks = lookup<ZoneCertificatesArgs, CertificatePack[]>(
  {
    name: "listCertificatePacks",
    text: "Every certificate pack of a zone with its authority, active or not, all pages.",
    arguments: ZONE_ID,
    result: { packs: listOf(PACK, "The packs.") },
  },
  ({ zoneId }, via) => packsOf(via, zoneId),
);

/** {@link listCertificatePacks} with outputs. */
export const listCertificatePacksOutput = asOutput(listCertificatePacks);

/** Every certificate that was uploaded to a zone, with its issuer and bundle method, all pages. */
export const listCustomCertificates = lookup<ZoneCertificatesArgs, CustomCertificate[]>(
  {
    name: "listCustomCertificates",
    text: "Every certificate that was uploaded to a zone, all pages.",
    arguments: ZONE_ID,
    result: { certificates: listOf(CUSTOM_CERTIFICATE, "The certificates.") },
  },
  ({ zoneId }, via) => customCertificatesOf(via, zoneId),
);

/** {@link listCustomCertificates} with outputs. */
export const listCustomCertificatesOutput = asOutput(listCustomCertificates);

/** Arguments of {@link listCustomHostnames}. */
export type ListCustomHostnamesArgs = ZoneCertificatesArgs & HostnameFilter;

/** Every custom hostname of a zone with its authority, all pages; or those that match a filter. */
export const listCustomHostnames = lookup<ListCustomHostnamesArgs, CustomHostname[]>(
  {
    name: "listCustomHostnames",
    text: "Every custom hostname of a zone with its authority, all pages; or those that match a filter.",
    arguments: {
      ...ZONE_ID,
      hostname: { type: "string", text: "Only the hostname with this name." },
      certificateAuthority: { type: "string", text: "Only hostnames with this authority." },
      sslStatus: { type: "string", text: "Only hostnames whose certificate has this status." },
    },
    result: { hostnames: listOf(HOSTNAME, "The hostnames.") },
  },
  ({ zoneId, ...filter }, via) => hostnamesOf(via, zoneId, filter),
);

/** {@link listCustomHostnames} with outputs. */
export const listCustomHostnamesOutput = asOutput(listCustomHostnames);

/** Total TLS of a zone with its authority. */
export const getTotalTls = lookup<ZoneCertificatesArgs, TotalTls>(
  { name: "getTotalTls", text: "Total TLS of a zone with its authority.", arguments: ZONE_ID, result: TOTAL_TLS },
  ({ zoneId }, via) => totalTlsOf(via, zoneId),
);

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

/** {@link assessCertificateChain} for programs in other languages, which get what it assesses at once. */
export const assessZone = lookup<{ readonly zoneId: string; readonly at?: string }, ChainAssessment[]>(
  {
    name: "assessCertificateChain",
    text: "What the certificate chain change means for every certificate of a zone. Reads them all.",
    arguments: { ...ZONE_ID, at: { type: "string", text: "RFC 3339: the date for which to assess. Default: now." } },
    result: { assessments: listOf(ASSESSMENT, "One for each certificate.") },
  },
  async ({ zoneId, at }, via) => {
    const [packs, customCertificates, customHostnames, totalTls] = await Promise.all([
      packsOf(via, zoneId),
      customCertificatesOf(via, zoneId),
      hostnamesOf(via, zoneId, {}),
      totalTlsOf(via, zoneId),
    ]);
    const certificates = { zoneId, packs, customCertificates, customHostnames, totalTls };
    return assessCertificateChain(certificates, at === undefined ? undefined : new Date(at));
  },
);
