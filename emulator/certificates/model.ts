import type { Stored } from "../stored.js";

/** How fast a certificate goes from one status to the next. */
export type Pace = "at-once" | { readonly reads: number } | { readonly seconds: number };

/** The progress of a certificate: when issuance began, and how often it was read since. */
export interface Issuance {
  readonly since: number;
  readonly reads: number;
}

/** A certificate that the service issues. */
export interface Issued {
  /** Missing once the certificate has reached its final status. */
  readonly issuance?: Issuance;
  /** Final status. @default "active" */
  readonly ends?: string;
  /** Whether CAA records did not allow it when its issuance began, or last changed meanwhile. @default false */
  readonly isForbidden?: boolean;
  /** When the first certificate was issued, if that was not in this emulator. */
  readonly createdAt?: string;
  /** How often it was reissued, each time with new records and dates. */
  readonly round?: number;
}

/** A custom hostname: its settings, and the progress of its certificate. */
export interface Hostname extends Issued {
  readonly id: string;
  readonly hostname: string;
  readonly status: string;
  readonly createdAt: string;
  /** The requested authority; empty for the service's choice. */
  readonly authority: string;
  /** The settings of its certificate; missing if it has none. */
  readonly ssl?: Readonly<Record<string, unknown>>;
  /** Everything except `ssl`, such as metadata and origins. */
  readonly rest: Readonly<Record<string, unknown>>;
  readonly ends: string;
  readonly round: number;
  /** Whether the service rejects modification (1439). */
  readonly locked: boolean;
  /** One or two certificates uploaded by the owner. */
  readonly uploaded?: readonly Uploaded[];
}

/** A certificate uploaded by its owner. */
export interface Uploaded {
  readonly id: string;
  readonly certificate: string;
}

/** A certificate pack. A `status` or `certificates` from a seed are kept; otherwise they follow from the issuance. */
export type Pack = Stored & Issued;

/** The certificate settings of a zone. Every write replaces them as a whole. */
export interface CertificateSettings {
  readonly hostnameQuota: number;
  readonly pace: Pace;
  /** CAA records by name: the authorities that may issue. */
  readonly caa: Readonly<Record<string, readonly string[]>>;
  readonly totalTls: { readonly enabled: boolean; readonly certificate_authority: string };
  readonly universalEnabled: boolean;
  readonly fallbackOrigin?: Readonly<Record<string, unknown>>;
  /** Whether the seed says which packs there are. @default false, the universal one */
  readonly hasListedPacks?: boolean;
}

/** Everything about certificates in one zone. */
export interface Certificates extends CertificateSettings {
  readonly hostnames: readonly Hostname[];
  /** @default only the universal one */
  readonly packs?: readonly Pack[];
  readonly custom: readonly Stored[];
}
