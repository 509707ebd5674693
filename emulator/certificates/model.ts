import type { Stored } from "../stored.js";

/** How fast a certificate goes from one status to the next. */
export type Pace = "at-once" | { readonly reads: number } | { readonly seconds: number };

/** Where a certificate is on its way: since when, and how often it was looked at. */
export interface Issuance {
  readonly since: number;
  readonly reads: number;
}

/** A certificate that the service issues. */
export interface Issued {
  /** Missing once the certificate has come to rest. */
  readonly issuance?: Issuance;
  /** Status that it ends with. @default "active" */
  readonly ends?: string;
  /** When the first one was issued, for those that were never issued here. */
  readonly createdAt?: string;
  /** How often it was issued anew: every time with other records and dates. */
  readonly round?: number;
}

/** A custom hostname: what was asked for, and how far its certificate is. */
export interface Hostname extends Issued {
  readonly id: string;
  readonly hostname: string;
  readonly status: string;
  readonly createdAt: string;
  /** As asked for; empty for the service's choice. */
  readonly authority: string;
  readonly ssl: Readonly<Record<string, unknown>>;
  /** Beside `ssl`: metadata and origins. */
  readonly rest: Readonly<Record<string, unknown>>;
  readonly ends: string;
  readonly round: number;
  /** Whether the service refuses to modify it (1439). */
  readonly locked: boolean;
  /** Certificates of the owner, one or a pair. */
  readonly uploaded?: readonly Uploaded[];
}

/** A certificate that its owner brought. */
export interface Uploaded {
  readonly id: string;
  readonly certificate: string;
}

/** A certificate pack. A `status` or `certificates` that a seed gives stay; else they follow from the issuance. */
export type Pack = Stored & Issued;

/** What a zone has once of certificates. Replaced as a whole by every write. */
export interface CertificateSettings {
  readonly hostnameQuota: number;
  readonly pace: Pace;
  /** CAA records by name: the authorities that may issue. */
  readonly caa: Readonly<Record<string, readonly string[]>>;
  readonly totalTls: { readonly enabled: boolean; readonly certificate_authority: string };
  readonly universalEnabled: boolean;
  readonly fallbackOrigin?: Readonly<Record<string, unknown>>;
}

/** Everything about certificates in one zone. */
export interface Certificates extends CertificateSettings {
  readonly hostnames: readonly Hostname[];
  readonly packs: readonly Pack[];
  readonly custom: readonly Stored[];
}
