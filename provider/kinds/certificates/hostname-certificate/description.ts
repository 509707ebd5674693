import { failure, type Findings } from "../../../../core/model/failure.js";
import { parseHostnameId } from "../../../../core/model/ids.js";
import { SECONDS } from "../../../../core/model/numbers.js";
import type { Path } from "../../../../core/model/path.js";
import { knownText } from "../../../../core/model/unknown.js";
import { checkHostnameId, checkId } from "../../../validation/checks/ids.js";
import { TAKEN_OVER } from "../taken-over.js";
import { EXAMPLE_ID, type Description, type InputsOf, type StateOf } from "../../../engine/description.js";

function checkCaId(path: Path, id: unknown): Findings {
  const address = typeof id === "string" ? parseHostnameId(id) : undefined;
  if (address === undefined) return failure(path, "must be the id of a CustomHostnameCa: write ca.id");
  return [checkId(path, address.zoneId), checkHostnameId(path, address.hostnameId)].flat();
}

export const CUSTOM_HOSTNAME_CERTIFICATE = {
  type: "CustomHostnameCertificate",
  example: {
    name: "certificate",
    text: "A wait for the certificate of a custom hostname",
    args: {
      customHostnameCaId: `zones/${EXAMPLE_ID}/custom-hostnames/0d89c70d-ad9f-4843-b99f-6cc0252067e9/certificate-authority`,
    },
  },
  text:
    "Waits until the certificate of a custom hostname is active. It changes nothing. If the certificate fails or the wait times " +
    "out, the error lists the validation records to publish; the next `up` waits again.",
  class: {
    example:
      "const records = ca.validationRecords.apply((list) => list.flatMap(({ txtName, txtValue }) => …));\n" +
      'new CustomHostnameCertificate("shop", { customHostnameCaId: ca.id }, { dependsOn: [dnsRecord] });',
    reads: "the certificate of a hostname",
    id: "zones/<zoneId>/custom-hostnames/<id>/certificate",
  },
  guide: "certificates",
  insteadOfImport: TAKEN_OVER,
  plannedWrites: () => [],
  title: ({ hostname }) => `certificate of ${knownText(hostname) || "a custom hostname"}`,
  operations: [{ path: "/custom_hostnames", isReadOnly: true }],
  levels: ["zones"],
  arguments: {
    customHostnameCaId: {
      type: "string",
      text: "The `id` of a `CustomHostnameCa`. Changing it replaces the resource.",
      required: true,
      check: checkCaId,
      change: "replace",
      output: true,
    },
    timeoutSeconds: {
      type: "number",
      text: "Longest wait in seconds.",
      default: 1800,
      range: SECONDS,
      change: "record",
    },
  },
  checked: {},
  outputs: {
    hostname: { type: "string", text: "The name of the custom hostname.", required: true },
    sslStatus: { type: "string", text: "`active` once the certificate is in use.", required: true },
    hostnameStatus: { type: "string", text: "Status of the hostname itself.", required: true },
    certificateAuthority: {
      type: "string",
      text: "The authority that issued it; empty when the service does not return it.",
      required: true,
    },
    issuer: { type: "string", text: "The issuer named in the certificate." },
    expiresOn: { type: "string", text: "RFC 3339." },
  },
} as const satisfies Description;

export type CertificateInputs = InputsOf<typeof CUSTOM_HOSTNAME_CERTIFICATE>;
export type CertificateState = StateOf<typeof CUSTOM_HOSTNAME_CERTIFICATE>;
