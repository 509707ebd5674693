import type { TotalTls } from "../../model/certificates.js";

export interface TotalTlsInputs {
  readonly zoneId: string;
  readonly certificateAuthority: string;
  readonly onDelete?: "keep" | "restore";
  readonly __urn?: string;
}
export interface TotalTlsState extends TotalTlsInputs {
  /** Whether Total TLS is on. Never changed from here. */
  readonly enabled: boolean;
  /** What was in use before the stack chose; empty when that is not known. */
  readonly previousCertificateAuthority: string;
  /** Days. */
  readonly validityPeriod?: number;
  /** True after a write of which nobody knows whether it landed. Internal. */
  readonly __incomplete?: boolean;
}

export function stateFrom(
  inputs: TotalTlsInputs,
  { enabled, validityPeriod }: TotalTls,
  previousCertificateAuthority: string,
): TotalTlsState {
  return {
    ...inputs,
    enabled,
    previousCertificateAuthority,
    ...(validityPeriod === undefined ? {} : { validityPeriod }),
  };
}
