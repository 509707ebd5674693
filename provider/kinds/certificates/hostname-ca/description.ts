import { EXAMPLE_ID, type Description, type InputsOf, type StateOf } from "../../../engine/description.js";
import { checkHostnameId, checkId } from "../../../validation/checks/ids.js";
import { ALREADY_IN_USE, TAKEN_OVER } from "../taken-over.js";
import { internalType, objectType } from "../../../engine/named-type.js";
import type { PlannedRequest } from "../../../engine/preview-plan.js";
import { AUTHORITIES } from "../../../../core/certificates/authorities.js";
import { checkKnownValue, failure, warning, type Findings } from "../../../../core/model/failure.js";
import { isObject, type JsonObject } from "../../../../core/model/json.js";
import type { Path } from "../../../../core/model/path.js";
import { knownText } from "../../../../core/model/unknown.js";
import type { ValidationRecord } from "../../../../core/model/certificates.js";

const VALIDATION_RECORD = objectType<ValidationRecord>(
  "ValidationRecord",
  "A record that must be published to prove control of a hostname.",
  {
    status: { type: "string", text: "Such as `pending` or `processing`." },
    txtName: { type: "string", text: "Name of a TXT record." },
    txtValue: { type: "string", text: "Content of the TXT record." },
    httpUrl: { type: "string", text: "Address at which the hostname must serve a token." },
    httpBody: { type: "string", text: "The token." },
    cname: { type: "string", text: "Name of a CNAME record." },
    cnameTarget: { type: "string", text: "Target of the CNAME record." },
    emails: { type: { list: "string" }, text: "Addresses to which the authority has written." },
  },
);

/** How control of a hostname is shown. */
interface Validation {
  readonly method: string;
  readonly type: string;
  readonly previousMethod?: string;
}

const VALIDATION = internalType<Validation>("Validation", isObject);

function plannedWrites({ zoneId, customHostnameId }: JsonObject): readonly PlannedRequest[] {
  const path = `/zones/${knownText(zoneId) || "<zone>"}/custom_hostnames/${knownText(customHostnameId) || "<id>"}`;
  return [{ call: `PATCH ${path}`, unless: ALREADY_IN_USE }];
}

function checkAuthority(path: Path, value: unknown): Findings {
  if (value === "") return [];
  if (typeof value !== "string")
    return failure(path, `must be one of ${AUTHORITIES.join(", ")}, or "" for the service's default`);
  if (value === "digicert") return warning(path, "digicert is being retired by the service");
  return checkKnownValue(path, "the certificate authority", value, AUTHORITIES);
}

