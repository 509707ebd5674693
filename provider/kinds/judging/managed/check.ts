import { unavailableCheck } from "../../../engine/request.js";
import type { Session } from "../../../engine/session.js";
import { managedLockOfRun, type ManagedLockOfRun } from "../../../engine/managed-lock.js";
import { LOCK_FILE, lockedRuleset, type LockedRuleset, type ManagedLock } from "../../../managed/lock.js";
import {
  compareWithLock,
  isUpToDate,
  withOtherEffect,
  type EffectChange,
  type LockChanges,
  type ManagedExecution,
} from "../../../managed/lock-changes.js";
import { managedRulesets } from "../../../managed/rulesets.js";
import { managedReferencesIn, type ManagedReference } from "../../../managed/references.js";
import { RulesetsError, messageOf } from "../../../model/errors.js";
import { shortRulesetId } from "../../../model/ids.js";
import { isObject } from "../../../model/json.js";
import { hasUnknown, isUnknown } from "../../../model/unknown.js";
import { joinNames, plural } from "../../../model/words.js";
import { fieldsOf, ruleEntries } from "../../../rules/keyed.js";
import { deadReferences } from "../../../validation/dead-references.js";
import { failure, failureText, joinFindings, NO_FINDINGS, warning, type Findings } from "../../../validation/index.js";
import { hasSameRules, type Desired } from "../../rulesets/desired.js";
import { pathIn, type CheckedResource } from "../../rulesets/judge.js";
import { checkedAtEnd } from "./checked.js";

/** A rule without secrets, and its place in the list. */
interface PublicRule {
  readonly index: number;
  readonly fields: object;
}

/**
 * What Cloudflare's releases of managed rules mean for a resource: whether they are those of the lock file, and which overrides
 * and skip lists name nothing. Each managed ruleset is read once in a run; without a lock file, only for rules that name something
 * new. With one that is not required, the end of the run says it of all resources together.
 */
export async function checkManagedRules(checked: CheckedResource): Promise<Findings> {
  const { request, desired, last } = checked;
  const { session, urn } = request;
  const run = session.part(managedLockOfRun);
  const mayBePreview = request.preview || session.mayBePreview(urn);
  const isRequired = session.managedLock === "require";
  const isChanged = (): boolean => last === undefined || !hasSameRules(desired, last);
  if (!mayBePreview && !(isRequired && isChanged())) return NO_FINDINGS;
  let lock: ManagedLock | undefined;
  try {
    lock = session.managedLock === "off" ? undefined : run.lock;
  } catch (error) {
    return (isRequired ? failure : warning)([], messageOf(error));
  }
  if (lock !== undefined && !isRequired) {
    session.part(checkedAtEnd).set(urn, checked);
    return NO_FINDINGS;
  }
  const executions = executionsIn(desired);
  if (isRequired && lock === undefined && executions.length > 0) return failure([], MISSING);
  // Without a lock file, only what changes is looked at, and the plugin checks that once more where this is a preview.
  const looksForNames = lock === undefined ? request.preview : mayBePreview;
  const uses = usesOf(checked, { lock, looksForNames });
  if (uses.ids.length === 0 || isUnknown(desired.target.scope.id)) return NO_FINDINGS;
  if (session.previewChecks === "off")
    return isRequired
      ? failure([], `${LOCK_FILE} cannot be compared with the service, because previewChecks is off`)
      : NO_FINDINGS;
  const read = await readEach(checked, run, uses.ids);
  const outOfDate = lock === undefined ? undefined : compare(lock, executions, read.rulesets);
  return joinFindings([
    outOfDate === undefined ? NO_FINDINGS : failure([], outOfDate),
    { failures: read.failures, warnings: deadIn(checked, uses, { lock, now: read.rulesets }) },
  ]);
}

/**
 * Says at the end of a run, once for all of its resources, what the lock file says of the managed rulesets that they execute, and of
 * each which of its overrides name nothing.
 */
