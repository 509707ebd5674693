import type { Stored } from "../stored.js";

/** How fast a certificate goes from one status to the next. */
export type Pace = "at-once" | { readonly reads: number } | { readonly seconds: number };

/** Where a certificate is on its way: since when, and how often it was looked at. */
export interface Issuance {
  readonly since: number;
  readonly reads: number;
}

/** A custom hostname: what was asked for, and how far its certificate is. */
export interface Hostname {
  readonly id: string;
  readonly hostname: string;
  readonly status: string;
  readonly createdAt: string;
  /** As asked for; empty for the service's choice. */
  readonly authority: string;
  readonly ssl: Readonly<Record<string, unknown>>;
  /** Beside `ssl`: metadata and origins. */
  readonly rest: Readonly<Record<string, unknown>>;
  /** Missing once the certificate has come to rest. */
  readonly issuance?: Issuance;
  /** Where the way of this hostname ends. */
  readonly ends: string;
  /** How often it was validated anew: every time with other records. */
  readonly round: number;
  /** Whether the service refuses to modify it (1439). */
  readonly locked: boolean;
}

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
  readonly packs: readonly Stored[];
  readonly custom: readonly Stored[];
}
