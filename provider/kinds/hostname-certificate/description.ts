import type { Description, InputsOf, StateOf } from "../../engine/description.js";

export const CUSTOM_HOSTNAME_CERTIFICATE = {
  type: "CustomHostnameCertificate",
  arguments: {
    customHostnameCaId: { type: "string", required: true, change: "replace", output: true },
    timeoutSeconds: { type: "number", change: "record", default: 1800 },
  },
  checked: {},
  outputs: {
    hostname: { type: "string", required: true },
    sslStatus: { type: "string", required: true },
    hostnameStatus: { type: "string", required: true },
    /** Empty when the service does not report it. */
    certificateAuthority: { type: "string", required: true },
    issuer: { type: "string" },
    /** RFC 3339. */
    expiresOn: { type: "string" },
  },
} as const satisfies Description;

export type CertificateInputs = InputsOf<typeof CUSTOM_HOSTNAME_CERTIFICATE>;
export type CertificateState = StateOf<typeof CUSTOM_HOSTNAME_CERTIFICATE>;
