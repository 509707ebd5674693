// Generated from the descriptions in provider/kinds/ by `npm run generate`. Edit these instead.

import type * as pulumi from "@pulumi/pulumi";
import { RulesetsResource } from "../rulesets-resource.js";
import type { DeployedRuleInfo } from "../../../../core/model/ruleset.js";
import type { Kind, Phase, RulesetRule as PlainRule } from "../../../../core/model/generated/rule.js";
import type { MigrationReport } from "../../../../core/previous-waf/readiness/report.js";
import type { RetrievedConfig } from "../../../../core/model/migration.js";
import type { Rules, RulesetRuleActionParametersOverrides } from "./inputs.js";

/** The arguments of a `PhaseEntrypoint`, one by one. */
export interface PhaseEntrypointSettings {
  /** Account whose entry point it is; excludes `zoneId`. Changing it replaces the entry point. */
  readonly accountId?: pulumi.Input<string | undefined>;
  /** Zone whose entry point it is; excludes `accountId`. Changing it replaces the entry point. */
  readonly zoneId?: pulumi.Input<string | undefined>;
  /** The phase. Changing it replaces the entry point. */
  readonly phase: pulumi.Input<Phase | (string & {})>;
  /** Name. @default "default", or the name of the existing entry point */
  readonly name?: pulumi.Input<string | undefined>;
  /** Free text. @default "" */
  readonly description?: pulumi.Input<string | undefined>;
  /** Rules in the order in which they run; `[]` explicitly means no rules. */
  readonly rules: Rules;
  /**
   * Which rules the program manages. `exclusive`: every rule of the ruleset. `shared`: only its own, alongside rules of
   * other stacks and people, which it never changes; it writes each rule with a separate request. Switching between the
   * two does not write anything by itself.
   * @default "exclusive"
   */
  readonly ownership?: pulumi.Input<"exclusive" | "shared" | undefined>;
  /**
   * By ref, rules that must run before or after a rule of somebody else in a shared ruleset. The order of `rules`
   * applies as well.
   * @default new rules go beside the program's other rules, or last
   */
  readonly positions?: pulumi.Input<Readonly<Record<string, pulumi.Input<ListedRulePosition>>> | undefined>;
  /**
   * What to do when rules already exist: `fail` stops unless nothing would be lost, `adopt` takes over if the program
   * contains every existing rule, `replace` deletes the others, `empty` does so even if the program contains no rules.
   * In a shared ruleset: `fail` stops if the ref of a rule belongs to a different existing rule, `adopt` takes over
   * such rules, and those that equal a rule of the program; the other values are refused.
   * @default "fail"
   */
  readonly onExisting?: pulumi.Input<"fail" | "adopt" | "replace" | "empty" | undefined>;
  /**
   * What to do when the ruleset was changed outside the stack since the last write and the program changes it too.
   * `RULESETS_ON_CONFLICT` overrides it for one run.
   * @default "fail"
   */
  readonly onConflict?: pulumi.Input<"fail" | "overwrite" | undefined>;
  /**
   * What deleting does: `empty` deletes the rules of an entry point and keeps its versions, `delete` deletes it
   * entirely, `keep` only removes it from the state. For a shared ruleset, `empty` deletes the program's own rules, and
   * `delete` is refused.
   * @default "empty" for entry points and shared rulesets, "delete" for other custom rulesets
   */
  readonly onDelete?: pulumi.Input<"empty" | "delete" | "keep" | undefined>;
  /**
   * Percentage of the existing rules that one run may remove; if it would remove more, the preview fails.
   * `RULESETS_MAX_REMOVED_PERCENT` overrides it for one run.
   * @default `rulesets:maxRemovedPercent`, or else 100
   */
  readonly maxRemovedPercent?: pulumi.Input<number | undefined>;
}

