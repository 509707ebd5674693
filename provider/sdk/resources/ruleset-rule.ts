import * as pulumi from "@pulumi/pulumi";
import { RULESET_RULE } from "../../kinds/rulesets/rule/description.js";
import type { AnyRule, RulesetRuleActionParameters, RuleFields } from "./generated/inputs.js";
import { RulesetRuleOutputs, type RulesetRuleSettings as Settings } from "./generated/bases.js";
import { invalid } from "./arguments.js";
import { isOfType } from "./rulesets-resource.js";
import { prepareKind, readOptions, typeToken } from "./prepare.js";
import type { InZoneOrAccount, SpelledPhase } from "./spelled-args.js";

/**
 * The position of a rule among the others of its ruleset; exactly one of the three. Another rule, of this program or not, is
 * given by its ref, its ID, or as a {@link RulesetRule}.
 */
export interface RulePosition {
  /** Runs before that rule, possibly with others in between; `""` means first of all. */
  readonly before?: pulumi.Input<string> | RulesetRule | undefined;
  /** Runs after that rule, possibly with others in between; `""` means last of all. */
  readonly after?: pulumi.Input<string> | RulesetRule | undefined;
  /** Its index in the order, from 1; beyond the end means last. */
  readonly index?: pulumi.Input<number> | undefined;
}

/**
 * Arguments of {@link RulesetRule}: its ruleset, its position, and the rule itself, as in a list of rules. The `id` of a rule
 * that was read is its `ruleId`. The compiler reports a phase that is misspelled, and a missing zone or account.
 */
export type RulesetRuleArgs<P extends string = string> = InZoneOrAccount<RulesetRuleSettings> &
  SpelledPhase<P> &
  AnyRule;

/** Arguments of {@link RulesetRule} besides the rule itself. */
interface RulesetRuleSettings extends Settings {
  /** Its position. @default last when it is created; after that, it is not moved */
  readonly position?: RulePosition | undefined;
}

/**
 * One rule of a ruleset in which other stacks and people have rules as well. The other rules are neither changed nor moved.
 *
 * @example
 * ```ts
 * const office = new RulesetRule("office-passes", {
 *   zoneId,
 *   phase: "http_request_firewall_custom",
 *   action: "skip",
 *   expression: "ip.src in {192.0.2.0/24}",
 *   actionParameters: { ruleset: "current" },
 *   position: { before: "" },
 * });
 * new RulesetRule("block-admin", {
 *   zoneId,
 *   phase: "http_request_firewall_custom",
 *   action: "block",
 *   expression: 'starts_with(http.request.uri.path, "/admin")',
 *   position: { after: office },
 * });
 * ```
 */
export class RulesetRule<P extends string = string> extends RulesetRuleOutputs {
  static readonly __pulumiType = typeToken(RULESET_RULE.type);

  constructor(name: string, args: RulesetRuleArgs<P>, opts: pulumi.CustomResourceOptions = {}) {
    super(RulesetRule.__pulumiType, name, prepareKind(RULESET_RULE, name, describedArgs(name, args), opts));
  }

  /**
   * Reads a rule that this program does not manage.
   * @param id `zones/<zoneId>/phases/<phase>/rules/<ref>` or `zones/<zoneId>/rulesets/<rulesetId>/rules/<ref>`, or the same
   * with `accounts/…`; the rule's ID can be used instead of its ref
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts: pulumi.CustomResourceOptions = {}): RulesetRule {
    return new RulesetRule(name, {} as RulesetRuleArgs, readOptions(RULESET_RULE.type, name, id, opts));
  }

  /** Whether a value is a `RulesetRule`, whichever copy of this package created it. */
  static override isInstance(value: unknown): value is RulesetRule {
    return isOfType(value, RulesetRule.__pulumiType);
  }
}

/** The arguments that the description of the kind lists. */
type DescribedArgs = RulesetRuleSettings &
  Omit<RuleFields, "id" | "categories" | "lastUpdated" | "version"> & {
    readonly action: pulumi.Input<string>;
    readonly actionParameters?: pulumi.Input<RulesetRuleActionParameters | undefined>;
  };

/** The arguments with refs instead of rules in `position`, and with the ID of the rule under the name that Pulumi sends. */
function describedArgs(name: string, given: RulesetRuleArgs): DescribedArgs {
  if (!isPlainObject(given)) return given;
  const { id, ...args } = given;
  // A caller without types may pass null.
  const isGiven = (id ?? "") !== "";
  if (isGiven && args.ruleId !== undefined)
    throw invalid(`RulesetRule ${name}: id and ruleId are two names of one argument. Write ruleId.`);
  // The provider accepts the service's names for fields.
  const described = {
    ...args,
    ...(args.position === undefined ? {} : { position: withRefs(args.position) }),
  } as DescribedArgs;
  return isGiven ? { ...described, ruleId: unlessEmpty(id) } : described;
}

/** Rules that were not saved yet have an empty ID. */
function unlessEmpty(id: pulumi.Input<string | undefined>): pulumi.Input<string | undefined> {
  return typeof id === "string" ? id : pulumi.output(id).apply((known) => (known === "" ? undefined : known));
}

/** A ref is an output, so the other rule is created first. */
function withRefs(position: RulePosition): RulePosition {
  if (!isPlainObject(position)) return position;
  const refOf = (value: RulePosition["before"]) => (RulesetRule.isInstance(value) ? value.ref : value);
  const { before, after } = position;
  return {
    ...position,
    ...(before === undefined ? {} : { before: refOf(before) }),
    ...(after === undefined ? {} : { after: refOf(after) }),
  };
}

/** Whether arguments are an object: a caller without types may pass null, a list, an output or a promise. */
function isPlainObject(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return !pulumi.Output.isInstance(value) && !(value instanceof Promise);
}
