import type { NameOf } from "../../core/managed/rulesets.js";
import type { DeployedRule } from "../../core/model/ruleset.js";

/** How messages speak of what a resource manages. */
export interface Words {
  /** What it manages. */
  readonly subject: string;
  /** How a program declares a rule that somebody else wrote or changed. */
  readonly toDeclare: string;
  /** What a program needs beside `onDelete: "keep"` to leave such a rule as it is. */
  readonly toKeep: string;
  /** How rules are kept that the program no longer declares there, if another resource can have them. */
  readonly toMove?: string;
}

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

/** A rule as messages name it: `rule "block-admin" in http_ratelimit of zone 0123…`. */
export function ruleInWords(ref: string, where: string): string {
  return `rule ${JSON.stringify(ref)} in ${where}`;
}