/** The outputs of a `PhaseEntrypoint`. */
export abstract class PhaseEntrypointOutputs extends RulesetsResource {
  /** Account whose entry point it is; excludes `zoneId`. Changing it replaces the entry point. */
  declare readonly accountId: pulumi.Output<string | undefined>;
  /** Zone whose entry point it is; excludes `accountId`. Changing it replaces the entry point. */
  declare readonly zoneId: pulumi.Output<string | undefined>;
  /** The phase. Changing it replaces the entry point. */
  declare readonly phase: pulumi.Output<string>;
  /** Name. */
  declare readonly name: pulumi.Output<string | undefined>;
  /** Free text. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** The rules as declared, in order, each with its `ref`; they can be used as the `rules` of another ruleset. */
  declare readonly rules: pulumi.Output<readonly PlainRule[]>;
  /** A number as a string, incremented with every change. */
  declare readonly version: pulumi.Output<string>;
  /** The version that the last write of this resource replaced; undefined if it has not replaced one. */
  declare readonly previousVersion: pulumi.Output<string | undefined>;
  /** RFC 3339, UTC. */
  declare readonly lastUpdated: pulumi.Output<string>;
  /** The service's ID of the ruleset. */
  declare readonly rulesetId: pulumi.Output<string>;
  /**
   * All deployed rules in order, including those of others, with `id`, `ref`, `version`, `action`, `description` and
   * `enabled`. Secret values are omitted.
   */
  declare readonly deployedRules: pulumi.Output<readonly DeployedRuleInfo[]>;
  /** Rule IDs by ref, for the rules of this program. */
  declare readonly ruleIds: pulumi.Output<Readonly<Record<string, string>>>;
}

/** The arguments of a `Ruleset`, one by one. */
export interface RulesetSettings {
  /** Account the ruleset belongs to; excludes `zoneId`. Changing it replaces the ruleset. */
  readonly accountId?: pulumi.Input<string | undefined>;
  /** Zone the ruleset belongs to; excludes `accountId`. Changing it replaces the ruleset. */
  readonly zoneId?: pulumi.Input<string | undefined>;
  /** Phase in which its rules run. Changing it replaces the ruleset. */
  readonly phase: pulumi.Input<Phase | (string & {})>;
  /** Name. A custom ruleset cannot be renamed, so changing it replaces the ruleset. */
  readonly name: pulumi.Input<string>;
  /** Free text. @default "" */
  readonly description?: pulumi.Input<string | undefined>;
  /** Rules in the order in which they run. @default [] */
  readonly rules?: Rules;
  /**
   * Which rules the program manages. `exclusive`: every rule of the ruleset. `shared`: only its own, alongside rules of
   * other stacks and people, which it never changes; it writes each rule with a separate request. Switching between the
   * two does not write anything by itself.
   * @default "exclusive"
   */
  readonly ownership?: pulumi.Input<"exclusive" | "shared" | undefined>;
  /**
   * By ref, rules that must run before or after a rule of somebody else in a shared ruleset. The order of `rules`
   * applies as well.
   * @default new rules go beside the program's other rules, or last
   */
  readonly positions?: pulumi.Input<Readonly<Record<string, pulumi.Input<ListedRulePosition>>> | undefined>;
  /**
   * What to do when rules already exist: `fail` stops unless nothing would be lost, `adopt` takes over if the program
   * contains every existing rule, `replace` deletes the others, `empty` does so even if the program contains no rules.
   * In a shared ruleset: `fail` stops if the ref of a rule belongs to a different existing rule, `adopt` takes over
   * such rules, and those that equal a rule of the program; the other values are refused.
   * @default "fail"
   */
  readonly onExisting?: pulumi.Input<"fail" | "adopt" | "replace" | "empty" | undefined>;
  /**
   * What to do when the ruleset was changed outside the stack since the last write and the program changes it too.
   * `RULESETS_ON_CONFLICT` overrides it for one run.
   * @default "fail"
   */
  readonly onConflict?: pulumi.Input<"fail" | "overwrite" | undefined>;
  /**
   * What deleting does: `empty` deletes the rules of an entry point and keeps its versions, `delete` deletes it
   * entirely, `keep` only removes it from the state. For a shared ruleset, `empty` deletes the program's own rules, and
   * `delete` is refused.
   * @default "empty" for entry points and shared rulesets, "delete" for other custom rulesets
   */
  readonly onDelete?: pulumi.Input<"empty" | "delete" | "keep" | undefined>;
  /**
   * Percentage of the existing rules that one run may remove; if it would remove more, the preview fails.
   * `RULESETS_MAX_REMOVED_PERCENT` overrides it for one run.
   * @default `rulesets:maxRemovedPercent`, or else 100
   */
  readonly maxRemovedPercent?: pulumi.Input<number | undefined>;
  /**
   * `custom`, or the entry point of a phase: `zone` in a zone, `root` in an account. Changing it replaces the ruleset.
   */
  readonly kind: pulumi.Input<Kind | (string & {})>;
  /** ID of an existing ruleset to take over. `onExisting` then defaults to "adopt". */
  readonly rulesetId?: pulumi.Input<string | undefined>;
}

