import { managedRulesLine } from "../model/managed-names.js";
import type { Path } from "../model/path.js";
import type { RulesDiff } from "../rules/diff.js";
import type { KeyedRules } from "../rules/keyed.js";
import type { Rule } from "../rules/rule.js";
import type { Session } from "./session.js";

/**
 * Names the managed rules whose ids stand in rules that are new or change, as far as this run has read them: the engine
 * shows ids alone. Rules that hold secrets are passed over: a name would tell the id.
 */
export function reportManagedRules(
  { names, reporter }: Session,
  urn: string | undefined,
  rules: readonly Rule[],
): void {
  const found = names.readIn(rules.map(({ fields }) => fields));
  if (Object.keys(found).length > 0) reporter.info(urn, managedRulesLine(found));
}

/** Where secrets stand in rules, by ref. */
type SecretPaths = Readonly<Record<string, readonly Path[]>>;

/** The rules that a difference adds or changes, as they are and as they were, without those that hold secrets. */
export function openRules(
  { added, changed }: RulesDiff,
  before: KeyedRules,
  after: KeyedRules,
  secretPaths: SecretPaths = {},
): readonly Rule[] {
  const refs = [...added, ...changed.map(({ ref }) => ref)].filter((ref) => (secretPaths[ref] ?? []).length === 0);
  return refs.flatMap((ref) => [before.rules[ref] ?? [], after.rules[ref] ?? []].flat());
}
