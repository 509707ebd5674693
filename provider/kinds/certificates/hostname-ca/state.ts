import type { CustomHostname } from "../../../../core/model/certificates.js";
import type { AuthorityInputs, AuthorityState, PreviousAuthority } from "./description.js";

/**
 * The complete state, built from a response of the service. Without an edit, it keeps the records of an active
 * certificate, which the service no longer lists: otherwise the next `up` would delete the DNS records created from them.
 */
export function stateFrom(
  inputs: AuthorityInputs,
  { hostname, status, ssl }: CustomHostname,
  { previousCertificateAuthority, __validation: { previousMethod } = {} }: PreviousAuthority,
  kept: AuthorityState["validationRecords"] = [],
): AuthorityState {
  const used = ssl.status === "active" && ssl.validationRecords.length === 0;
  return {
    ...inputs,
    hostname,
    effectiveCertificateAuthority: ssl.certificateAuthority,
    sslStatus: ssl.status,
    hostnameStatus: status,
    validationRecords: used ? kept : ssl.validationRecords,
    validationErrors: ssl.validationErrors,
    previousCertificateAuthority,
    __validation: {
      ...{ method: ssl.method, type: ssl.type },
      ...(previousMethod === undefined ? {} : { previousMethod }),
    },
  };
}
