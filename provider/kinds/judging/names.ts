import type { Session } from "../../engine/session.js";
import { managedRulesLine } from "../../../core/managed/names.js";
import type { Path } from "../../../core/model/path.js";
import { NO_DIFFERENCE } from "../../../core/rules/diff.js";
import { NO_RULES, type KeyedRules } from "../../../core/rules/keyed.js";
import type { Rule } from "../../../core/rules/rule.js";
import type { Judge } from "../rulesets/judge.js";

/** Names of managed rules whose IDs appear in new or changed rules, if this run has read them: the engine shows only IDs. */
export const names: Judge = {
  checked: (resource) => {
    const { request, change } = resource;
    if (change === undefined) return [];
    const { session, urn } = request;
    // Asked for only here: what is wanted is worked out then, and nobody needs it of a resource that has not changed.
    const { rules = NO_RULES, secrets } = resource.desired;
    reportNames(session, urn, publicRules(Object.keys(rules.rules), [rules], secrets.__secretPaths));
    return [];
  },
  changing: ({ session }, { recorded, desired, notes: { difference = NO_DIFFERENCE } }) => {
    const refs = [...difference.added, ...difference.changed.map(({ ref }) => ref)];
    const versions = [recorded.declared, desired.rules ?? NO_RULES];
    const secretPaths = { ...recorded.state.__secretPaths, ...desired.secrets.__secretPaths };
    reportNames(session, desired.urn, publicRules(refs, versions, secretPaths));
  },
};

function reportNames({ names: known, reporter }: Session, urn: string | undefined, rules: readonly Rule[]): void {
  const found = known.readIn(rules.map(({ fields }) => fields));
  if (Object.keys(found).length > 0) reporter.info(urn, managedRulesLine(found));
}

/**
 * Rules as each version has them, without those that contain secrets: a name would reveal the ID.
 * @param secretPaths by ref
 */
function publicRules(
  refs: readonly string[],
  versions: readonly KeyedRules[],
  secretPaths: Readonly<Record<string, readonly Path[]>> = {},
): readonly Rule[] {
  return refs
    .filter((ref) => (secretPaths[ref] ?? []).length === 0)
    .flatMap((ref) => versions.flatMap(({ rules }) => rules[ref] ?? []));
}
