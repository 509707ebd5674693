import { bodyOf, Bare, Paged, part, type Call, type Route } from "../call.js";
import { pageOf } from "../pages.js";

const ZONE = "/zones/:owner";
const HOSTNAMES = `${ZONE}/custom_hostnames`;
const HOSTNAME = `${HOSTNAMES}/:hostname`;
const FALLBACK = `${HOSTNAMES}/fallback_origin`;
const PACKS = `${ZONE}/ssl/certificate_packs`;
const CUSTOM = `${ZONE}/custom_certificates`;

const zoneOf = ({ owner }: Call): string => owner.id;

function paged(call: Call, all: readonly unknown[], most: number): Paged {
  const { result, info } = pageOf(all, call.query, { most });
  return new Paged(result, info);
}

/** Custom hostnames, packs, uploaded certificates, Total TLS and what stands around them. */
export const certificateRoutes: readonly Route[] = [
  ["GET", FALLBACK, (call) => call.certificates.fallbackOrigin(zoneOf(call))],
  ["PUT", FALLBACK, (call) => call.certificates.setFallbackOrigin(zoneOf(call), bodyOf(call))],
  ["DELETE", FALLBACK, (call) => call.certificates.deleteFallbackOrigin(zoneOf(call))],
  ["GET", HOSTNAMES, (call) => paged(call, call.hostnames.list(zoneOf(call), call.query), 1000)],
  ["POST", HOSTNAMES, (call) => call.hostnames.create(zoneOf(call), bodyOf(call))],
  ["GET", HOSTNAME, (call) => call.hostnames.get(zoneOf(call), part(call, "hostname"))],
  ["PATCH", HOSTNAME, (call) => call.hostnames.update(zoneOf(call), part(call, "hostname"), bodyOf(call))],
  ["DELETE", HOSTNAME, (call) => new Bare(call.hostnames.delete(zoneOf(call), part(call, "hostname")))],
  ["GET", PACKS, (call) => paged(call, call.certificates.packs(zoneOf(call), call.query), 50)],
  ["POST", `${PACKS}/order`, (call) => call.certificates.orderPack(zoneOf(call), bodyOf(call))],
  ["GET", `${PACKS}/:pack`, (call) => call.certificates.pack(zoneOf(call), part(call, "pack"))],
  ["PATCH", `${PACKS}/:pack`, (call) => call.certificates.updatePack(zoneOf(call), part(call, "pack"), bodyOf(call))],
  ["DELETE", `${PACKS}/:pack`, (call) => call.certificates.deletePack(zoneOf(call), part(call, "pack"))],
  ["GET", `${ZONE}/ssl/universal/settings`, (call) => call.certificates.universal(zoneOf(call))],
  ["PATCH", `${ZONE}/ssl/universal/settings`, (call) => call.certificates.setUniversal(zoneOf(call), bodyOf(call))],
  ["GET", CUSTOM, (call) => paged(call, call.certificates.customs(zoneOf(call), call.query), 50)],
  ["POST", CUSTOM, (call) => call.certificates.uploadCustom(zoneOf(call), bodyOf(call))],
  ["GET", `${CUSTOM}/:custom`, (call) => call.certificates.custom(zoneOf(call), part(call, "custom"))],
  [
    "PATCH",
    `${CUSTOM}/:custom`,
    (call) => call.certificates.updateCustom(zoneOf(call), part(call, "custom"), bodyOf(call)),
  ],
  ["DELETE", `${CUSTOM}/:custom`, (call) => call.certificates.deleteCustom(zoneOf(call), part(call, "custom"))],
  ["GET", `${ZONE}/acm/total_tls`, (call) => call.certificates.totalTls(zoneOf(call))],
  ["POST", `${ZONE}/acm/total_tls`, (call) => call.certificates.setTotalTls(zoneOf(call), bodyOf(call))],
];