/** The outputs of a `Ruleset`. */
export abstract class RulesetOutputs extends RulesetsResource {
  /** Account the ruleset belongs to; excludes `zoneId`. Changing it replaces the ruleset. */
  declare readonly accountId: pulumi.Output<string | undefined>;
  /** Zone the ruleset belongs to; excludes `accountId`. Changing it replaces the ruleset. */
  declare readonly zoneId: pulumi.Output<string | undefined>;
  /** Phase in which its rules run. Changing it replaces the ruleset. */
  declare readonly phase: pulumi.Output<string>;
  /** Name. A custom ruleset cannot be renamed, so changing it replaces the ruleset. */
  declare readonly name: pulumi.Output<string>;
  /** Free text. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** The rules as declared, in order, each with its `ref`; they can be used as the `rules` of another ruleset. */
  declare readonly rules: pulumi.Output<readonly PlainRule[]>;
  /**
   * `custom`, or the entry point of a phase: `zone` in a zone, `root` in an account. Changing it replaces the ruleset.
   */
  declare readonly kind: pulumi.Output<string>;
  /** A number as a string, incremented with every change. */
  declare readonly version: pulumi.Output<string>;
  /** The version that the last write of this resource replaced; undefined if it has not replaced one. */
  declare readonly previousVersion: pulumi.Output<string | undefined>;
  /** RFC 3339, UTC. */
  declare readonly lastUpdated: pulumi.Output<string>;
  /** The service's ID. Known in the preview of an update. */
  declare readonly rulesetId: pulumi.Output<string>;
  /**
   * All deployed rules in order, including those of others, with `id`, `ref`, `version`, `action`, `description` and
   * `enabled`. Secret values are omitted.
   */
  declare readonly deployedRules: pulumi.Output<readonly DeployedRuleInfo[]>;
  /** Rule IDs by ref, for the rules of this program. */
  declare readonly ruleIds: pulumi.Output<Readonly<Record<string, string>>>;
}

/** The arguments of a `RulesetRule`, one by one. */
export interface RulesetRuleSettings {
  /** Account whose ruleset it is in; excludes `zoneId`. Changing it replaces the rule. */
  readonly accountId?: pulumi.Input<string | undefined>;
  /** Zone whose ruleset it is in; excludes `accountId`. Changing it replaces the rule. */
  readonly zoneId?: pulumi.Input<string | undefined>;
  /**
   * The phase whose entry point it is in, which is created if it does not exist; excludes `rulesetId`. Changing it
   * replaces the rule.
   */
  readonly phase?: pulumi.Input<Phase | (string & {}) | undefined>;
  /** ID of the ruleset it is in; excludes `phase`. Changing it replaces the rule. */
  readonly rulesetId?: pulumi.Input<string | undefined>;
  /**
   * Name of the rule in its ruleset. The service keeps a rule's ID only while its ref does not change, so changing it
   * replaces the rule.
   * @default derived from the resource's name
   */
  readonly ref?: pulumi.Input<string | undefined>;
  /** ID of an existing rule to take over. */
  readonly ruleId?: pulumi.Input<string | undefined>;
  /**
   * What to do when a rule with that ref exists: `fail` stops unless it equals this one, `adopt` takes it over and
   * changes it.
   * @default "fail"
   */
  readonly onExisting?: pulumi.Input<"fail" | "adopt" | undefined>;
  /**
   * What to do when the rule was changed outside the stack since the last write and the program changes it too.
   * `RULESETS_ON_CONFLICT` overrides it for one run.
   * @default "fail"
   */
  readonly onConflict?: pulumi.Input<"fail" | "overwrite" | undefined>;
  /**
   * What deleting does: `delete` deletes the rule from its ruleset, `keep` only removes it from the state.
   * @default "delete"
   */
  readonly onDelete?: pulumi.Input<"delete" | "keep" | undefined>;
}

