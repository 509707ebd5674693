import * as pulumi from "@pulumi/pulumi";
import { shortRulesetId } from "../model/ids.js";
import type { Kind, Phase } from "../model/generated/rule.js";
import type { AnyRule } from "./generated/inputs.js";
import { RULESET } from "../kinds/ruleset/description.js";
import { prepareKind, readOptions, typeToken } from "./prepare.js";
import { isOfType, RulesetResource, type OwnershipArgs } from "./ruleset-resource.js";
import type { InZoneOrAccount, Spelled } from "./spelled-args.js";

/** Arguments of {@link Ruleset}. The compiler reports a phase or an action that is misspelled, and a missing zone or account. */
export type RulesetArgs<P extends string = string, A extends string = string> = InZoneOrAccount<RulesetSettings> &
  Spelled<P, A>;

/** The arguments one by one. */
export interface RulesetSettings extends OwnershipArgs {
  /** Account the ruleset belongs to; excludes `zoneId`. Changing it replaces the ruleset. */
  readonly accountId?: pulumi.Input<string | undefined>;
  /** Zone the ruleset belongs to; excludes `accountId`. Changing it replaces the ruleset. */
  readonly zoneId?: pulumi.Input<string | undefined>;
  /** `custom`, or the entry point of a phase: `zone` in a zone, `root` in an account. Changing it replaces the ruleset. */
  readonly kind: pulumi.Input<Kind | (string & {})>;
  /** Name. A custom ruleset cannot be renamed, so changing it replaces the ruleset. */
  readonly name: pulumi.Input<string>;
  /** Phase in which its rules run. Changing it replaces the ruleset. */
  readonly phase: pulumi.Input<Phase | (string & {})>;
  /** Free text. @default "" */
  readonly description?: pulumi.Input<string | undefined>;
  /** Rules in the order in which they run. @default [] */
  readonly rules?: pulumi.Input<readonly pulumi.Input<AnyRule>[] | undefined>;
  /** ID of an existing ruleset to take over. `onExisting` then defaults to "adopt". */
  readonly rulesetId?: pulumi.Input<string | undefined>;
}

/** Optional arguments of {@link Ruleset.get}, in addition to the ID. */
export type RulesetState = Partial<RulesetSettings>;

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
export class Ruleset<P extends string = string, A extends string = string> extends RulesetResource {
  static readonly __pulumiType = typeToken(RULESET.type);

  declare readonly kind: pulumi.Output<string>;
  declare readonly name: pulumi.Output<string>;
  /** The service's ID. Known in the preview of an update. */
  declare readonly rulesetId: pulumi.Output<string>;

  constructor(name: string, args: RulesetArgs<P, A>, opts: pulumi.CustomResourceOptions = {}) {
    super(Ruleset.__pulumiType, name, prepareKind<typeof RULESET, RulesetSettings, Ruleset>(RULESET, name, args, opts));
    this.derive("rulesetId", () => this.id.apply(shortRulesetId));
  }

  /**
   * Reads a ruleset that this program does not manage.
   * @param id `zones/<zoneId>/rulesets/<rulesetId>`, or the same with `accounts/…`
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state: RulesetState = {},
    opts: pulumi.CustomResourceOptions = {},
  ): Ruleset {
    return new Ruleset(name, state as RulesetArgs, readOptions(RULESET.type, name, id, opts));
  }

  /** Whether a value is a `Ruleset`, whichever copy of this package created it. */
  static override isInstance(value: unknown): value is Ruleset {
    return isOfType(value, Ruleset.__pulumiType);
  }
}
