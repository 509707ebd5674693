import { dayOf } from "../model/day.js";

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
  const day = dayOf(at);
  if (day >= CHAIN_TIMELINE.expired) return "expired";
  if (day >= CHAIN_TIMELINE.selfSigned) return "selfSigned";
  return day >= CHAIN_TIMELINE.switching ? "switching" : "before";
}

const RFC_3339 = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?$/i;

/** The instant of an RFC 3339 time in any offset, UTC where it names none; undefined for any other text. */
export function instantOf(time: string | undefined): Date | undefined {
  const [, day, clock = "00:00", offset = "Z"] = RFC_3339.exec(time?.trim() ?? "") ?? [];
  const instant = new Date(`${day ?? ""}T${clock}${offset.replace(/(\d\d):?(\d\d)$/, "$1:$2").toUpperCase()}`);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}
