import type { CustomHostname } from "../../model/certificates.js";
import type { AuthorityInputs, AuthorityState, PreviousAuthority } from "./description.js";

/** The complete state, built from a response of the service. */
export function stateFrom(
  inputs: AuthorityInputs,
  { hostname, status, ssl }: CustomHostname,
  previous: PreviousAuthority,
): AuthorityState {
  return {
    ...inputs,
    hostname,
    effectiveCertificateAuthority: ssl.certificateAuthority,
    sslStatus: ssl.status,
    hostnameStatus: status,
    validationRecords: ssl.validationRecords,
    validationErrors: ssl.validationErrors,
    previousCertificateAuthority: previous.previousCertificateAuthority,
    ...(previous.__previousMethod === undefined ? {} : { __previousMethod: previous.__previousMethod }),
    __method: ssl.method,
    __type: ssl.type,
  };
}
