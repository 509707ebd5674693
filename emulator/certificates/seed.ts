import { createHash } from "node:crypto";
import type { CertificatesSeed } from "../seed.js";
import type { Zone } from "../zones/model.js";
import type { Certificates, Hostname, Pack } from "./model.js";
import type { Stored } from "../stored.js";

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
  return createHash("sha256").update(`${zone.id}/${prefix}/${name}`).digest("hex").slice(0, 32);
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
