import { managedRulesLine } from "../managed/names.js";
import type { Path } from "../model/path.js";
import type { RulesDiff } from "../rules/diff.js";
import type { KeyedRules } from "../rules/keyed.js";
import type { Rule } from "../rules/rule.js";
import type { Session } from "./session.js";

/**
 * Reports the names of managed rules whose IDs appear in new or changed rules, if this run has read them: the engine
 * shows only IDs. Rules that contain secrets are skipped, because a name would reveal the ID.
 */
export function reportManagedRules(
  { names, reporter }: Session,
  urn: string | undefined,
  rules: readonly Rule[],
): void {
  const found = names.readIn(rules.map(({ fields }) => fields));
  if (Object.keys(found).length > 0) reporter.info(urn, managedRulesLine(found));
}

/** By ref, the paths of secrets in a rule. */
type SecretPaths = Readonly<Record<string, readonly Path[]>>;

/** The rules that a difference adds or changes, before and after, without those that contain secrets. */
export function changedPublicRules(
  { added, changed }: RulesDiff,
  before: KeyedRules,
  after: KeyedRules,
  secretPaths: SecretPaths = {},
): readonly Rule[] {
  const refs = [...added, ...changed.map(({ ref }) => ref)].filter((ref) => (secretPaths[ref] ?? []).length === 0);
  return refs.flatMap((ref) => [before.rules[ref] ?? [], after.rules[ref] ?? []].flat());
}
