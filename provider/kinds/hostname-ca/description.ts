import { shape, type Description, type InputsOf, type StateOf } from "../../engine/description.js";
import type { ValidationRecord } from "../../model/certificates.js";
import { hostnameAuthorityId } from "../../model/ids.js";

export const CUSTOM_HOSTNAME_CA = {
  type: "CustomHostnameCa",
  arguments: {
    zoneId: { type: "string", required: true, replaces: true, output: true },
    customHostnameId: { type: "string", replaces: true },
    hostname: { type: "string" },
    /** Empty for the service's default. */
    certificateAuthority: { type: "string", required: true, output: true },
    method: { type: "string", among: ["txt", "http", "email", "cname"] },
    type: { type: "string", among: ["dv"] },
    /** What deleting does: leave the authority as it is, bring back the one before, or the service's default. */
    onDelete: { type: "string", choices: ["keep", "restore", "default"] },
    /** Longest wait for validation records; 0 waits for none. */
    validationTimeoutSeconds: { type: "number" },
  },
  checked: {
    /** Id and name of the hostname, whichever of the two the program gives. */
    customHostnameId: { type: "string", required: true, output: true },
    hostname: { type: "string", required: true, output: true },
  },
  outputs: {
    /** What was in use before the stack chose; empty when that is not known. */
    previousCertificateAuthority: { type: "string", required: true },
    __previousMethod: { type: "string" },
    /** Empty when the service does not tell. */
    effectiveCertificateAuthority: { type: "string", required: true },
    sslStatus: { type: "string", required: true },
    hostnameStatus: { type: "string", required: true },
    validationRecords: { type: { list: shape<ValidationRecord>("ValidationRecord") }, required: true },
    validationErrors: { type: { list: "string" }, required: true },
    /** What is in use. */
    __method: { type: "string" },
    __type: { type: "string" },
    /** True after an edit of which nobody knows whether it landed. */
    __incomplete: { type: "boolean" },
  },
} as const satisfies Description;

export type AuthorityInputs = InputsOf<typeof CUSTOM_HOSTNAME_CA>;
export type AuthorityState = StateOf<typeof CUSTOM_HOSTNAME_CA>;

/** What was in use before the stack chose. */
export type Previous = Pick<AuthorityState, "previousCertificateAuthority" | "__previousMethod">;

export function resourceIdOf({
  zoneId,
  customHostnameId,
}: Pick<AuthorityInputs, "zoneId" | "customHostnameId">): string {
  return hostnameAuthorityId(zoneId, customHostnameId);
}
