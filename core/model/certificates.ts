import type { JsonObject } from "./json.js";

/** A record that must be published to prove control of a hostname. */
export type ValidationRecord = {
  readonly status?: string;
  readonly txtName?: string;
  readonly txtValue?: string;
  readonly httpUrl?: string;
  readonly httpBody?: string;
  readonly cname?: string;
  readonly cnameTarget?: string;
  readonly emails?: readonly string[];
};

/** The certificate of a custom hostname. */
export interface HostnameSsl {
  /** Such as `pending_validation` or `active`; empty when there is none. */
  readonly status: string;
  readonly method: string;
  readonly type: string;
  /** The authority in use; empty when the service does not return it. */
  readonly certificateAuthority: string;
  readonly validationRecords: readonly ValidationRecord[];
  readonly validationErrors: readonly string[];
  readonly bundleMethod?: string;
  readonly issuer?: string;
  /** RFC 3339. */
  readonly uploadedOn?: string;
  /** RFC 3339. */
  readonly expiresOn?: string;
  /** Whether the certificate was uploaded, so that no authority issues it. */
  readonly uploaded: boolean;
  /** Fields that an edit must repeat so that they do not change, in snake_case. */
  readonly echo: JsonObject;
}

export interface CustomHostname {
  readonly id: string;
  readonly hostname: string;
  /** Status of the hostname itself. */
  readonly status: string;
  readonly ssl: HostnameSsl;
}

/** A certificate pack, as `GET /zones/{zone_id}/ssl/certificate_packs` lists it. */
export interface CertificatePack {
  readonly id: string;
  /** `universal`, `advanced`, `total_tls` and others. */
  readonly type: string;
  readonly status: string;
  readonly hosts: readonly string[];
  readonly certificateAuthority: string;
  /** `txt`, `http` or `email`. */
  readonly validationMethod?: string;
  readonly validityDays?: number;
  /** RFC 3339. */
  readonly expiresOn?: string;
}

/** An uploaded certificate, as `GET /zones/{zone_id}/custom_certificates` lists it. */
export interface CustomCertificate {
  readonly id: string;
  readonly hosts: readonly string[];
  readonly issuer: string;
  readonly status: string;
  /** `ubiquitous`, `optimal` or `force`. */
  readonly bundleMethod: string;
  /** RFC 3339. */
  readonly uploadedOn?: string;
  readonly expiresOn?: string;
}

/** Total TLS of a zone, as `GET /zones/{zone_id}/acm/total_tls` returns it. */
export interface TotalTls {
  readonly enabled: boolean;
  /** Empty when the service does not return it. */
  readonly certificateAuthority: string;
  /** Days. */
  readonly validityPeriod?: number;
}
