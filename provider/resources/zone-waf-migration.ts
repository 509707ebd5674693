import type * as pulumi from "@pulumi/pulumi";
import type { MigrationReport } from "../previous-waf/readiness/report.js";
import type { MigrationPhase, RetrievedConfig } from "../model/migration.js";
import type { DeployedRuleInfo } from "../model/ruleset.js";
import type { AnyRule, RulesetRule, RulesetRuleActionParametersOverrides } from "./generated/inputs.js";
import { ZONE_WAF_MIGRATION } from "../kinds/waf-migration/description.js";
import { OwnResource } from "./own-resource.js";
import { prepareKind, readOptions, typeToken } from "./prepare.js";
import { isOfType } from "./ruleset-resource.js";

/** Selects rules of the retrieved configuration, which have no IDs yet. All given fields must match exactly. */
export interface MigrationRuleSelector {
  /** ID of the managed ruleset that the rule executes; see `managedRulesets`. */
  readonly executes?: pulumi.Input<string | undefined>;
  readonly description?: pulumi.Input<string | undefined>;
  readonly expression?: pulumi.Input<string | undefined>;
  readonly action?: pulumi.Input<string | undefined>;
}

/**
 * Overrides for an executed managed ruleset: for single rules (`rules`), for tags (`categories`), or for all of its rules.
 * An action for all rules replaces every action of the retrieved overrides.
 */
export interface MigrationOverrides extends RulesetRuleActionParametersOverrides {
  /** ID of the managed ruleset. @default every ruleset that the configuration executes */
  readonly rulesetId?: pulumi.Input<string | undefined>;
}

/** Changes to the retrieved configuration, applied in this order. Rules that are not selected stay exactly as retrieved. */
export interface MigrationAdjustments {
  /** Rules to omit. */
  readonly drop?: pulumi.Input<pulumi.Input<MigrationRuleSelector>[] | undefined>;
  /** Rules to write but disable. */
  readonly disable?: pulumi.Input<pulumi.Input<MigrationRuleSelector>[] | undefined>;
  readonly overrides?: pulumi.Input<pulumi.Input<MigrationOverrides>[] | undefined>;
  /** Rules before the retrieved ones. Exceptions (action `skip`) belong here: they only affect rules after them. */
  readonly prepend?: pulumi.Input<readonly pulumi.Input<AnyRule>[] | undefined>;
  /** Rules after the retrieved ones. */
  readonly append?: pulumi.Input<readonly pulumi.Input<AnyRule>[] | undefined>;
}

/** Arguments of {@link ZoneWafMigration}. */
export interface ZoneWafMigrationArgs {
  /** The zone. It cannot be changed. */
  readonly zoneId: pulumi.Input<string>;
  /**
   * `validation` runs both implementations, the new one first (Enterprise zones only); `pending` finishes the migration. The
   * API's `2` and `1` are accepted as well. Going from validation to pending is an update, which cannot be undone.
   */
  readonly mode: pulumi.Input<"validation" | "pending" | "1" | "2">;
  /** Required for `pending`: the zone's name, which must match `zoneId`, or `true`. */
  readonly acknowledgeIrreversible?: pulumi.Input<boolean | string | undefined>;
  /** Digest of a reviewed configuration, from a preview or `configDigest`; any other configuration is refused. */
  readonly expectedConfig?: pulumi.Input<string | undefined>;
  /** Changes to the retrieved configuration. Excludes `rules`. */
  readonly adjustments?: pulumi.Input<MigrationAdjustments | undefined>;
  /** The final rules, instead of the retrieved ones. Excludes `adjustments`. */
  readonly rules?: pulumi.Input<readonly pulumi.Input<AnyRule>[] | undefined>;
  /**
   * What to do when the entry point contains rules that the result does not contain: `fail` stops, `replace` deletes them,
   * `empty` deletes them even if the result contains no rules.
   * @default "fail"
   */
  readonly existingRules?: pulumi.Input<"fail" | "replace" | "empty" | undefined>;
  /** Whether to wait until the switch is complete; otherwise the next `up` or refresh completes it. @default true */
  readonly wait?: pulumi.Input<boolean | undefined>;
  /** Longest wait in seconds; the switch takes minutes, up to an hour. @default 3600 */
  readonly waitTimeoutSeconds?: pulumi.Input<number | undefined>;
}

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
export class ZoneWafMigration extends OwnResource {
  static readonly __pulumiType = typeToken(ZONE_WAF_MIGRATION.type);

  declare readonly zoneId: pulumi.Output<string>;
  /** The step that the program requests. */
  declare readonly mode: pulumi.Output<"validation" | "pending">;
  /** Whether the zone could migrate, according to the service before the step. */
  declare readonly compatible: pulumi.Output<boolean | undefined>;
  /** The status of the zone: `notStarted`, `validation`, `finishing`, `finished`. */
  declare readonly phase: pulumi.Output<MigrationPhase>;
  /** The service's own name for the status. */
  declare readonly migrationState: pulumi.Output<string>;
  /** `enabled` or `disabled`. */
  declare readonly previousWaf: pulumi.Output<string>;
  /** `enabled` or `disabled`. */
  declare readonly newWaf: pulumi.Output<string>;
  /** The entry point of `http_request_firewall_managed`. */
  declare readonly rulesetId: pulumi.Output<string | undefined>;
  /** Its version. */
  declare readonly rulesetVersion: pulumi.Output<string | undefined>;
  /** Its rules, in order. */
  declare readonly deployedRules: pulumi.Output<readonly DeployedRuleInfo[] | undefined>;
  /**
   * The rules that are written, after adjustments; known in the preview. For a zone that is already migrated, the rules of
   * its entry point. A `PhaseEntrypoint` can adopt them unchanged.
   */
  declare readonly plannedRules: pulumi.Output<RulesetRule[]>;
  /** The generated configuration, exactly as the service returned it; known in the preview. */
  declare readonly retrievedConfig: pulumi.Output<RetrievedConfig | undefined>;
  /** Digest of the configuration, for `expectedConfig`; known in the preview. */
  declare readonly configDigest: pulumi.Output<string | undefined>;
  /** The readiness report; known in the preview. */
  declare readonly report: pulumi.Output<MigrationReport | undefined>;
  /** When this stack saw the migration finish, RFC 3339, UTC; absent if the zone was already migrated. */
  declare readonly finishedAt: pulumi.Output<string | undefined>;

  constructor(name: string, args: ZoneWafMigrationArgs, opts: pulumi.CustomResourceOptions = {}) {
    const prepared = prepareKind<typeof ZONE_WAF_MIGRATION, ZoneWafMigrationArgs, ZoneWafMigration>(
      ZONE_WAF_MIGRATION,
      name,
      args,
      {
        ...opts,
        protect: opts.protect ?? true,
      },
    );
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
