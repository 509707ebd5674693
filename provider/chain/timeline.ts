/**
 * The dates of the chain change, in UTC; each date itself counts as after
 * (developers.cloudflare.com/ssl/reference/migration-guides/lets-encrypt-chain).
 */
export const CHAIN_TIMELINE = {
  /** The service starts moving managed certificates to another authority. */
  switching: "2024-06-01",
  /** The cross-signed chain is no longer used, in issuance or in bundling. */
  selfSigned: "2024-09-09",
  /** The cross-signed chain expires. */
  expired: "2024-09-30",
} as const;

/** A stage of the timeline. */
export type ChainStage = "before" | keyof typeof CHAIN_TIMELINE;

/** The stage that a date falls in. */
export function chainStage(at: Date): ChainStage {
  const day = at.toISOString().slice(0, 10);
  if (day >= CHAIN_TIMELINE.expired) return "expired";
  if (day >= CHAIN_TIMELINE.selfSigned) return "selfSigned";
  return day >= CHAIN_TIMELINE.switching ? "switching" : "before";
}
