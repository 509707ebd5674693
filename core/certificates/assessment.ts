import { outcomeOf } from "./status.js";
import type { ChainStage } from "./timeline.js";

/** The types of certificates that the rules of the chain change distinguish. */
export type CertificateKind = "universal" | "advanced" | "totalTls" | "custom" | "customHostname" | "other";

/** What the chain change means for one certificate. */
export interface ChainAssessment {
  /**
   * Identifies the finding for as long as the certificate exists: its path in the API, such as
   * `zones/<id>/custom_hostnames/<id>`.
   */
  readonly key: string;
  readonly kind: CertificateKind;
  readonly id: string;
  /** The hosts that it covers. */
  readonly name: string;
  /** As the service names it; the issuer for uploaded certificates. */
  readonly certificateAuthority: string;
  /**
   * `act`: the owner should change something. `watch`: clients may be affected and the owner can change it, or no rule
   * is known. `automatic`: the service acts. `none`: not affected, or no longer in use.
   */
  readonly verdict: "none" | "automatic" | "act" | "watch";
  /** What happens to it on that date. */
  readonly what: string;
  /** Which visitors are affected; empty when none are. */
  readonly clients: string;
  /** Who gets an e-mail; empty when nobody does. */
  readonly email: string;
  /** Who can or should act, and how; empty when there is nothing to do. */
  readonly action: string;
  /** The complete API calls in `action`, in order. */
  readonly calls: readonly string[];
  /** The CAA record that decides, such as `customer.test allows letsencrypt.org`, or the lookup that failed. */
  readonly caa?: string;
}

/** The result of a rule for a certificate. `<zone>` and `<id>` in the calls stand for the certificate's own. */
export type Assessment = Pick<ChainAssessment, "verdict" | "what" | "clients" | "email" | "action" | "calls" | "caa">;

/** The result of a rule, together with the certificate that it applies to. */
export type Finding = Omit<ChainAssessment, "key">;

export const NOT_AFFECTED: Assessment = {
  verdict: "none",
  what: "Another authority issues it.",
  clients: "",
  email: "",
  action: "",
  calls: [],
};

/** Clients that cannot follow the self-signed chain. */
export const OLD_CLIENTS =
  "clients without the self-signed root in their trust store, for example Android 7.0 and earlier";

/** Which chain a certificate of the affected authority is served with, if the service issues it. */
export function servedChain(stage: ChainStage): string {
  return {
    before: "It may be served with the cross-signed chain.",
    switching: "It may be served with the cross-signed chain until 2024-09-09.",
    selfSigned: "It is issued with the self-signed chain; the cross-signed one expires on 2024-09-30.",
    expired: "It is served with the self-signed chain; the cross-signed one has expired.",
  }[stage];
}

export function affectedFrom(stage: ChainStage): string {
  return stage === "selfSigned" || stage === "expired" ? OLD_CLIENTS : `from 2024-09-09: ${OLD_CLIENTS}`;
}

/** The result for a certificate that is not in use; undefined for one that is, or may become, active. */
export function assessUnused(status: string | undefined): Assessment | undefined {
  return status === undefined || outcomeOf(status) !== "failed"
    ? undefined
    : { ...NOT_AFFECTED, what: `Not in use: its status is ${status}.` };
}
