import type { NameOf } from "../model/managed-rulesets.js";
import type { DeployedRule } from "../model/ruleset.js";

/** How messages show what stands at the service. */
export interface Shown {
  /** A rule without its secrets: `[secret]` stands in their places. */
  readonly rule: (rule: DeployedRule) => DeployedRule;
  /** The ruleset's own description, or `[secret]` in its place. */
  readonly description: (text: string) => string;
  /** What the run knows managed rulesets and their rules by. */
  readonly nameOf: NameOf;
}
