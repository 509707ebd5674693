import { hash } from "node:crypto";
import { boolean, nonEmpty, listOf, oneOf, string } from "../body.js";
import { anyObject, count, exactly, namedAsByService, type Named, type SeedPart } from "../seed-part.js";
import { isIssuanceForbidden } from "./life-cycle.js";
import { paceSchema } from "./bodies.js";
import type { Certificates, Hostname, Pace, Pack } from "./model.js";
import { uuidOf } from "../store/ids.js";
import type { Stored } from "../stored.js";

/** A custom hostname of a zone. */
interface HostnameSeed {
  readonly hostname: string;
  /** Empty for the service's choice. @default "" */
  readonly certificateAuthority?: string;
  /** @default "txt" */
  readonly method?: string;
  /** @default "dv" */
  readonly type?: string;
  /** Status of the hostname itself. @default "active" */
  readonly status?: string;
  /** Final status of its certificate. @default "active" */
  readonly ends?: string;
  /** Whether its certificate is being issued at the start. @default false */
  readonly issuing?: boolean;
  /** Reject every edit with 1439. @default false */
  readonly locked?: boolean;
  /** Other fields of `ssl`, as the API names them: settings, wildcard, bundle_method; null for no certificate. */
  readonly ssl?: Readonly<Record<string, unknown>> | null;
  readonly customMetadata?: Readonly<Record<string, unknown>>;
  readonly customOriginServer?: string;
  readonly customOriginSni?: string;
}

/** A certificate pack. */
interface PackSeed {
  readonly type: string;
  /** @default the zone and its subdomains */
  readonly hosts?: readonly string[];
  /** @default "active" */
  readonly status?: string;
  /** @default "google" */
  readonly certificateAuthority?: string;
  /** @default "txt" */
  readonly validationMethod?: string;
  /** @default 90 */
  readonly validityDays?: number;
  /** Final status of the certificate. @default "active" */
  readonly ends?: string;
}

/** A certificate uploaded by the owner of the zone. */
interface CustomSeed {
  /** @default the zone */
  readonly hosts?: readonly string[];
  readonly issuer?: string;
  readonly signature?: string;
  /** @default "active" */
  readonly status?: string;
  /** @default "ubiquitous" */
  readonly bundleMethod?: string;
  /** @default 0 */
  readonly priority?: number;
  readonly uploadedOn?: string;
  /** @default when it was uploaded */
  readonly modifiedOn?: string;
  readonly expiresOn?: string;
}

/** Certificates of a zone. */
export interface CertificatesSeed {
  readonly hostnames?: readonly HostnameSeed[];
  /** How many hostnames the plan allows; with 0, creating one fails with 1404, above the quota with 1405. @default 50000 */
  readonly hostnameQuota?: number;
  /** How fast certificates progress. @default "at-once" */
  readonly pace?: Pace;
  /** CAA records by name: authorities that may issue, such as `letsencrypt.org`. @default none */
  readonly caa?: Readonly<Record<string, readonly string[]>>;
  readonly packs?: readonly PackSeed[];
  readonly custom?: readonly CustomSeed[];
  readonly totalTls?: { readonly enabled?: boolean; readonly certificateAuthority?: string };
}

/** What certificates add to the seed of a zone. */
export interface CertificatesZoneSeed {
  /** @default only a Universal SSL pack */
  readonly certificates?: CertificatesSeed;
}

const hostname = exactly<HostnameSeed>(
  {
    hostname: nonEmpty,
    certificateAuthority: oneOf("", "digicert", "google", "lets_encrypt", "ssl_com"),
    method: oneOf("http", "txt", "email", "cname"),
    type: string,
    status: nonEmpty,
    ends: nonEmpty,
    issuing: boolean,
    locked: boolean,
    ssl: { anyOf: [anyObject, { type: "null" }] },
    customMetadata: anyObject,
    customOriginServer: string,
    customOriginSni: string,
  },
  ["hostname"],
);

const pack = exactly<PackSeed>(
  {
    type: nonEmpty,
    hosts: listOf(nonEmpty),
    status: nonEmpty,
    certificateAuthority: nonEmpty,
    validationMethod: nonEmpty,
    validityDays: count,
    ends: nonEmpty,
  },
  ["type"],
);