export async function reportManagedLock(session: Session): Promise<void> {
  const run = session.part(managedLockOfRun);
  const { lock } = run;
  if (lock === undefined || session.previewChecks === "off") return;
  const executions: ManagedExecution[] = [];
  const now = new Map<string, LockedRuleset>();
  for (const checked of session.part(checkedAtEnd).values()) {
    if (isUnknown(checked.desired.target.scope.id)) continue;
    const uses = usesOf(checked, { lock, looksForNames: true });
    const { rulesets } = await readEach(checked, run, uses.ids);
    for (const ruleset of rulesets) now.set(ruleset.id, ruleset);
    executions.push(...executionsIn(checked.desired));
    for (const found of deadIn(checked, uses, { lock, now: rulesets }))
      session.reporter.warn(checked.request.urn, failureText(found));
  }
  const text = compare(lock, executions, [...now.values()]);
  if (text !== undefined) session.reporter.warn(undefined, text);
}

/** What a resource names of managed rulesets. */
interface Uses {
  readonly rules: readonly PublicRule[];
  readonly references: readonly ManagedReference[];
  /** The managed rulesets to read. */
  readonly ids: readonly string[];
}

function usesOf(
  { request: { session }, desired, last }: CheckedResource,
  { lock, looksForNames }: { readonly lock: ManagedLock | undefined; readonly looksForNames: boolean },
): Uses {
  const rules = publicRules(desired);
  const named = looksForNames ? referencesIn(rules, lock === undefined ? last : undefined) : [];
  // What the program has looked up exists.
  const references = named.filter(({ kind, name, ruleset }) =>
    kind === "rule" ? session.names.of(name) === undefined : !isFixedTag(ruleset, name),
  );
  const locked = lock === undefined ? [] : executionsIn(desired).map(({ ruleset }) => ruleset);
  return { rules, references, ids: [...new Set([...locked, ...references.map(({ ruleset }) => ruleset)])] };
}

function deadIn(
  { desired }: CheckedResource,
  { rules, references }: Uses,
  { lock, now }: { readonly lock: ManagedLock | undefined; readonly now: readonly LockedRuleset[] },
): Findings["warnings"] {
  const known = new Map(now.map((ruleset) => [ruleset.id, ruleset]));
  return rules.flatMap(({ index, fields }) =>
    deadReferences(fields, { now: known, locked: lock?.rulesets ?? [] })
      .filter((one) => references.some((reference) => isSame(reference, one)))
      .map(({ path, message }) => ({ path: [...pathIn(desired.words, ["rules", index]), ...path], reason: message })),
  );
}

/** The levels of the OWASP core ruleset are always its tags. */
function isFixedTag(ruleset: string, tag: string): boolean {
  return ruleset === managedRulesets.owaspCore && /^paranoia-level-[1-4]$/.test(tag);
}

const MISSING =
  `${LOCK_FILE} does not exist, and rulesets:managedLock requires it. To continue: write it with ` +
  "`npx pulumi-rulesets managed lock`, and commit it.";

/** A name would reveal the ID in a rule with secrets. */
function publicRules({ rules, secrets: { __secretPaths: paths = {} } }: Desired): readonly PublicRule[] {
  if (rules === undefined) return [];
  return ruleEntries(rules).flatMap(({ ref, rule }, index) =>
    (paths[ref] ?? []).length > 0 ? [] : [{ index, fields: fieldsOf(rule) }],
  );
}

/** The references of the rules, without those that the last rules had as well. */
function referencesIn(rules: readonly PublicRule[], last: Desired | undefined): readonly ManagedReference[] {
  const before =
    last?.rules === undefined ? [] : ruleEntries(last.rules).flatMap(({ rule }) => managedReferencesIn(fieldsOf(rule)));
  return rules
    .flatMap(({ fields }) => managedReferencesIn(fields))
    .filter((reference) => !before.some((one) => isSame(one, reference)));
}

function isSame(one: ManagedReference, other: ManagedReference): boolean {
  return one.via === other.via && one.kind === other.kind && one.ruleset === other.ruleset && one.name === other.name;
}

