import { ApiError } from "./errors.js";
import type { Kind, RulesetRule } from "./generated/rule.js";
import { scopeWords, type Scope } from "./ids.js";

/** The kinds of rulesets that can be created. */
export const OWN_KINDS: readonly string[] = Object.keys({ custom: true, root: true, zone: true } satisfies Record<
  Kind,
  true
>);
/** The kinds of rulesets that the service has. */
export const EVERY_KIND: readonly string[] = [...OWN_KINDS, "managed"];

const IDENTITY: readonly string[] = ["id", "version", "ref"];

/**
 * A rule without empty `id`, `version` and `ref`: the service returns them as empty strings for rules of a configuration
 * that has not been saved yet.
 */
export function withoutEmptyIdentity<T extends object>(rule: T): T {
  const isEmpty = (name: string): boolean => (rule as Readonly<Record<string, unknown>>)[name] === "";
  if (!IDENTITY.some(isEmpty)) return rule;
  return Object.fromEntries(Object.entries(rule).filter(([name]) => !IDENTITY.includes(name) || !isEmpty(name))) as T;
}

/** A rule as the service returns it: the fields that were written, and those that the service adds. */
export type DeployedRule = Omit<RulesetRule, "expression"> & {
  readonly id: string;
  readonly ref: string;
  readonly version: string;
  /** RFC 3339, UTC. */
  readonly lastUpdated?: string;
  /** Absent in rules of managed rulesets. */
  readonly expression?: string;
  /** Tags; rules of managed rulesets only. */
  readonly categories?: readonly string[];
};

/** Identity of a deployed rule. */
type DeployedRuleIdentity = Pick<DeployedRule, "id" | "ref" | "version" | "lastUpdated">;

/**
 * A rule as the state records it, including rules of others: its identity, and enough to distinguish it. Secret values are
 * omitted.
 */
export type DeployedRuleInfo = DeployedRuleIdentity & Partial<Pick<DeployedRule, "action" | "description" | "enabled">>;

export function deployedRuleIdentity({ id, ref, version, lastUpdated }: DeployedRuleInfo): DeployedRuleIdentity {
  return { id, ref, version, ...(lastUpdated === undefined ? {} : { lastUpdated }) };
}

export function deployedRuleInfo(rule: DeployedRule): DeployedRuleInfo {
  const { action, description = "", enabled = true } = rule;
  return { ...deployedRuleIdentity(rule), action, description, enabled };
}

/** A ruleset as the service returns it in lists, which omit `rules`. */
export interface RulesetSummary {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly kind: string;
  readonly phase: string;
  /** A number as a string, incremented with every change. */
  readonly version: string;
  /** RFC 3339, UTC. */
  readonly lastUpdated?: string;
}
export interface Ruleset extends RulesetSummary {
  readonly rules: readonly DeployedRule[];
}

/**
 * The rulesets that a list shows, for those who judge all of them. Cloudflare's own are always among them: to credentials that may
 * read none, and through some proxies, the list is empty, and there is no error.
 */
export function requireVisible<T>(list: readonly T[], scope: Scope): readonly T[] {
  if (list.length > 0) return list;
  throw new ApiError(
    `the service lists no ruleset of ${scopeWords(scope)}, not even those of Cloudflare: the credentials may not read any.`,
    { code: "API_FORBIDDEN" },
  );
}
