import * as pulumi from "@pulumi/pulumi";
import { assignRefs } from "../rules/assign-refs.js";
import { keyedRules, ruleEntries } from "../rules/keyed.js";
import type { OnConflict, OnDelete, OnExisting, Ownership } from "../model/options.js";
import type { RulesetRule as PlainRule } from "../model/generated/rule.js";
import { isObject } from "../model/json.js";
import type { DeployedRuleInfo } from "../model/ruleset.js";
import type { RulesetRule } from "./generated/inputs.js";
import { OwnResource } from "./own-resource.js";
import type { Prepared } from "./prepare.js";

/** Arguments that say what to do about others; they are no property of the ruleset. */
export interface OwnershipArgs {
  /**
   * Whose rules these are. `exclusive`: the program contains every rule of the ruleset. `shared`: it contains its own, beside
   * those of other stacks and people, which it never touches; it writes rule by rule, each with one request. A change from
   * the one to the other writes nothing by itself.
   * @default "exclusive"
   */
  readonly ownership?: pulumi.Input<Ownership | undefined>;
  /**
   * What to do when rules already exist there: `fail` stops unless nothing would be lost, `adopt` takes over when the
   * program holds every rule, `replace` drops the rest, `empty` drops it even where the program holds no rule at all.
   * In a shared ruleset: `fail` stops where the ref of a rule is in use by a rule that says something else, `adopt` takes
   * such rules over, and those that equal one of the program; the others are refused.
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
   * `keep` only forgets it. Of a shared ruleset `empty` deletes the program's own rules, and `delete` is refused.
   * @default "empty" for entry points and shared rulesets, "delete" for other custom rulesets
   */
  readonly onDelete?: pulumi.Input<OnDelete | undefined>;
  /**
   * Share of the existing rules, in percent, that one run may remove; a run that would remove more stops at
   * preview. `RULESETS_MAX_REMOVED_PERCENT` overrides it for one run.
   * @default any, or `rulesets:maxRemovedPercent`
   */
  readonly maxRemovedPercent?: pulumi.Input<number | undefined>;
  /**
   * A version of this ruleset whose rules are used instead of `rules`, until this is removed again.
   * @default none: the rules are those of the program
   */
  readonly restoreVersion?: pulumi.Input<string | undefined>;
}

/** Outputs that a ruleset keeps to itself: of the order it makes the list of rules that programs see. */
export interface KeptOutputs {
  readonly order: unknown;
}

/** The outputs of every ruleset. */
export abstract class RulesetResource extends OwnResource {
  declare readonly accountId: pulumi.Output<string | undefined>;
  declare readonly zoneId: pulumi.Output<string | undefined>;
  declare readonly phase: pulumi.Output<string>;
  declare readonly description: pulumi.Output<string | undefined>;
  /** The rules as declared, in order, each with its `ref`; they may be the rules of another ruleset. */
  declare readonly rules: pulumi.Output<readonly RulesetRule[]>;
  /** The service's id of the ruleset. */
  abstract readonly rulesetId: pulumi.Output<string>;
  /** A number as text, one more with every change. */
  declare readonly version: pulumi.Output<string>;
  /** The version that the last write of this resource was made over; undefined before there was one. */
  declare readonly previousVersion: pulumi.Output<string | undefined>;
  /** RFC 3339, UTC. */
  declare readonly lastUpdated: pulumi.Output<string>;
  /**
   * Every rule in order as the service holds it, with `id`, `ref`, `version`, `action`, `description` and `enabled`; those of
   * others too. Words that are secrets are missing, and all three in a state of an earlier version.
   */
  declare readonly deployedRules: pulumi.Output<readonly DeployedRuleInfo[]>;
  /** Ref to id, for the rules of this program. */
  declare readonly ruleIds: pulumi.Output<Readonly<Record<string, string>>>;

  constructor(type: string, name: string, prepared: Prepared) {
    super(type, name, prepared);
    // The engine has filled in the rules by ref, and their order as a text.
    // The class declares neither as it comes.
    const { rules, order } = this as unknown as Readonly<Record<"rules" | "order", pulumi.Output<unknown>>>;
    this.rules = pulumi.all([rules, order]).apply(([byRef, text]) => rulesInOrder(byRef, text));
  }
}

function rulesInOrder(rules: unknown, order: unknown): readonly RulesetRule[] {
  // Without a provider, as under Pulumi's mocks, the rules are what the program gave.
  if (Array.isArray(rules)) return withRefs(rules as RulesetRule[]);
  if (!isObject(rules)) return [];
  const keyed = keyedRules(rules as Readonly<Record<string, PlainRule>>, typeof order === "string" ? order : "");
  return ruleEntries(keyed).map(({ ref, rule }) => ({ ...rule, ref }));
}

function withRefs(rules: readonly RulesetRule[]): readonly RulesetRule[] {
  const { refs } = assignRefs([], rules);
  return rules.map((rule, index) => ({ ...rule, ref: refs[index] }));
}

/** Whether a value is a resource of a type, whichever copy of this package made it. */
export function isOfType(value: unknown, type: string): boolean {
  return (value as { constructor?: { __pulumiType?: string } } | undefined)?.constructor?.__pulumiType === type;
}
