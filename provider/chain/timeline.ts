/** The days of the chain change, in UTC; the day itself counts as after (developers.cloudflare.com/ssl/reference/migration-guides/lets-encrypt-chain). */
export const CHAIN_TIMELINE = {
  /** The service starts moving managed certificates to another authority. */
  switching: "2024-06-01",
  /** The cross-signed chain is used no more, in issuance and in bundling. */
  selfSigned: "2024-09-09",
  /** The cross-signed chain expires. */
  expired: "2024-09-30",
} as const;

/** Where a date falls. */
export type ChainStage = "before" | keyof typeof CHAIN_TIMELINE;

/** Where a date falls in the timeline. */
export function chainStage(at: Date): ChainStage {
  const day = at.toISOString().slice(0, 10);
  if (day >= CHAIN_TIMELINE.expired) return "expired";
  if (day >= CHAIN_TIMELINE.selfSigned) return "selfSigned";
  return day >= CHAIN_TIMELINE.switching ? "switching" : "before";
}
