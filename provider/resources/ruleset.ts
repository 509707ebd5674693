import * as pulumi from "@pulumi/pulumi";
import { shortRulesetId } from "../model/ids.js";
import type { Kind, Phase } from "../model/generated/rule.js";
import type { OnConflict, OnDelete, OnExisting } from "../model/options.js";
import type { DeployedRuleInfo } from "../model/ruleset.js";
import type { RulesetRule } from "./generated/inputs.js";
import { prepare, typeToken } from "./prepare.js";

/** Arguments that say what to do about others; they are no property of the ruleset. */
export interface OwnershipArgs {
  /**
   * What to do when rules already stand there: `fail` stops unless nothing would be lost, `adopt` takes over when the
   * program holds every rule, `replace` drops the rest.
   * @default "fail"
   */
  readonly onExisting?: pulumi.Input<OnExisting | undefined>;
  /**
   * What to do when somebody else changed the ruleset since the last write and the program changes it too.
   * `RULESETS_ON_CONFLICT` overrides it for one run.
   * @default "fail"
   */
  readonly onConflict?: pulumi.Input<OnConflict | undefined>;
  /**
   * What deleting does: `empty` drops the rules of an entry point and keeps its versions, `delete` drops all of it,
   * `keep` only forgets it.
   * @default "empty" for entry points, "delete" for custom rulesets
   */
  readonly onDelete?: pulumi.Input<OnDelete | undefined>;
}

/** Arguments of {@link Ruleset}. */
export interface RulesetArgs extends OwnershipArgs {
  /** Account the ruleset belongs to; excludes `zoneId`. Changing it replaces the ruleset. */
  readonly accountId?: pulumi.Input<string | undefined>;
  /** Zone the ruleset belongs to; excludes `accountId`. Changing it replaces the ruleset. */
  readonly zoneId?: pulumi.Input<string | undefined>;
  /** `custom`, or the entry point of a phase: `zone` in a zone, `root` in an account. Changing it replaces the ruleset. */
  readonly kind: pulumi.Input<Kind | (string & {})>;
  /** Name. That of a custom ruleset cannot change, so changing it replaces the ruleset. */
  readonly name: pulumi.Input<string>;
  /** Phase whose rules it holds. Changing it replaces the ruleset. */
  readonly phase: pulumi.Input<Phase | (string & {})>;
  /** Free text. @default "" */
  readonly description?: pulumi.Input<string | undefined>;
  /** Rules in the order they run. @default [] */
  readonly rules?: pulumi.Input<pulumi.Input<RulesetRule>[] | undefined>;
  /** Id of a ruleset that exists and shall be taken over, with `onExisting: "adopt"` unless that says otherwise. */
  readonly rulesetId?: pulumi.Input<string | undefined>;
}

/** What {@link Ruleset.get} may be told beside the id. */
export type RulesetState = Partial<RulesetArgs>;

const OUTPUTS = ["accountId", "zoneId", "kind", "name", "phase", "description", "rules", "deployedRules", "lastUpdated", "ruleIds", "version"];

/**
 * A ruleset of any kind that can be created: a custom ruleset, or the entry point of a phase.
 *
 * @example
 * ```ts
 * const blocked = new Ruleset("blocked", {
 *   accountId,
 *   kind: "custom",
 *   name: "Blocked paths",
 *   phase: "http_request_firewall_custom",
 *   rules: [{ action: "block", expression: 'starts_with(http.request.uri.path, "/admin")', description: "Block admin" }],
 * });
 * ```
 */
export class Ruleset extends pulumi.CustomResource {
  static readonly __pulumiType = typeToken("Ruleset");

  declare readonly accountId: pulumi.Output<string | undefined>;
  declare readonly zoneId: pulumi.Output<string | undefined>;
  declare readonly kind: pulumi.Output<string>;
  declare readonly name: pulumi.Output<string>;
  declare readonly phase: pulumi.Output<string>;
  declare readonly description: pulumi.Output<string | undefined>;
  /** The rules as declared, by ref. */
  declare readonly rules: pulumi.Output<Readonly<Record<string, RulesetRule>>>;
  /** The service's id. Known in the preview of an update. */
  readonly rulesetId: pulumi.Output<string>;
  /** A number as text, one more with every change. */
  declare readonly version: pulumi.Output<string>;
  /** RFC 3339, UTC. */
  declare readonly lastUpdated: pulumi.Output<string>;
  /** Every rule in order as the service holds it, with `id`, `ref` and `version`. */
  declare readonly deployedRules: pulumi.Output<readonly DeployedRuleInfo[]>;
  /** Ref to id, for the rules of this program. */
  declare readonly ruleIds: pulumi.Output<Readonly<Record<string, string>>>;

  constructor(name: string, args: RulesetArgs, opts: pulumi.CustomResourceOptions = {}) {
    const prepared = prepare("Ruleset", name, args, opts, OUTPUTS);
    super(Ruleset.__pulumiType, name, prepared.props, prepared.opts);
    this.rulesetId = this.id.apply(shortRulesetId);
  }

  /**
   * Reads a ruleset that this program does not manage.
   * @param id `zones/<zoneId>/rulesets/<rulesetId>`, or `accounts/…` alike
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, state: RulesetState = {}, opts: pulumi.CustomResourceOptions = {}): Ruleset {
    return new Ruleset(name, state as RulesetArgs, { ...opts, id });
  }

  /** Whether a value is a ruleset, whichever copy of this package made it. */
  static override isInstance(value: unknown): value is Ruleset {
    return (value as { constructor?: { __pulumiType?: string } } | undefined)?.constructor?.__pulumiType === Ruleset.__pulumiType;
  }
}
