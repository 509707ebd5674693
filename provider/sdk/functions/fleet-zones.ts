import { Config } from "@pulumi/pulumi";

/** A zone of a fleet. */
export interface FleetZone {
  readonly id: string;
  readonly name: string;
  /** `free`, `pro`, `business` or `enterprise`. */
  readonly plan: string;
  readonly accountId: string;
}

/**
 * The zones that this stack is for: those of its shard. `pulumi-rulesets fleet` writes them to the setting `fleet:zones` of each stack.
 *
 * @example
 * ```ts
 * for (const zone of fleetZones()) new PhaseEntrypoint(zone.name, { zoneId: zone.id, … });
 * ```
 */
export function fleetZones(): readonly FleetZone[] {
  const zones = new Config("fleet").getObject<readonly FleetZone[]>("zones");
  if (zones !== undefined) return zones;
  throw new Error(
    "this stack has no zones: `pulumi-rulesets fleet plan` writes them to the stacks of a fleet. To continue without it: " +
      'pulumi config set fleet:zones \'[{"id":"<zone ID>","name":"example.com","plan":"pro","accountId":"<account ID>"}]\'',
  );
}
