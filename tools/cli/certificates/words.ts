import type { CertificateKind, ChainAssessment } from "../../../core/certificates/assessment.js";

export type Verdict = ChainAssessment["verdict"];
/** Display names of certificate kinds. */
export const KIND_WORDS: Readonly<Record<CertificateKind, string>> = {
  universal: "Universal",
  advanced: "Advanced",
  totalTls: "Total TLS",
  custom: "Custom",
  customHostname: "Custom hostname",
  other: "Other",
};

/** Display names of verdicts. */
export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  act: "action needed",
  watch: "to watch",
  automatic: "handled by the service",
  none: "not affected",
};

/** The most urgent first. */
export const VERDICTS: readonly Verdict[] = ["act", "watch", "automatic", "none"];

/** The hosts of a certificate, at most three. */
export function shortName(name: string): string {
  const hosts = name.split(", ");
  return hosts.length <= 3 ? name : `${hosts.slice(0, 2).join(", ")} and ${String(hosts.length - 2)} more`;
}
