import type { RulesetRule } from "./generated/rule.js";

const IDENTITY: readonly string[] = ["id", "version", "ref"];

/**
 * A rule without the identity that is written as an empty text: rules of a configuration that has not been saved yet
 * come with an empty `id`, `version` and `ref`, which mean none.
 */
export function withoutEmptyIdentity<T extends object>(rule: T): T {
  const entries = Object.entries(rule);
  const kept = entries.filter(([name, value]) => value !== "" || !IDENTITY.includes(name));
  return kept.length === entries.length ? rule : (Object.fromEntries(kept) as T);
}

/** A rule as the service holds it: what was written, with what only the service knows. */
export type DeployedRule = Omit<RulesetRule, "expression"> & {
  readonly id: string;
  readonly ref: string;
  readonly version: string;
  /** RFC 3339, UTC. */
  readonly lastUpdated?: string;
  /** Missing in rules of managed rulesets. */
  readonly expression?: string;
  /** Tags; rules of managed rulesets only. */
  readonly categories?: readonly string[];
};

/** Which rule stands where: by what it is known. */
export type DeployedRuleIdentity = Pick<DeployedRule, "id" | "ref" | "version" | "lastUpdated">;

/**
 * What a state tells of every rule, those of others included: by what it is known, and enough to tell it from others. What
 * is a secret, or was made by an earlier version, is missing.
 */
export type DeployedRuleInfo = DeployedRuleIdentity & Partial<Pick<DeployedRule, "action" | "description" | "enabled">>;

export function deployedRuleIdentity({ id, ref, version, lastUpdated }: DeployedRuleInfo): DeployedRuleIdentity {
  return { id, ref, version, ...(lastUpdated === undefined ? {} : { lastUpdated }) };
}

export function deployedRuleInfo(rule: DeployedRule): DeployedRuleInfo {
  const { action, description = "", enabled = true } = rule;
  return { ...deployedRuleIdentity(rule), action, description, enabled };
}

/** A ruleset as the service answers it. Lists of rulesets come without `rules`. */
export interface RulesetSummary {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly kind: string;
  readonly phase: string;
  /** A number as text, one more with every change. */
  readonly version: string;
  /** RFC 3339, UTC. */
  readonly lastUpdated?: string;
}
export interface Ruleset extends RulesetSummary {
  readonly rules: readonly DeployedRule[];
}
