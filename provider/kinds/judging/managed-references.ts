import { unavailableCheck } from "../../engine/request.js";
import { lockedRuleset, type LockedRuleset } from "../../../core/managed/lock.js";
import { managedReferencesIn, type ManagedReference } from "../../../core/managed/references.js";
import { managedRulesets } from "../../../core/managed/rulesets.js";
import { RulesetsError } from "../../../core/model/errors.js";
import { isUnknown } from "../../../core/model/unknown.js";
import { fieldsOf, ruleEntries } from "../../../core/rules/keyed.js";
import { deadReferences } from "../../validation/dead-references.js";
import { warning, type Findings } from "../../validation/index.js";
import type { Desired } from "../rulesets/desired.js";
import type { CheckedResource } from "../rulesets/judge.js";

/** A rule without secrets, and its place in the list. */
interface PublicRule {
  readonly index: number;
  readonly fields: object;
}

/**
 * Warns in a preview about overrides and skip lists that name a rule or a tag which their managed ruleset does not have. Looks only at
 * what the program names for the first time, and reads each managed ruleset once in a run.
 */
export async function checkManagedReferences(checked: CheckedResource): Promise<Findings> {
  const { request, desired, last } = checked;
  const { session, preview } = request;
  if (!preview || session.previewChecks === "off" || isUnknown(desired.target.scope.id)) return [];
  const rules = publicRules(desired);
  // What the program has looked up exists.
  const references = newReferences(rules, last).filter(({ kind, name, ruleset }) =>
    kind === "rule" ? session.names.of(name) === undefined : !isFixedTag(ruleset, name),
  );
  const { rulesets, failures } = await readEach(checked, [...new Set(references.map(({ ruleset }) => ruleset))]);
  const now = new Map(rulesets.map((ruleset) => [ruleset.id, ruleset]));
  const warnings = rules.flatMap(({ index, fields }) =>
    deadReferences(fields, { now })
      .filter((one) => references.some((reference) => isSame(reference, one)))
      .flatMap(({ path, message }) => warning(desired.reach.argumentPath(["rules", index, ...path]), message)),
  );
  return [...failures, ...warnings];
}

/** The levels of the OWASP core ruleset are always its tags. */
function isFixedTag(ruleset: string, tag: string): boolean {
  return ruleset === managedRulesets.owaspCore && /^paranoia-level-[1-4]$/.test(tag);
}

/** A name would reveal the ID in a rule with secrets. */
function publicRules({ rules, secrets: { __secretPaths: paths = {} } }: Desired): readonly PublicRule[] {
  if (rules === undefined) return [];
  return ruleEntries(rules).flatMap(({ ref, rule }, index) =>
    (paths[ref] ?? []).length > 0 ? [] : [{ index, fields: fieldsOf(rule) }],
  );
}

/** The references of the rules that the last rules did not have. */
function newReferences(rules: readonly PublicRule[], last: Desired | undefined): readonly ManagedReference[] {
  const before =
    last?.rules === undefined ? [] : ruleEntries(last.rules).flatMap(({ rule }) => managedReferencesIn(fieldsOf(rule)));
  return rules
    .flatMap(({ fields }) => managedReferencesIn(fields))
    .filter((reference) => !before.some((one) => isSame(one, reference)));
}

function isSame(one: ManagedReference, other: ManagedReference): boolean {
  return one.via === other.via && one.kind === other.kind && one.ruleset === other.ruleset && one.name === other.name;
}

/** The managed rulesets among those with the IDs. */
async function readEach(
  { request, desired }: CheckedResource,
  ids: readonly string[],
): Promise<{ readonly rulesets: readonly LockedRuleset[]; readonly failures: Findings }> {
  const read = await Promise.all(
    ids.map(async (id) => {
      try {
        const ruleset = await request.session.reads.managed(desired.target.scope, id);
        return { rulesets: ruleset.kind === "managed" ? [lockedRuleset(ruleset)] : [], failures: [] };
      } catch (error) {
        return { rulesets: [], failures: unread(request, error) };
      }
    }),
  );
  return { rulesets: read.flatMap(({ rulesets }) => rulesets), failures: read.flatMap(({ failures }) => failures) };
}

function unread(request: CheckedResource["request"], error: unknown): Findings {
  const { session, urn } = request;
  if (!(error instanceof RulesetsError)) throw error;
  if (session.previewChecks === "require" || error.code === "API_UNAVAILABLE")
    return unavailableCheck(request, error, "managed rules");
  // Without access, the write itself is refused, or the ruleset is not in the plan: it says so then.
  session.reporter.warn(urn, `could not check managed rules. ${error.message}`);
  return [];
}
