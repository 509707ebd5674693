import { AUTHORITIES } from "../../../../core/certificates/authorities.js";
import { ALREADY_IN_USE, TAKEN_OVER } from "../taken-over.js";
import { EXAMPLE_ID, type Description, type InputsOf, type StateOf } from "../../../engine/description.js";
import { checkId } from "../../../validation/checks/ids.js";
import type { PlannedRequest } from "../../../engine/preview-plan.js";
import { checkKnownValue, failure, type Findings } from "../../../../core/model/failure.js";
import type { JsonObject } from "../../../../core/model/json.js";
import type { Path } from "../../../../core/model/path.js";
import { knownText } from "../../../../core/model/unknown.js";

/** Total TLS has no default and does not offer every authority (operation `total-tls-enable-or-disable-total-tls`). */
export const TOTAL_TLS_AUTHORITIES = AUTHORITIES.filter((authority) => authority !== "digicert");

function checkAuthority(path: Path, authority: unknown): Findings {
  return typeof authority === "string" && authority !== ""
    ? checkKnownValue(path, "the certificate authority", authority, TOTAL_TLS_AUTHORITIES)
    : failure(path, `must be one of ${TOTAL_TLS_AUTHORITIES.join(", ")}. Total TLS has no default authority`);
}

function plannedWrites({ zoneId }: JsonObject): readonly PlannedRequest[] {
  return [{ call: `POST /zones/${knownText(zoneId) || "<zone>"}/acm/total_tls`, unless: ALREADY_IN_USE }];
}

export const TOTAL_TLS_CA = {
  type: "TotalTlsCa",
  example: {
    name: "total-tls",
    text: "The authority of a zone's Total TLS",
    args: { zoneId: EXAMPLE_ID, certificateAuthority: "google" },
  },
  text: "Chooses the authority of a zone's Total TLS. Writes repeat the current `enabled`, so they never turn Total TLS on or off.",
  class: {
    example: 'new TotalTlsCa("tls", { zoneId, certificateAuthority: "google" });',
    reads: "the authority of a zone",
    id: "zones/<zoneId>/total-tls",
  },
  guide: "certificates",
  insteadOfImport: TAKEN_OVER,
  title: () => "certificate authority of Total TLS",
  plannedWrites,
  plannedDelete: ({ inputs }) => (inputs.onDelete === "restore" ? plannedWrites(inputs) : []),
  operations: [
    {
      path: "/acm/total_tls",
      probe: { subject: "Total TLS", read: ({ certificates }, { id }) => certificates.getTotalTls(id) },
    },
  ],
  levels: ["zones"],
  arguments: {
    zoneId: {
      type: "string",
      text: "The zone. Changing it replaces the resource.",
      required: true,
      check: checkId,
      change: "replace",
      output: true,
    },
    certificateAuthority: {
      type: "string",
      text: "Which authority issues the certificates that Total TLS orders from now on. There is no default to restore.",
      known: 'Exclude<CertificateAuthority, "digicert">',
      required: true,
      check: checkAuthority,
      change: "write",
      output: true,
    },
    onDelete: {
      type: "string",
      text: "What deleting does: nothing, or restore the previous authority.",
      default: "keep",
      choices: ["keep", "restore"],
      change: "record",
    },
  },
  checked: {},
  outputs: {
    enabled: { type: "boolean", text: "Whether Total TLS is on.", required: true },
    previousCertificateAuthority: {
      type: "string",
      stable: true,
      text: "The authority in use before this stack chose one, even after the resource was renamed or replaced; empty when it is not known.",
      required: true,
    },
    validityPeriod: { type: "number", text: "Days." },
    __incomplete: { type: "boolean", text: "True after a write that may or may not have been applied." },
  },
} as const satisfies Description;

export type TotalTlsInputs = InputsOf<typeof TOTAL_TLS_CA>;
export type TotalTlsState = StateOf<typeof TOTAL_TLS_CA>;