export const CUSTOM_HOSTNAME_CA = {
  type: "CustomHostnameCa",
  example: {
    name: "hostname",
    text: "The authority of a custom hostname",
    args: { zoneId: EXAMPLE_ID, hostname: "app.customer.example", certificateAuthority: "google" },
  },
  text:
    "Chooses the certificate authority of a custom hostname. Every edit with this API reissues the certificate, so no request " +
    "is made when nothing changed, and edits repeat the hostname's other settings so that they do not change. Returns as soon " +
    "as the validation records exist; `CustomHostnameCertificate` waits for the certificate.",
  class: {
    example:
      'const ca = new CustomHostnameCa("shop", { zoneId, hostname: "shop.customer.com", certificateAuthority: "google" });\n' +
      'new CustomHostnameCertificate("shop", { customHostnameCaId: ca.id });',
    reads: "the certificate authority of a hostname",
    id: "zones/<zoneId>/custom-hostnames/<id>/certificate-authority",
  },
  guide: "certificates",
  insteadOfImport: TAKEN_OVER,
  title: ({ hostname }) => `certificate authority of ${knownText(hostname) || "a custom hostname"}`,
  plannedWrites,
  plannedDelete: ({ inputs }) =>
    ["restore", "default"].includes(knownText(inputs.onDelete)) ? plannedWrites(inputs) : [],
  operations: [
    {
      path: "/custom_hostnames",
      probe: {
        subject: "custom hostnames",
        read: ({ customHostnames }, { id }) => customHostnames.list(id, { hostname: "doctor.invalid" }),
      },
    },
  ],
  levels: ["zones"],
  exactlyOneOf: [["customHostnameId", "hostname"]],
  arguments: {
    zoneId: {
      type: "string",
      text: "The zone of the hostname. Changing it replaces the resource.",
      required: true,
      check: checkId,
      change: "replace",
      output: true,
    },
    customHostnameId: {
      type: "string",
      text: "ID of the custom hostname; excludes `hostname`. Changing it replaces the resource.",
      check: checkHostnameId,
      change: "replace",
    },
    hostname: {
      type: "string",
      text:
        "Name of the custom hostname, which must be unique in the zone; excludes `customHostnameId`. Changing it replaces the " +
        "resource.",
      check: (path, name) =>
        typeof name === "string" && name !== "" ? [] : failure(path, "must be the name of a custom hostname"),
      change: "record",
      standsFor: "customHostnameId",
    },
    certificateAuthority: {
      type: "string",
      text:
        'Which certificate authority issues the certificate. `""` is the service\'s default: the more compatible authority, or ' +
        "Let's Encrypt if a CAA record forbids that one.",
      known: 'CertificateAuthority | ""',
      outputText: "As declared.",
      required: true,
      check: checkAuthority,
      change: "write",
      output: true,
    },
    method: {
      type: "string",
      text: "How control of the hostname is proved.",
      otherwise: "the hostname's current method",
      among: ["txt", "http", "email", "cname"],
      change: "write",
    },
    type: {
      type: "string",
      text: "The type of validation.",
      otherwise: 'the hostname\'s current type, or else "dv"',
      among: ["dv"],
      change: "write",
    },
    onDelete: {
      type: "string",
      text:
        "What deleting does: `keep` makes no request, `restore` restores the previous authority, `default` requests the service's " +
        "default. The last two issue a new certificate.",
      default: "keep",
      choices: ["keep", "restore", "default"],
      change: "record",
    },
    validationTimeoutSeconds: {
      type: "number",
      text:
        "Longest wait for validation records after an edit, in seconds from 0 to 3600; 0 does not wait. Changing only this makes " +
        "no request.",
      default: 60,
      range: { least: 0, most: 3600, unit: "seconds" },
      change: "record",
    },
  },
  checked: {
    customHostnameId: {
      type: "string",
      text: "ID of the custom hostname, which `check` finds by its name.",
      outputText: "Known in the preview.",
      required: true,
      output: true,
    },
    hostname: {
      type: "string",
      text: "Name of the custom hostname, which `check` finds by its ID.",
      outputText: "Known in the preview.",
      required: true,
      output: true,
    },
  },
  outputs: {
    previousCertificateAuthority: {
      type: "string",
      stable: true,
      text: "The authority in use before this stack chose one, even after the resource was renamed or replaced; empty when it is not known.",
      required: true,
    },
    effectiveCertificateAuthority: {
      type: "string",
      text: "The authority in use; empty when the service does not return it.",
      required: true,
    },
    sslStatus: { type: "string", text: "Such as `pending_validation` or `active`.", required: true },
    hostnameStatus: { type: "string", text: "Status of the hostname itself.", required: true },
    validationRecords: {
      type: { list: VALIDATION_RECORD },
      text: "Records to publish to prove control of the hostname.",
      required: true,
    },
    validationErrors: {
      type: { list: "string" },
      text: "What the authority reports about the validation.",
      required: true,
    },
    __validation: { type: VALIDATION, text: "The validation in use, and before this stack chose an authority." },
    __incomplete: { type: "boolean", text: "True after an edit that may or may not have been applied." },
  },
} as const satisfies Description;

export type AuthorityInputs = InputsOf<typeof CUSTOM_HOSTNAME_CA>;
export type AuthorityState = StateOf<typeof CUSTOM_HOSTNAME_CA>;

/** The authority and method in use before the stack chose one. */
export interface PreviousAuthority extends Pick<AuthorityState, "previousCertificateAuthority"> {
  readonly __validation?: Pick<Validation, "previousMethod">;
}
