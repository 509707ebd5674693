import { hash } from "node:crypto";
import { boolean, nonEmpty, listOf, oneOf, string } from "../body.js";
import type { Schema } from "../schemas.js";
import { anyObject, count, exactly, type SeedPart } from "../seed-part.js";
import type { Zone } from "../zones/model.js";
import { paceSchema } from "./bodies.js";
import type { Certificates, Hostname, Pace, Pack } from "./model.js";
import type { Stored } from "../stored.js";

/** Certificates of a zone, in the API's notation unless there is a camelCase name. */
export interface CertificatesSeed {
  readonly hostnames?: readonly ({
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
    /** Other fields of `ssl`: settings, wildcard, bundle_method. */
    readonly ssl?: Readonly<Record<string, unknown>>;
  } & Readonly<Record<string, unknown>>)[];
  /** How many hostnames the plan allows; with 0, creating one fails with 1404, above the quota with 1405. @default 50000 */
  readonly hostnameQuota?: number;
  /** How fast certificates progress. @default "at-once" */
  readonly pace?: Pace;
  /** CAA records by name: authorities that may issue, such as `letsencrypt.org`. @default none */
  readonly caa?: Readonly<Record<string, readonly string[]>>;
  readonly packs?: readonly Readonly<Record<string, unknown>>[];
  readonly custom?: readonly Readonly<Record<string, unknown>>[];
  readonly totalTls?: { readonly enabled?: boolean; readonly certificate_authority?: string };
}

/** What certificates add to the seed of a zone. */
export interface CertificatesZoneSeed {
  /** @default only a Universal SSL pack */
  readonly certificates?: CertificatesSeed;
}

/** Fields of the service are allowed in addition to those of the seed. */
const hostname: Schema = {
  type: "object",
  properties: {
    hostname: nonEmpty,
    certificateAuthority: oneOf("", "digicert", "google", "lets_encrypt", "ssl_com"),
    method: oneOf("http", "txt", "email", "cname"),
    type: string,
    status: nonEmpty,
    ends: nonEmpty,
    issuing: boolean,
    locked: boolean,
    ssl: anyObject,
    custom_metadata: anyObject,
    custom_origin_server: string,
    custom_origin_sni: string,
  },
  required: ["hostname"],
  additionalProperties: false,
};

const certificates = exactly<CertificatesSeed>({
  hostnames: listOf(hostname),
  hostnameQuota: count,
  pace: paceSchema,
  caa: { type: "object", additionalProperties: listOf(string) },
  packs: listOf(anyObject),
  custom: listOf(anyObject),
  totalTls: exactly<NonNullable<CertificatesSeed["totalTls"]>>({ enabled: boolean, certificate_authority: nonEmpty }),
});

export const certificatesSeed: SeedPart<object, CertificatesZoneSeed> = {
  properties: {},
  zoneProperties: { certificates },
};

const CREATED = "2024-01-15T10:00:00Z";
const EXPIRES = "2026-12-31T00:00:00Z";

/** The certificates of a zone from a seed; `now` is the time of the emulator, in milliseconds since the epoch. */
export function certificatesOf(zone: Zone, now: number, seed: CertificatesSeed = {}): Certificates {
  return {
    hostnames: (seed.hostnames ?? []).map((item) => hostnameFrom(zone, item, now)),
    hostnameQuota: seed.hostnameQuota ?? 50_000,
    pace: seed.pace ?? "at-once",
    caa: seed.caa ?? {},
    packs: (seed.packs ?? [{ type: "universal" }]).map((pack, index) => packFrom(zone, pack, index)),
    custom: (seed.custom ?? []).map((item, index) => customFrom(zone, item, index)),
    totalTls: {
      enabled: seed.totalTls?.enabled ?? false,
      certificate_authority: seed.totalTls?.certificate_authority ?? "google",
    },
    universalEnabled: true,
  };
}

function idFrom(zone: Zone, prefix: string, name: string): string {
  return hash("sha256", `${zone.id}/${prefix}/${name}`, "hex").slice(0, 32);
}

type HostnameSeed = NonNullable<CertificatesSeed["hostnames"]>[number];

function hostnameFrom(zone: Zone, item: HostnameSeed, now: number): Hostname {
  const { hostname, certificateAuthority, method, type, status, ends, locked, issuing, ssl, ...rest } = item;
  return {
    id: idFrom(zone, "hostname", hostname),
    hostname,
    status: status ?? "active",
    createdAt: CREATED,
    authority: certificateAuthority ?? "",
    ssl: { method: method ?? "txt", type: type ?? "dv", bundle_method: "ubiquitous", wildcard: false, ...ssl },
    rest,
    ends: ends ?? "active",
    round: 1,
    locked: locked ?? false,
    ...(issuing === true ? { issuance: { since: now, reads: 0 } } : {}),
  };
}

function packFrom(zone: Zone, pack: Readonly<Record<string, unknown>>, index: number): Pack {
  return {
    hosts: [zone.name, `*.${zone.name}`],
    validation_method: "txt",
    validity_days: 90,
    certificate_authority: "google",
    createdAt: CREATED,
    ...pack,
    id: idFrom(zone, "pack", String(index)),
  };
}

function customFrom(zone: Zone, item: Readonly<Record<string, unknown>>, index: number): Stored {
  return {
    zone_id: zone.id,
    hosts: [zone.name],
    issuer: "Let's Encrypt",
    signature: "SHA256WithRSA",
    status: "active",
    bundle_method: "ubiquitous",
    priority: 0,
    uploaded_on: CREATED,
    modified_on: item.uploaded_on ?? CREATED,
    expires_on: EXPIRES,
    ...item,
    id: idFrom(zone, "custom", String(index)),
  };
}
