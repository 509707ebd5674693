import { bodyOf, RawResponse, Paged, param, zoneOf, type Call, type Route, type Body } from "../call.js";
import type { GroupDefinition } from "../group-definition.js";
import { ownValue } from "../lookup.js";
import { pageOf } from "../pages.js";
import { CustomCertificatesService } from "./custom.js";
import { HostnamesService } from "./hostnames.js";
import { PacksService } from "./packs.js";
import { certificatesOf, certificatesSeed, type CertificatesZoneSeed } from "./seed.js";
import type { EmulatorClock } from "../clock.js";
import { refuse } from "../failure.js";
import { checkFallback, checkTotalTls, checkUniversal } from "./bodies.js";
import type { StoredCertificates } from "./stored.js";

const ZONE = "/zones/:owner";
const HOSTNAMES = `${ZONE}/custom_hostnames`;
const HOSTNAME = `${HOSTNAMES}/:hostname`;
const UPLOADED = `${HOSTNAME}/certificate_pack/:pack/certificates/:certificate`;
const FALLBACK = `${HOSTNAMES}/fallback_origin`;
const PACKS = `${ZONE}/ssl/certificate_packs`;
const CUSTOM = `${ZONE}/custom_certificates`;
const VERIFICATION = `${ZONE}/ssl/verification`;
const UNIVERSAL = `${ZONE}/ssl/universal/settings`;
const TOTAL_TLS = `${ZONE}/acm/total_tls`;

/** Custom hostnames, packs, uploaded certificates, Total TLS and related settings. */
export const certificates: GroupDefinition<object, CertificatesZoneSeed> = {
  seed: certificatesSeed,
  build: ({ store, clock, storedCertificates: stored }) => {
    const hostnames = new HostnamesService(store, stored, clock);
    const custom = new CustomCertificatesService(store, stored, clock);
    const settings = new CertificateSettingsService(stored, clock);
    return {
      codes: { malformed: 1400, other: 1400 },
      routes: [
        ...hostnameRoutes(hostnames),
        ...packRoutes(new PacksService(store, stored, clock)),
        ...customRoutes(custom),
        ...settingRoutes(settings),
      ],
      addZone: (zone, seed) => {
        if (seed.certificates !== undefined) stored.fill(zone.id, certificatesOf(zone, clock.now(), seed.certificates));
      },
      caaOf: (name) =>
        store.zones
          .in("")
          .map(({ id }) => ownValue(stored.get(id).caa, name))
          .find((found) => found !== undefined),
      controls: [
        [
          "POST",
          "/zones/:owner/certificates",
          (call) => {
            hostnames.setControls(zoneOf(call), bodyOf(call));
            return custom.chains(zoneOf(call));
          },
        ],
      ],
    };
  },
};

function paged(call: Call, all: readonly unknown[], most: number): Paged {
  return Paged.of(pageOf(all, call.query, { most }));
}

const hostnameRoutes = (hostnames: HostnamesService): readonly Route[] => [
  ["GET", HOSTNAMES, (call) => Paged.of(hostnames.list(zoneOf(call), call.query))],
  ["POST", HOSTNAMES, (call) => hostnames.create(zoneOf(call), bodyOf(call))],
  ["GET", `${HOSTNAMES}/quota`, (call) => hostnames.quota(zoneOf(call))],
  ["GET", HOSTNAME, (call) => hostnames.get(zoneOf(call), param(call, "hostname"))],
  ["PATCH", HOSTNAME, (call) => hostnames.update(zoneOf(call), param(call, "hostname"), bodyOf(call))],
  ["DELETE", HOSTNAME, (call) => new RawResponse(hostnames.delete(zoneOf(call), param(call, "hostname")))],
  [
    "PUT",
    UPLOADED,
    (call) =>
      hostnames.replaceCertificate(zoneOf(call), param(call, "hostname"), param(call, "certificate"), bodyOf(call)),
  ],
  [
    "DELETE",
    UPLOADED,
    (call) =>
      new RawResponse(hostnames.deleteCertificate(zoneOf(call), param(call, "hostname"), param(call, "certificate"))),
  ],
];

