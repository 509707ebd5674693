import { namedType, type Description, type InputsOf, type StateOf } from "../../engine/description.js";
import type { ValidationRecord } from "../../model/certificates.js";
import { hostnameAuthorityId } from "../../model/ids.js";

export const CUSTOM_HOSTNAME_CA = {
  type: "CustomHostnameCa",
  arguments: {
    zoneId: { type: "string", required: true, change: "replace", output: true },
    customHostnameId: { type: "string", change: "replace" },
    hostname: { type: "string", change: "write" },
    /** Empty for the service's default. */
    certificateAuthority: { type: "string", required: true, change: "write", output: true },
    method: { type: "string", change: "write", among: ["txt", "http", "email", "cname"] },
    type: { type: "string", change: "write", among: ["dv"] },
    /** What a delete does: keep the authority, restore the previous one, or switch to the service's default. */
    onDelete: { type: "string", change: "record", default: "keep", choices: ["keep", "restore", "default"] },
    /** Maximum wait for validation records, in seconds; 0 does not wait. */
    validationTimeoutSeconds: { type: "number", change: "record", default: 60 },
  },
  checked: {
    /** ID and name of the hostname; the program gives one of them. */
    customHostnameId: { type: "string", required: true, output: true },
    hostname: { type: "string", required: true, output: true },
  },
  outputs: {
    /** The authority in use before the stack chose one; empty when it is not known. */
    previousCertificateAuthority: { type: "string", required: true },
    __previousMethod: { type: "string" },
    /** Empty when the service does not report it. */
    effectiveCertificateAuthority: { type: "string", required: true },
    sslStatus: { type: "string", required: true },
    hostnameStatus: { type: "string", required: true },
    validationRecords: { type: { list: namedType<ValidationRecord>("ValidationRecord") }, required: true },
    validationErrors: { type: { list: "string" }, required: true },
    /** The method and type in use. */
    __method: { type: "string" },
    __type: { type: "string" },
    /** True after an edit that may or may not have been applied. */
    __incomplete: { type: "boolean" },
  },
} as const satisfies Description;

export type AuthorityInputs = InputsOf<typeof CUSTOM_HOSTNAME_CA>;
export type AuthorityState = StateOf<typeof CUSTOM_HOSTNAME_CA>;

/** The authority and method in use before the stack chose one. */
export type PreviousAuthority = Pick<AuthorityState, "previousCertificateAuthority" | "__previousMethod">;

export function resourceIdOf({
  zoneId,
  customHostnameId,
}: Pick<AuthorityInputs, "zoneId" | "customHostnameId">): string {
  return hostnameAuthorityId(zoneId, customHostnameId);
}
