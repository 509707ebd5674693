import * as pulumi from "@pulumi/pulumi";
import { fromText } from "../engine/held-as-text.js";
import { assignRefs } from "../rules/assign-refs.js";
import { keyedRules, ruleEntries } from "../rules/keyed.js";
import type { OnConflict, OnDelete, OnExisting, Ownership } from "../model/options.js";
import type { RulesetRule as PlainRule } from "../model/generated/rule.js";
import { isObject, mapFrom } from "../model/json.js";
import { parseRule } from "../model/parse-rule.js";
import { inOurNames } from "../model/spelling.js";
import type { DeployedRuleInfo } from "../model/ruleset.js";
import type { RulesetRule } from "./generated/inputs.js";
import { OwnResource } from "./own-resource.js";
import type { Prepared } from "./prepare.js";

/** Arguments about existing rules and changes of others; they are not properties of the ruleset. */
export interface OwnershipArgs {
  /**
   * Which rules the program manages. `exclusive`: every rule of the ruleset. `shared`: only its own, alongside rules of other
   * stacks and people, which it never changes; it writes each rule with a separate request. Switching between the two does
   * not write anything by itself.
   * @default "exclusive"
   */
  readonly ownership?: pulumi.Input<Ownership | undefined>;
  /**
   * What to do when rules already exist: `fail` stops unless nothing would be lost, `adopt` takes over if the program
   * contains every existing rule, `replace` deletes the others, `empty` does so even if the program contains no rules.
   * In a shared ruleset: `fail` stops if the ref of a rule belongs to a different existing rule, `adopt` takes over such
   * rules, and those that equal a rule of the program; the other values are refused.
   * @default "fail"
   */
  readonly onExisting?: pulumi.Input<OnExisting | undefined>;
  /**
   * What to do when the ruleset was changed outside the stack since the last write and the program changes it too.
   * `RULESETS_ON_CONFLICT` overrides it for one run.
   * @default "fail"
   */
  readonly onConflict?: pulumi.Input<OnConflict | undefined>;
  /**
   * What deleting does: `empty` deletes the rules of an entry point and keeps its versions, `delete` deletes it entirely,
   * `keep` only removes it from the state. For a shared ruleset, `empty` deletes the program's own rules, and `delete` is
   * refused.
   * @default "empty" for entry points and shared rulesets, "delete" for other custom rulesets
   */
  readonly onDelete?: pulumi.Input<OnDelete | undefined>;
  /**
   * Percentage of the existing rules that one run may remove; if it would remove more, the preview fails.
   * `RULESETS_MAX_REMOVED_PERCENT` overrides it for one run.
   * @default `rulesets:maxRemovedPercent`, or else 100
   */
  readonly maxRemovedPercent?: pulumi.Input<number | undefined>;
  /**
   * A version of this ruleset whose rules are used instead of `rules`, as long as this is set.
   * @default none: `rules` is used
   */
  readonly restoreVersion?: pulumi.Input<string | undefined>;
}

type Held = "rules" | "order" | "deployedRules";

/** The outputs of every ruleset. */
export abstract class RulesetResource extends OwnResource {
  declare readonly accountId: pulumi.Output<string | undefined>;
  declare readonly zoneId: pulumi.Output<string | undefined>;
  declare readonly phase: pulumi.Output<string>;
  declare readonly description: pulumi.Output<string | undefined>;
  /** The rules as declared, in order, each with its `ref`; they can be used as the `rules` of another ruleset. */
  declare readonly rules: pulumi.Output<readonly RulesetRule[]>;
  /** The service's ID of the ruleset. */
  abstract readonly rulesetId: pulumi.Output<string>;
  /** A number as a string, incremented with every change. */
  declare readonly version: pulumi.Output<string>;
  /** The version that the last write of this resource replaced; undefined if it has not replaced one. */
  declare readonly previousVersion: pulumi.Output<string | undefined>;
  /** RFC 3339, UTC. */
  declare readonly lastUpdated: pulumi.Output<string>;
  /**
   * All deployed rules in order, including those of others, with `id`, `ref`, `version`, `action`, `description` and
   * `enabled`. Secret values are omitted; states of earlier versions contain none of the last three.
   */
  declare readonly deployedRules: pulumi.Output<readonly DeployedRuleInfo[]>;
  /** Rule IDs by ref, for the rules of this program. */
  declare readonly ruleIds: pulumi.Output<Readonly<Record<string, string>>>;

  constructor(type: string, name: string, prepared: Prepared) {
    super(type, name, prepared);
    // The engine sets the rules as a JSON text of an object by ref (in a preview as that object), their order as a string,
    // and the deployed rules as a JSON text. The class declares none with these types.
    const { rules, order, deployedRules } = this as unknown as Readonly<Record<Held, pulumi.Output<unknown>>>;
    this.derive("deployedRules", () => deployedRules.apply((held) => fromText(held) as readonly DeployedRuleInfo[]));
    this.derive("rules", () =>
      pulumi.all([rules, order]).apply(([byRef, text]) => rulesInOrder(fromText(byRef), text)),
    );
  }
}

function rulesInOrder(rules: unknown, order: unknown): readonly RulesetRule[] {
  // Without a provider, as with Pulumi's mocks, the rules are the program's list.
  if (Array.isArray(rules)) return withRefs(rules.filter(isObject).map((rule) => parseRule(inOurNames(rule))));
  if (!isObject(rules)) return [];
  const byRef = Object.entries(rules).flatMap(([ref, rule]) =>
    isObject(rule) ? [[ref, parseRule(rule)] as const] : [],
  );
  const keyed = keyedRules(mapFrom(byRef), typeof order === "string" ? order : "");
  return ruleEntries(keyed).map(({ ref, rule }) => ({ ...rule, ref }));
}

function withRefs(rules: readonly PlainRule[]): readonly RulesetRule[] {
  const { refs } = assignRefs([], rules);
  return rules.map((rule, index) => ({ ...rule, ref: refs[index] }));
}

/** Whether a value is a resource of a type, whichever copy of this package created it. */
export function isOfType(value: unknown, type: string): boolean {
  return (value as { constructor?: { __pulumiType?: string } } | undefined)?.constructor?.__pulumiType === type;
}