/** The outputs of a `RulesetRule`. */
export abstract class RulesetRuleOutputs extends RulesetsResource {
  /** Account whose ruleset it is in; excludes `zoneId`. Changing it replaces the rule. */
  declare readonly accountId: pulumi.Output<string | undefined>;
  /** Zone whose ruleset it is in; excludes `accountId`. Changing it replaces the rule. */
  declare readonly zoneId: pulumi.Output<string | undefined>;
  /** The phase in which it runs. */
  declare readonly phase: pulumi.Output<string>;
  /** Known in the preview. */
  declare readonly ref: pulumi.Output<string>;
  declare readonly action: pulumi.Output<PlainRule["action"]>;
  declare readonly actionParameters: pulumi.Output<PlainRule["actionParameters"]>;
  declare readonly description: pulumi.Output<PlainRule["description"]>;
  declare readonly enabled: pulumi.Output<PlainRule["enabled"]>;
  declare readonly exposedCredentialCheck: pulumi.Output<PlainRule["exposedCredentialCheck"]>;
  declare readonly expression: pulumi.Output<PlainRule["expression"]>;
  declare readonly logging: pulumi.Output<PlainRule["logging"]>;
  declare readonly ratelimit: pulumi.Output<PlainRule["ratelimit"]>;
  declare readonly wire: pulumi.Output<PlainRule["wire"]>;
  /** The service's ID of the rule; it does not change when the rule is edited or moved. */
  declare readonly ruleId: pulumi.Output<string>;
  /** The service's ID of the ruleset. */
  declare readonly rulesetId: pulumi.Output<string>;
  /**
   * Version of the rule, not of its ruleset: a number as a string, incremented with every change of the rule's content.
   */
  declare readonly version: pulumi.Output<string>;
  /** When the rule was last changed: RFC 3339, UTC. */
  declare readonly lastUpdated: pulumi.Output<string>;
}

/** The arguments of a `ZoneWafMigration`, one by one. */
export interface ZoneWafMigrationSettings {
  /** The zone. It cannot be changed. */
  readonly zoneId: pulumi.Input<string>;
  /**
   * `validation` runs both implementations, the new one first (Enterprise zones only); `pending` finishes the
   * migration. The API's `2` and `1` are accepted as well. Going from validation to pending is an update, which cannot
   * be undone.
   */
  readonly mode: pulumi.Input<"validation" | "pending" | "1" | "2">;
  /** Required for `pending`: the zone's name, which must match `zoneId`, or `true`. */
  readonly acknowledgeIrreversible?: pulumi.Input<boolean | string | undefined>;
  /** Digest of a reviewed configuration, from a preview or `configDigest`; any other configuration is refused. */
  readonly expectedConfig?: pulumi.Input<string | undefined>;
  /** Changes to the retrieved configuration. Excludes `rules`. */
  readonly adjustments?: pulumi.Input<MigrationAdjustments | undefined>;
  /** The final rules, instead of the retrieved ones. Excludes `adjustments`. */
  readonly rules?: Rules;
  /**
   * What to do when the entry point contains rules that the result does not contain: `fail` stops, `replace` deletes
   * them, `empty` deletes them even if the result contains no rules.
   * @default "fail"
   */
  readonly existingRules?: pulumi.Input<"fail" | "replace" | "empty" | undefined>;
  /** Whether to wait until the switch is complete; otherwise the next `up` or refresh completes it. @default true */
  readonly wait?: pulumi.Input<boolean | undefined>;
  /** Longest wait in seconds; the switch takes minutes, up to an hour. @default 3600 */
  readonly waitTimeoutSeconds?: pulumi.Input<number | undefined>;
}

