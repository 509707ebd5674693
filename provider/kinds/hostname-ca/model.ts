import type { CustomHostname, ValidationRecord } from "../../model/certificates.js";
import { hostnameAuthorityId, parseHostnameId } from "../../model/ids.js";
import { RulesetsError } from "../../model/errors.js";
import { omit, pick } from "../../model/json.js";

/** What deleting does: leave the authority as it is, bring back the one before, or the service's default. */
export type OnAuthorityDelete = "keep" | "restore" | "default";

/** Inputs as `check` hands them on: id and name of the hostname, whichever of the two the program gives. */
export interface AuthorityInputs {
  readonly zoneId: string;
  readonly customHostnameId: string;
  readonly hostname: string;
  /** Empty for the service's default. */
  readonly certificateAuthority: string;
  readonly method?: string;
  readonly type?: string;
  readonly onDelete?: OnAuthorityDelete;
  /** Longest wait for validation records; 0 waits for none. */
  readonly validationTimeoutSeconds?: number;
  readonly __urn?: string;
}

/** What was in use before the stack chose. */
export interface Previous {
  /** Empty when that is not known. */
  readonly previousCertificateAuthority: string;
  /** Internal. */
  readonly __previousMethod?: string;
}

/** What the service says of the hostname. */
export interface AuthorityOutputs extends Previous {
  /** Empty when the service does not tell. */
  readonly effectiveCertificateAuthority: string;
  readonly sslStatus: string;
  readonly hostnameStatus: string;
  readonly validationRecords: readonly ValidationRecord[];
  readonly validationErrors: readonly string[];
  /** What is in use. Internal. */
  readonly __method?: string;
  readonly __type?: string;
  /** True after an edit of which nobody knows whether it landed. Internal. */
  readonly __incomplete?: boolean;
}
export interface AuthorityState extends AuthorityInputs, AuthorityOutputs {}

export const ARGUMENT_NAMES = [
  "zoneId",
  "customHostnameId",
  "hostname",
  "certificateAuthority",
  "method",
  "type",
  "onDelete",
  "validationTimeoutSeconds",
] as const;
const INPUT_NAMES = [...ARGUMENT_NAMES, "__urn"] as const;

/** The declared inputs inside a state. */
export function inputsOf(state: AuthorityState): AuthorityInputs {
  return pick(state, INPUT_NAMES);
}

/** What a state holds beside its inputs: what the service says. */
export function outputsOf(state: AuthorityState): AuthorityOutputs {
  return omit(state, INPUT_NAMES);
}

export function resourceIdOf({ zoneId, customHostnameId }: AuthorityInputs): string {
  return hostnameAuthorityId(zoneId, customHostnameId);
}

/** Zone and hostname that an id names. */
export function addressOf(id: string): { readonly zoneId: string; readonly hostnameId: string } {
  const address = parseHostnameId(id);
  if (address !== undefined) return address;
  throw new RulesetsError(
    `${JSON.stringify(id)} is not the id of a CustomHostnameCa: write zones/<zoneId>/custom-hostnames/<id>/certificate-authority.`,
    { code: "CONFIG_INVALID" },
  );
}

/** The whole state after the service was asked. */
export function stateFrom(
  inputs: AuthorityInputs,
  { hostname, status, ssl }: CustomHostname,
  previous: Previous,
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
