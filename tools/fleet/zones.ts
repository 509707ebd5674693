import { isZone } from "../../core/invariants/applies.js";
import type { Token, Wave, ZoneSelection } from "./definition.js";

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

/** The names, patterns and IDs that none of the zones has. */
export function withoutZone(patterns: readonly string[], zones: readonly FleetZone[]): readonly string[] {
  return patterns.filter((pattern) => !zones.some((zone) => isZone(pattern, zone)));
}

/**
 * Throws if a wave names a zone that is not in the fleet: without its canaries, a rollout would begin with the next wave.
 */
export function requireNamedZones(waves: readonly Wave[], zones: readonly FleetZone[]): void {
  for (const { name, share } of waves) {
    const [missing] = share.kind === "zones" ? withoutZone(share.patterns, zones) : [];
    if (missing !== undefined)
      throw new Error(
        `the wave ${name} names ${missing}, but no zone of the fleet has that name. To continue: correct it in fleet.yaml, or remove it`,
      );
  }
}

/** The token for the zones of an account; undefined if there is none. */
export function tokenOf(accountId: string, tokens: readonly Token[]): Token | undefined {
  return (
    tokens.find(({ accounts }) => accounts?.includes(accountId)) ??
    tokens.find(({ accounts }) => accounts === undefined)
  );
}
