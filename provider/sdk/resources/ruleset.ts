import type * as pulumi from "@pulumi/pulumi";
import { shortRulesetId } from "../../../core/model/ids.js";
import { RULESET } from "../../kinds/rulesets/description.js";
import { RulesetOutputs, type RulesetSettings } from "./generated/bases.js";
import { derive, isOfType } from "./rulesets-resource.js";
import { prepareKind, readOptions, typeToken } from "./prepare.js";
import { deriveRules } from "./rule-outputs.js";
import type { InZoneOrAccount, SpelledPhase } from "./spelled-args.js";

/** Arguments of {@link Ruleset}. The compiler reports a phase that is misspelled, and a missing zone or account. */
export type RulesetArgs<P extends string = string> = InZoneOrAccount<RulesetSettings> & SpelledPhase<P>;

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
export class Ruleset<P extends string = string> extends RulesetOutputs {
  static readonly __pulumiType = typeToken(RULESET.type);

  constructor(name: string, args: RulesetArgs<P>, opts: pulumi.CustomResourceOptions = {}) {
    super(Ruleset.__pulumiType, name, prepareKind(RULESET, name, args, opts));
    deriveRules(this);
    derive(this, "rulesetId", () => this.id.apply(shortRulesetId));
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
