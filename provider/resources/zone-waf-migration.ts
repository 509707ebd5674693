import type * as pulumi from "@pulumi/pulumi";
import type { MigrationReport } from "../kinds/waf-migration/readiness/report.js";
import type { MigrationPhase, RetrievedConfig } from "../model/migration.js";
import type { DeployedRuleInfo } from "../model/ruleset.js";
import type { RulesetRule, RulesetRuleActionParametersOverrides } from "./generated/inputs.js";
import { ZONE_WAF_MIGRATION } from "../kinds/waf-migration/description.js";
import { OwnResource } from "./own-resource.js";
import { prepareKind, readOptions, typeToken } from "./prepare.js";
import { isOfType } from "./ruleset-resource.js";

/** Names rules of the retrieved configuration, which have no ids yet. Every field that is given must match exactly. */
export interface MigrationRuleSelector {
  /** Id of the managed ruleset that the rule executes; see `managedRulesets`. */
  readonly executes?: pulumi.Input<string | undefined>;
  readonly description?: pulumi.Input<string | undefined>;
  readonly expression?: pulumi.Input<string | undefined>;
  readonly action?: pulumi.Input<string | undefined>;
}

/**
 * Changes to what an executed managed ruleset does: of single rules (`rules`), of tags (`categories`), or of the whole.
 * An action for the whole takes the place of every action that the retrieved overrides give in detail.
 */
export interface MigrationOverrides extends RulesetRuleActionParametersOverrides {
  /** Id of the managed ruleset. @default every ruleset the configuration executes */
  readonly rulesetId?: pulumi.Input<string | undefined>;
}

/** What is changed of the retrieved configuration, in this order. Rules that nothing names stay exactly as retrieved. */
export interface MigrationAdjustments {
  /** Rules that are left out. */
  readonly drop?: pulumi.Input<pulumi.Input<MigrationRuleSelector>[] | undefined>;
  /** Rules that are written but do not run. */
  readonly disable?: pulumi.Input<pulumi.Input<MigrationRuleSelector>[] | undefined>;
  readonly overrides?: pulumi.Input<pulumi.Input<MigrationOverrides>[] | undefined>;
  /** Rules before the retrieved ones. Exceptions (action `skip`) belong here: they only affect rules after them. */
  readonly prepend?: pulumi.Input<pulumi.Input<RulesetRule>[] | undefined>;
  /** Rules after the retrieved ones. */
  readonly append?: pulumi.Input<pulumi.Input<RulesetRule>[] | undefined>;
}

/** Arguments of {@link ZoneWafMigration}. */
export interface ZoneWafMigrationArgs {
  /** The zone. A migration belongs to it for ever. */
  readonly zoneId: pulumi.Input<string>;
  /**
   * `validation` runs both implementations, the new one first (Enterprise zones only); `pending` finishes for good. The
   * API's `2` and `1` are accepted as well. From validation to pending is an update; there is no way back.
   */
  readonly mode: pulumi.Input<"validation" | "pending" | "1" | "2">;
  /** Needed for `pending`: the zone's name, which is compared with `zoneId`, or `true`. */
  readonly acknowledgeIrreversible?: pulumi.Input<boolean | string | undefined>;
  /** Digest of a reviewed configuration, as a preview and `configDigest` give it; another configuration is refused. */
  readonly expectedConfig?: pulumi.Input<string | undefined>;
  /** Changes to the retrieved configuration. Excludes `rules`. */
  readonly adjustments?: pulumi.Input<MigrationAdjustments | undefined>;
  /** The final rules, in place of the retrieved ones. */
  readonly rules?: pulumi.Input<pulumi.Input<RulesetRule>[] | undefined>;
  /**
   * What to do when the entry point holds rules that the result does not contain: `fail` stops, `replace` drops them,
   * `empty` drops them even where the result holds no rule at all.
   * @default "fail"
   */
  readonly existingRules?: pulumi.Input<"fail" | "replace" | "empty" | undefined>;
  /** Whether to wait until the switch is complete; otherwise the next `up` or refresh completes it. @default true */
  readonly wait?: pulumi.Input<boolean | undefined>;
  /** Longest wait in seconds; the switch takes minutes, up to an hour. @default 3600 */
  readonly waitTimeoutSeconds?: pulumi.Input<number | undefined>;
}

/**
 * Moves a zone from the previous WAF to rulesets. The step cannot be undone: the preview is a readiness report, the
 * resource is protected unless `protect: false` says otherwise, and deleting it is refused.
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
  declare readonly mode: pulumi.Output<"validation" | "pending">;
  /** Whether the zone could go, as the service said before the step. */
  declare readonly compatible: pulumi.Output<boolean | undefined>;
  /** The status of the zone: `notStarted`, `validation`, `finishing`, `finished`. */
  declare readonly phase: pulumi.Output<MigrationPhase>;
  /** The same in the service's own words. */
  declare readonly migrationState: pulumi.Output<string>;
  /** `enabled` or `disabled`. */
  declare readonly previousWaf: pulumi.Output<string>;
  declare readonly newWaf: pulumi.Output<string>;
  /** The entry point of `http_request_firewall_managed`. */
  declare readonly rulesetId: pulumi.Output<string | undefined>;
  declare readonly rulesetVersion: pulumi.Output<string | undefined>;
  declare readonly deployedRules: pulumi.Output<readonly DeployedRuleInfo[] | undefined>;
  /**
   * The rules that are written, after adjustments; known in the preview. Of a zone that is found migrated, those that
   * stand in its entry point. A `PhaseEntrypoint` adopts them as they are.
   */
  declare readonly plannedRules: pulumi.Output<RulesetRule[]>;
  /** The generated configuration, exactly as the service gave it; known in the preview. */
  declare readonly retrievedConfig: pulumi.Output<RetrievedConfig | undefined>;
  /** Digest of it, for `expectedConfig`; known in the preview. */
  declare readonly configDigest: pulumi.Output<string | undefined>;
  /** The readiness report; known in the preview. */
  declare readonly report: pulumi.Output<MigrationReport | undefined>;
  /** When this stack saw the finish, RFC 3339, UTC; missing when the zone had been migrated before. */
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

  /** Whether a value is a migration, whichever copy of this package made it. */
  static override isInstance(value: unknown): value is ZoneWafMigration {
    return isOfType(value, ZoneWafMigration.__pulumiType);
  }
}