/** The executions whose overrides are known; `pulumi up` judges the others once they are. */
function executionsIn({ rules, where }: Desired): readonly ManagedExecution[] {
  if (rules === undefined) return [];
  return ruleEntries(rules).flatMap(({ rule }): readonly ManagedExecution[] => {
    const { action, actionParameters, enabled = true } = fieldsOf(rule);
    if (action !== "execute" || !isObject(actionParameters) || hasUnknown(actionParameters)) return [];
    const { id, overrides } = actionParameters;
    if (typeof id !== "string" || !ID.test(shortRulesetId(id))) return [];
    return [{ place: where, ruleset: shortRulesetId(id), overrides, enabled: enabled !== false }];
  });
}

const ID = /^[0-9a-f]{32}$/;

/** The managed rulesets among the executed ones. With `require`, one that cannot be read is a failure. */
async function readEach(
  { request, desired }: CheckedResource,
  run: ManagedLockOfRun,
  ids: readonly string[],
): Promise<{ readonly rulesets: readonly LockedRuleset[]; readonly failures: Findings["failures"] }> {
  const read = await Promise.all(
    ids.map(async (id) => {
      try {
        const ruleset = await run.ruleset(desired.target.scope, id);
        return { rulesets: ruleset.kind === "managed" ? [lockedRuleset(ruleset)] : [], failures: [] };
      } catch (error) {
        return { rulesets: [], failures: unread(request, error) };
      }
    }),
  );
  return { rulesets: read.flatMap(({ rulesets }) => rulesets), failures: read.flatMap(({ failures }) => failures) };
}

function unread(request: CheckedResource["request"], error: unknown): Findings["failures"] {
  const { session, urn } = request;
  if (session.managedLock === "require" && error instanceof RulesetsError)
    return [{ path: [], reason: `${LOCK_FILE} cannot be compared with the service. ${error.message}` }];
  if (!(error instanceof RulesetsError)) throw error;
  if (session.previewChecks === "require" || error.code === "API_UNAVAILABLE")
    return unavailableCheck(request, error, "managed rules").failures;
  // Without access, the write itself is refused, or the ruleset is not in the plan: it says so then.
  session.reporter.warn(urn, `could not check managed rules. ${error.message}`);
  return [];
}

/** How the lock differs from the service under the overrides of some executions; undefined if it does not. */
function compare(
  lock: ManagedLock,
  executions: readonly ManagedExecution[],
  now: readonly LockedRuleset[],
): string | undefined {
  const executed = new Set(executions.map(({ ruleset }) => ruleset));
  const changes = compareWithLock({
    locked: lock.rulesets,
    now: now.filter(({ id }) => executed.has(id)),
    executions,
  });
  return isUpToDate(changes) ? undefined : outOfDateText(changes);
}

function outOfDateText(changes: LockChanges): string {
  const versions = changes.versions.map(({ ruleset, before, after }) => `${ruleset.name} ${before} → ${after}`);
  const missing = changes.notLocked.map(({ name }) => `${name} is not in it`);
  return (
    `${LOCK_FILE} is out of date (${joinNames([...versions, ...missing])}): ${effectWords(changes)}. To see the changes: ` +
    "npx pulumi-rulesets managed diff. To accept them: npx pulumi-rulesets managed lock"
  );
}

function effectWords(changes: LockChanges): string {
  const changed = withOtherEffect(changes);
  if (changed.length === 0) return "no locked rule does anything else here";
  const count = (is: (change: EffectChange) => boolean): number =>
    changed.filter(({ effects }) => effects.some(is)).length;
  const starts = count(({ before, after }) => after?.stops === true && before?.stops !== true);
  const ends = count(({ before, after }) => before?.stops === true && after?.stops !== true);
  const parts = [
    ...(starts === 0 ? [] : [`${String(starts)} ${starts === 1 ? "stops" : "stop"} requests now`]),
    ...(ends === 0 ? [] : [`${String(ends)} no longer ${ends === 1 ? "does" : "do"}`]),
  ];
  const what = `${plural(changed.length, "rule")} ${changed.length === 1 ? "does" : "do"} something else here`;
  return parts.length === 0 ? what : `${what}: ${parts.join(", ")}`;
}
