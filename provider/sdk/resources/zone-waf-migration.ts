import type * as pulumi from "@pulumi/pulumi";
import { ZONE_WAF_MIGRATION } from "../../kinds/waf-migration/description.js";
import { ZoneWafMigrationOutputs, type ZoneWafMigrationSettings } from "./generated/bases.js";
import { isOfType } from "./rulesets-resource.js";
import { prepareKind, readOptions, typeToken } from "./prepare.js";

/** Arguments of {@link ZoneWafMigration}. */
export type ZoneWafMigrationArgs = ZoneWafMigrationSettings;

/**
 * Migrates a zone from the previous WAF to rulesets. This cannot be undone: the preview is a readiness report, the resource
 * is protected unless `protect: false` is set, and it cannot be deleted.
 *
 * @example
 * ```ts
 * const migration = new ZoneWafMigration("shop", {
 *   zoneId,
 *   mode: "pending",
 *   acknowledgeIrreversible: "shop.example.com",
 * });
 * ```
 */
export class ZoneWafMigration extends ZoneWafMigrationOutputs {
  static readonly __pulumiType = typeToken(ZONE_WAF_MIGRATION.type);

  constructor(name: string, args: ZoneWafMigrationArgs, opts: pulumi.CustomResourceOptions = {}) {
    const prepared = prepareKind(ZONE_WAF_MIGRATION, name, args, { ...opts, protect: opts.protect ?? true });
    super(ZoneWafMigration.__pulumiType, name, prepared);
  }

  /**
   * Reads a migration that this program does not manage.
   * @param id `zones/<zoneId>/waf-migration`
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state: Partial<ZoneWafMigrationArgs> = {},
    opts: pulumi.CustomResourceOptions = {},
  ): ZoneWafMigration {
    const options = readOptions(ZONE_WAF_MIGRATION.type, name, id, { ...opts, protect: opts.protect ?? false });
    return new ZoneWafMigration(name, state as ZoneWafMigrationArgs, options);
  }

  /** Whether a value is a `ZoneWafMigration`, whichever copy of this package created it. */
  static override isInstance(value: unknown): value is ZoneWafMigration {
    return isOfType(value, ZoneWafMigration.__pulumiType);
  }
}