const packRoutes = (packs: PacksService): readonly Route[] => [
  ["GET", PACKS, (call) => paged(call, packs.list(zoneOf(call), call.query), 50)],
  ["POST", `${PACKS}/order`, (call) => packs.order(zoneOf(call), bodyOf(call))],
  ["GET", `${PACKS}/quota`, (call) => packs.quota(zoneOf(call))],
  ["GET", `${PACKS}/:pack`, (call) => packs.get(zoneOf(call), param(call, "pack"))],
  [
    "PATCH",
    `${PACKS}/:pack`,
    (call) => packs.update(zoneOf(call), param(call, "pack"), call.sent === undefined ? {} : bodyOf(call)),
  ],
  ["DELETE", `${PACKS}/:pack`, (call) => packs.delete(zoneOf(call), param(call, "pack"))],
  ["GET", VERIFICATION, (call) => packs.verifications(zoneOf(call))],
  ["PATCH", `${VERIFICATION}/:pack`, (call) => packs.verify(zoneOf(call), param(call, "pack"), bodyOf(call))],
];

const customRoutes = (custom: CustomCertificatesService): readonly Route[] => [
  ["GET", CUSTOM, (call) => paged(call, custom.list(zoneOf(call), call.query), 50)],
  ["POST", CUSTOM, (call) => custom.upload(zoneOf(call), bodyOf(call))],
  ["PUT", `${CUSTOM}/prioritize`, (call) => custom.prioritize(zoneOf(call), bodyOf(call))],
  ["GET", `${CUSTOM}/:custom`, (call) => custom.get(zoneOf(call), param(call, "custom"))],
  ["PATCH", `${CUSTOM}/:custom`, (call) => custom.update(zoneOf(call), param(call, "custom"), bodyOf(call))],
  ["DELETE", `${CUSTOM}/:custom`, (call) => custom.delete(zoneOf(call), param(call, "custom"))],
];

const settingRoutes = (settings: CertificateSettingsService): readonly Route[] => [
  ["GET", FALLBACK, (call) => settings.fallbackOrigin(zoneOf(call))],
  ["PUT", FALLBACK, (call) => settings.setFallbackOrigin(zoneOf(call), bodyOf(call))],
  ["DELETE", FALLBACK, (call) => settings.deleteFallbackOrigin(zoneOf(call))],
  ["GET", UNIVERSAL, (call) => settings.universal(zoneOf(call))],
  ["PATCH", UNIVERSAL, (call) => settings.setUniversal(zoneOf(call), bodyOf(call))],
  ["GET", TOTAL_TLS, (call) => settings.totalTls(zoneOf(call))],
  ["POST", TOTAL_TLS, (call) => settings.setTotalTls(zoneOf(call), bodyOf(call))],
];

/** The settings that a zone has once: Total TLS, Universal SSL and the fallback origin. */
class CertificateSettingsService {
  constructor(
    private readonly stored: StoredCertificates,
    private readonly clock: EmulatorClock,
  ) {}

  totalTls(zone: string): object {
    const { totalTls } = this.stored.get(zone);
    return { ...totalTls, validity_period: 90, status: totalTls.enabled ? "enabled" : "disabled" };
  }
  setTotalTls(zone: string, sent: Body): object {
    const change = checkTotalTls(sent) as { enabled: boolean; certificate_authority?: string };
    this.stored.change(zone, { totalTls: { ...this.stored.get(zone).totalTls, ...change } });
    return this.totalTls(zone);
  }

  universal(zone: string): object {
    return { enabled: this.stored.get(zone).universalEnabled };
  }
  setUniversal(zone: string, sent: Body): object {
    const { enabled } = checkUniversal(sent) as { enabled?: boolean };
    if (enabled !== undefined) this.stored.change(zone, { universalEnabled: enabled });
    return this.universal(zone);
  }

  fallbackOrigin(zone: string): object {
    const { fallbackOrigin } = this.stored.get(zone);
    if (fallbackOrigin === undefined) throw refuse(404, 1551, "No fallback origin is set");
    return fallbackOrigin;
  }
  setFallbackOrigin(zone: string, sent: Body): object {
    const { origin } = checkFallback(sent);
    const now = this.clock.timestamp();
    this.stored.change(zone, { fallbackOrigin: { origin, status: "active", created_at: now, updated_at: now } });
    return this.fallbackOrigin(zone);
  }
  deleteFallbackOrigin(zone: string): object {
    const gone = this.fallbackOrigin(zone);
    this.stored.change(zone, { fallbackOrigin: undefined });
    return { ...gone, status: "pending_deletion" };
  }
}
