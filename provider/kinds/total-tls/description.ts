import { AUTHORITIES } from "../../certificates/authorities.js";
import type { Description, InputsOf, StateOf } from "../../engine/description.js";

/** Total TLS knows no default to go back to, and not every authority (operation `total-tls-enable-or-disable-total-tls`). */
export const OFFERED = AUTHORITIES.filter((authority) => authority !== "digicert");

export const TOTAL_TLS_CA = {
  type: "TotalTlsCa",
  arguments: {
    zoneId: { type: "string", required: true, replaces: true, output: true },
    certificateAuthority: { type: "string", required: true, output: true },
    onDelete: { type: "string", choices: ["keep", "restore"] },
  },
  checked: {},
  outputs: {
    /** Whether Total TLS is on. Never changed from here. */
    enabled: { type: "boolean", required: true },
    /** What was in use before the stack chose; empty when that is not known. */
    previousCertificateAuthority: { type: "string", required: true },
    /** Days. */
    validityPeriod: { type: "number" },
    /** True after a write of which nobody knows whether it landed. */
    __incomplete: { type: "boolean" },
  },
} as const satisfies Description;

export type TotalTlsInputs = InputsOf<typeof TOTAL_TLS_CA>;
export type TotalTlsState = StateOf<typeof TOTAL_TLS_CA>;
