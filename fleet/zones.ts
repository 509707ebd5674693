import { isZone } from "../invariants/applies.js";
import type { Token, ZoneSelection } from "./definition.js";

/** A zone of a fleet, as the program of a shard gets it. */
export interface FleetZone {
  readonly id: string;
  readonly name: string;
  /** `free`, `pro`, `business` or `enterprise`. */
  readonly plan: string;
  readonly accountId: string;
}

/** The zones that a fleet selects. */
export function selectFleetZones(
  zones: readonly FleetZone[],
  { accounts, include, exclude = [], plans }: ZoneSelection,
): readonly FleetZone[] {
  const isIn = (zone: FleetZone, patterns: readonly string[]): boolean =>
    patterns.some((pattern) => isZone(pattern, zone));
  return zones.filter(
    (zone) =>
      (accounts === undefined || accounts.includes(zone.accountId)) &&
      (plans === undefined || plans.some((plan) => plan === zone.plan)) &&
      (include === undefined || isIn(zone, include)) &&
      !isIn(zone, exclude),
  );
}

/** The token for the zones of an account; undefined if there is none. */
export function tokenOf(accountId: string, tokens: readonly Token[]): Token | undefined {
  return (
    tokens.find(({ accounts }) => accounts?.includes(accountId)) ??
    tokens.find(({ accounts }) => accounts === undefined)
  );
}