/** The outputs of a `ZoneWafMigration`. */
export abstract class ZoneWafMigrationOutputs extends RulesetsResource {
  /** The zone. It cannot be changed. */
  declare readonly zoneId: pulumi.Output<string>;
  /** The step that the program requests. */
  declare readonly mode: pulumi.Output<"validation" | "pending">;
  /** Whether the zone could migrate before the step, according to the service. */
  declare readonly compatibleBefore: pulumi.Output<boolean | undefined>;
  /** The generated configuration, exactly as the service returned it; known in the preview. */
  declare readonly retrievedConfig: pulumi.Output<RetrievedConfig | undefined>;
  /** Digest of the configuration, for `expectedConfig`; known in the preview. */
  declare readonly configDigest: pulumi.Output<string | undefined>;
  /**
   * The rules that are written, after adjustments; known in the preview. For a zone that is already migrated, the rules
   * of its entry point. A `PhaseEntrypoint` can adopt them unchanged.
   */
  declare readonly plannedRules: pulumi.Output<readonly PlainRule[]>;
  /** The readiness report, as it was before the step; known in the preview. */
  declare readonly report: pulumi.Output<MigrationReport | undefined>;
  /** The service's own name for the status. */
  declare readonly migrationState: pulumi.Output<string>;
  /** The status of the zone: `notStarted`, `validation`, `finishing`, `finished`. */
  declare readonly phase: pulumi.Output<"notStarted" | "validation" | "finishing" | "finished">;
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
  /** When this stack saw the migration finish, RFC 3339, UTC; absent if the zone was already migrated. */
  declare readonly finishedAt: pulumi.Output<string | undefined>;
}

/**
 * The position of a rule of a shared list among the rules of others; exactly one of the two. The other rule is given
 * by its ref or its ID.
 */
export interface ListedRulePosition {
  /** Runs before that rule, possibly with others in between. */
  readonly before?: pulumi.Input<string | undefined>;
  /** Runs after that rule, possibly with others in between. */
  readonly after?: pulumi.Input<string | undefined>;
}

/**
 * Changes to the retrieved configuration, applied in this order. Rules that are not selected stay exactly as
 * retrieved.
 */
export interface MigrationAdjustments {
  /** Rules to omit. */
  readonly drop?: pulumi.Input<readonly pulumi.Input<MigrationRuleSelector>[] | undefined>;
  /** Rules to write but disable. */
  readonly disable?: pulumi.Input<readonly pulumi.Input<MigrationRuleSelector>[] | undefined>;
  /** Overrides to add to rules that execute managed rulesets. */
  readonly overrides?: pulumi.Input<readonly pulumi.Input<MigrationOverrides>[] | undefined>;
  /** Rules before the retrieved ones. Exceptions (action `skip`) belong here: they only affect rules after them. */
  readonly prepend?: Rules;
  /** Rules after the retrieved ones. */
  readonly append?: Rules;
}

/** Selects rules of the retrieved configuration, which have no IDs yet. All given fields must match exactly. */
export interface MigrationRuleSelector {
  /** ID of the managed ruleset that the rule executes; see `managedRulesets`. */
  readonly executes?: pulumi.Input<string | undefined>;
  /** The rule's description. */
  readonly description?: pulumi.Input<string | undefined>;
  /** The rule's expression. */
  readonly expression?: pulumi.Input<string | undefined>;
  /** The rule's action. */
  readonly action?: pulumi.Input<string | undefined>;
}

/**
 * Overrides for an executed managed ruleset: for single rules (`rules`), for tags (`categories`), or for all of its
 * rules. An action for all rules replaces every action of the retrieved overrides.
 */
export interface MigrationOverrides extends RulesetRuleActionParametersOverrides {
  /** ID of the managed ruleset. @default every ruleset that the configuration executes */
  readonly rulesetId?: pulumi.Input<string | undefined>;
}
