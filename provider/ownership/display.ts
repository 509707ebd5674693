import type { NameOf } from "../../core/managed/rulesets.js";
import type { DeployedRule } from "../../core/model/ruleset.js";

/** How messages show what is at the service. */
export interface Display {
  /** Whether the texts of a rule may be shown; otherwise only its ref, its ID and its action are. */
  readonly shows: (rule: DeployedRule) => boolean;
  /** A rule with `[secret]` in place of its secrets. */
  readonly rule: (rule: DeployedRule) => DeployedRule;
  /** The ruleset's description, or `[secret]` in its place. */
  readonly description: (text: string) => string;
  /** The names of managed rulesets and their rules that the run knows. */
  readonly nameOf: NameOf;
}
