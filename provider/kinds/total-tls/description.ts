import { AUTHORITIES } from "../../certificates/authorities.js";
import type { Description, InputsOf, StateOf } from "../../engine/description.js";

/** Total TLS has no default and does not offer every authority (operation `total-tls-enable-or-disable-total-tls`). */
export const TOTAL_TLS_AUTHORITIES = AUTHORITIES.filter((authority) => authority !== "digicert");

export const TOTAL_TLS_CA = {
  type: "TotalTlsCa",
  arguments: {
    zoneId: { type: "string", required: true, change: "replace", output: true },
    certificateAuthority: { type: "string", required: true, change: "write", output: true },
    onDelete: { type: "string", change: "record", default: "keep", choices: ["keep", "restore"] },
  },
  checked: {},
  outputs: {
    /** Whether Total TLS is on. This resource never changes it. */
    enabled: { type: "boolean", required: true },
    /** The authority in use before the stack chose one; empty when it is not known. */
    previousCertificateAuthority: { type: "string", required: true },
    /** In days. */
    validityPeriod: { type: "number" },
    /** True after a write that may or may not have been applied. */
    __incomplete: { type: "boolean" },
  },
} as const satisfies Description;

export type TotalTlsInputs = InputsOf<typeof TOTAL_TLS_CA>;
export type TotalTlsState = StateOf<typeof TOTAL_TLS_CA>;