const custom = exactly<CustomSeed>({
  hosts: listOf(nonEmpty),
  issuer: string,
  signature: string,
  status: nonEmpty,
  bundleMethod: nonEmpty,
  priority: { type: "number" },
  uploadedOn: nonEmpty,
  modifiedOn: nonEmpty,
  expiresOn: nonEmpty,
});

const certificates = exactly<CertificatesSeed>({
  hostnames: listOf(hostname),
  hostnameQuota: count,
  pace: paceSchema,
  caa: { type: "object", additionalProperties: listOf(string) },
  packs: listOf(pack),
  custom: listOf(custom),
  totalTls: exactly<NonNullable<CertificatesSeed["totalTls"]>>({ enabled: boolean, certificateAuthority: nonEmpty }),
});

export const certificatesSeed: SeedPart<object, CertificatesZoneSeed> = {
  properties: {},
  zoneProperties: { certificates },
};

const CREATED = "2024-01-15T10:00:00Z";
const EXPIRES = "2026-12-31T00:00:00Z";

/** The certificates of a zone from a seed; `now` is the time of the emulator, in milliseconds since the epoch. */
export function certificatesOf(zone: Named, now: number, seed: CertificatesSeed = {}): Certificates {
  return {
    hostnames: (seed.hostnames ?? []).map((item) => hostnameFrom(zone, item, now, seed.caa)),
    hostnameQuota: seed.hostnameQuota ?? 50_000,
    pace: seed.pace ?? "at-once",
    caa: seed.caa ?? {},
    ...(seed.packs === undefined ? {} : { packs: seed.packs.map((pack, index) => packFrom(zone, pack, index)) }),
    custom: (seed.custom ?? []).map((item, index) => customFrom(zone, item, index)),
    totalTls: {
      enabled: seed.totalTls?.enabled ?? false,
      certificate_authority: seed.totalTls?.certificateAuthority ?? "google",
    },
    universalEnabled: true,
  };
}

function idFrom(zone: Named, prefix: string, name: string): string {
  return hash("sha256", `${zone.id}/${prefix}/${name}`, "hex").slice(0, 32);
}

function hostnameFrom(zone: Named, item: HostnameSeed, now: number, caa: Certificates["caa"] = {}): Hostname {
  const { hostname, certificateAuthority, method, type, status, ends, locked, issuing, ssl, ...rest } = item;
  const authority = certificateAuthority ?? "";
  return {
    id: uuidOf(idFrom(zone, "hostname", hostname)),
    hostname,
    status: status ?? "active",
    createdAt: CREATED,
    authority,
    ...(ssl === null
      ? {}
      : { ssl: { method: method ?? "txt", type: type ?? "dv", bundle_method: "ubiquitous", wildcard: false, ...ssl } }),
    rest: namedAsByService(rest),
    ends: ends ?? "active",
    round: 1,
    locked: locked ?? false,
    ...(issuing === true
      ? { issuance: { since: now, reads: 0 }, isForbidden: isIssuanceForbidden({ authority, hostname }, caa) }
      : {}),
  };
}

/** The pack that every zone has, unless its seed lists packs. */
export function universalPack(zone: Named): Pack {
  return packFrom(zone, { type: "universal" }, 0);
}

function packFrom(zone: Named, pack: PackSeed, index: number): Pack {
  return {
    hosts: [zone.name, `*.${zone.name}`],
    validation_method: "txt",
    validity_days: 90,
    certificate_authority: "google",
    createdAt: CREATED,
    ...namedAsByService(pack),
    id: uuidOf(idFrom(zone, "pack", String(index))),
  };
}

function customFrom(zone: Named, item: CustomSeed, index: number): Stored {
  return {
    zone_id: zone.id,
    hosts: [zone.name],
    issuer: "Let's Encrypt",
    signature: "SHA256WithRSA",
    status: "active",
    bundle_method: "ubiquitous",
    priority: 0,
    uploaded_on: CREATED,
    modified_on: item.uploadedOn ?? CREATED,
    expires_on: EXPIRES,
    ...namedAsByService(item),
    id: idFrom(zone, "custom", String(index)),
  };
}
