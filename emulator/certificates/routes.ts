import { bodyOf, Bare, Paged, part, zoneOf, type Call, type Route } from "../call.js";
import type { Group } from "../group.js";
import type { EmulatorClock } from "../clock.js";
import { pageOf } from "../pages.js";
import type { Store } from "../store/store.js";
import { HostnamesService } from "./hostnames.js";
import { certificatesOf } from "./seed.js";
import { CertificatesService } from "./service.js";
import { StoredCertificates } from "./stored.js";

const ZONE = "/zones/:owner";
const HOSTNAMES = `${ZONE}/custom_hostnames`;
const HOSTNAME = `${HOSTNAMES}/:hostname`;
const FALLBACK = `${HOSTNAMES}/fallback_origin`;
const PACKS = `${ZONE}/ssl/certificate_packs`;
const CUSTOM = `${ZONE}/custom_certificates`;

function paged(call: Call, all: readonly unknown[], most: number): Paged {
  const { result, info } = pageOf(all, call.query, { most });
  return new Paged(result, info);
}

/** Custom hostnames, packs, uploaded certificates, Total TLS and what stands around them. */
export function certificates(store: Store, clock: EmulatorClock): Group {
  const stored = new StoredCertificates(store);
  const hostnames = new HostnamesService(store, stored, clock);
  const issued = new CertificatesService(store, stored, clock);
  return {
    routes: [...hostnameRoutes(hostnames, issued), ...certificateRoutes(issued)],
    addZone: (zone, seed) => {
      stored.fill(zone.id, certificatesOf(zone, seed.certificates));
    },
    addEarlier: (saved) => {
      for (const [zone, { hostnames, ...rest }] of saved.certificates ?? [])
        stored.fill(zone, { ...rest, hostnames: hostnames.map(([, hostname]) => hostname) });
    },
    controls: [
      [
        "POST",
        "/zones/:owner/certificates",
        (call) => {
          hostnames.steer(zoneOf(call), call.sent ?? {});
          return issued.chains(zoneOf(call));
        },
      ],
    ],
  };
}

const hostnameRoutes = (hostnames: HostnamesService, certificates: CertificatesService): readonly Route[] => [
  ["GET", FALLBACK, (call) => certificates.fallbackOrigin(zoneOf(call))],
  ["PUT", FALLBACK, (call) => certificates.setFallbackOrigin(zoneOf(call), bodyOf(call))],
  ["DELETE", FALLBACK, (call) => certificates.deleteFallbackOrigin(zoneOf(call))],
  ["GET", HOSTNAMES, (call) => paged(call, hostnames.list(zoneOf(call), call.query), 1000)],
  ["POST", HOSTNAMES, (call) => hostnames.create(zoneOf(call), bodyOf(call))],
  ["GET", HOSTNAME, (call) => hostnames.get(zoneOf(call), part(call, "hostname"))],
  ["PATCH", HOSTNAME, (call) => hostnames.update(zoneOf(call), part(call, "hostname"), bodyOf(call))],
  ["DELETE", HOSTNAME, (call) => new Bare(hostnames.delete(zoneOf(call), part(call, "hostname")))],
];

const certificateRoutes = (certificates: CertificatesService): readonly Route[] => [
  ["GET", PACKS, (call) => paged(call, certificates.packs(zoneOf(call), call.query), 50)],
  ["POST", `${PACKS}/order`, (call) => certificates.orderPack(zoneOf(call), bodyOf(call))],
  ["GET", `${PACKS}/:pack`, (call) => certificates.pack(zoneOf(call), part(call, "pack"))],
  ["PATCH", `${PACKS}/:pack`, (call) => certificates.updatePack(zoneOf(call), part(call, "pack"), bodyOf(call))],
  ["DELETE", `${PACKS}/:pack`, (call) => certificates.deletePack(zoneOf(call), part(call, "pack"))],
  ["GET", `${ZONE}/ssl/universal/settings`, (call) => certificates.universal(zoneOf(call))],
  ["PATCH", `${ZONE}/ssl/universal/settings`, (call) => certificates.setUniversal(zoneOf(call), bodyOf(call))],
  ["GET", CUSTOM, (call) => paged(call, certificates.customs(zoneOf(call), call.query), 50)],
  ["POST", CUSTOM, (call) => certificates.uploadCustom(zoneOf(call), bodyOf(call))],
  ["GET", `${CUSTOM}/:custom`, (call) => certificates.custom(zoneOf(call), part(call, "custom"))],
  ["PATCH", `${CUSTOM}/:custom`, (call) => certificates.updateCustom(zoneOf(call), part(call, "custom"), bodyOf(call))],
  ["DELETE", `${CUSTOM}/:custom`, (call) => certificates.deleteCustom(zoneOf(call), part(call, "custom"))],
  ["GET", `${ZONE}/acm/total_tls`, (call) => certificates.totalTls(zoneOf(call))],
  ["POST", `${ZONE}/acm/total_tls`, (call) => certificates.setTotalTls(zoneOf(call), bodyOf(call))],
];
