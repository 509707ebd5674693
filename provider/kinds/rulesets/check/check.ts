import type { CheckRequest } from "../../../engine/kind.js";
import { reportManagedRules } from "../../../engine/managed-rules.js";
import { isObject, omit } from "../../../model/json.js";
import { isUnknown, NOT_KNOWN, valueIfKnown, type Pending } from "../../../model/unknown.js";
import type { AssignedRefs } from "../../../rules/assign-refs.js";
import { fieldsOf, NO_RULES, ruleEntries } from "../../../rules/keyed.js";
import type { WantedRule } from "../../../rules/match.js";
import { Rule } from "../../../rules/rule.js";
import {
  checkRuleCount,
  joinFindings,
  NO_FINDINGS,
  warning,
  type Failure,
  type Findings,
  failure,
} from "../../../validation/index.js";
import { checkAccountRules, checkEntitlements, checkZoneRulesets } from "./entitlements.js";
import { checkExisting, reportTakeover, type ExistingCheck, checkRefClaims, checkJoin } from "./existing.js";
import { checkListUses, listUsesIn } from "./lists.js";
import { checkRulesTogether, replayNewRules, reportUnknownRules } from "./meaning.js";
import {
  checkedInputs,
  lastRules,
  parseCheck,
  pendingRules,
  keyRules,
  refChangeText,
  type RuleInputs,
  type RulesetCheck,
} from "./inputs.js";
import { NOT_FOUND, type CheckedRules } from "./conclude.js";
import type { Creation } from "../write/planned-requests.js";
import type { RULESET } from "../description.js";
import { type Desired, desiredFrom, isKnownTarget, objectKeys, positionsIn } from "../desired.js";
import { lastWanted } from "../plans.js";
import { declareRules, runRecord } from "../ledgers.js";
import { checkListedPositions } from "./positions.js";
import { findExpiries, reportRollout, type RuleChange } from "../effect.js";
import { findVersion } from "./restored.js";
import { listOfProgram, listOfVersion, type RuleList } from "./rule-list.js";
import {
  checkRuleIds,
  readNamedRules,
  withNamedRules,
  assignRuleRefs,
  checkIgnored,
  ignoredFields,
  rulesBefore,
  refTraceWarnings,
} from "./refs.js";
import { checkPlaced } from "../shared/unplaced.js";
import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import { listUsesOf } from "../../../validation/list-uses.js";
import { findRecreateConflict } from "../write/compare.js";

type Result = CheckedRules<typeof RULESET>;

/**
 * Assigns refs to the rules, and checks what exists where a new resource is to be created. Returns the inputs that the
 * engine keeps, with rules by ref.
 */
export async function check(request: CheckRequest<typeof RULESET>): Promise<Result> {
  const { session, urn, wanted, keptInputs, olds } = request;
  if (olds === undefined) runRecord(session).toCreate.add(urn);
  const checking = parseCheck(request, lastWanted(request, desiredFrom));
  if (wanted.restoreVersion !== undefined) return checkVersion(checking);
  if (wanted.rules === NOT_KNOWN) {
    reportUnknownRules(checking);
    return unlisted(checking, pendingRules(checking));
  }
  return keptInputs.includes("rules")
    ? withLastRules(checking)
    : withList(checking, listOfProgram(checking, wanted.rules ?? []));
}

/** The same with the rules of an earlier version, if they can be known. */
async function checkVersion(checking: RulesetCheck): Promise<Result> {
  const { wanted, keptInputs } = checking;
  const version = await findVersion(checking);
  if (version.kind === "failed" || version.kind === "pending") {
    const failures = version.kind === "failed" ? [version.failure] : [];
    return unlisted(checking, pendingRules(checking), { failures, warnings: [] });
  }
  if (keptInputs.includes("rules")) return withLastRules(checking);
  const rules = version.kind === "kept" ? undefined : version.rules;
  return withList(checking, listOfVersion(checking, valueIfKnown(wanted.restoreVersion) ?? "", rules));
}

/** The rules that `ignoreChanges` keeps: no other resource of the program may have one of them. */
function withLastRules(checking: RulesetCheck): Result {
  const kept = ruleEntries(checking.last?.rules ?? NO_RULES);
  const [rules, refs] = [kept.map(({ rule }) => rule), kept.map(({ ref }) => ref)];
  return unlisted(checking, lastRules(checking), checkRefClaims(checking, rules, refs));
}

/** The result where the program gives no list, or none that is known yet. */
function unlisted(checking: RulesetCheck, rules: Pending<RuleInputs>, findings: Findings = NO_FINDINGS): Result {
  const creation = checking.olds === undefined ? { creation: NOT_FOUND } : {};
  return { inputs: checkedInputs(checking, rules), findings, ...creation };
}

async function withList(checking: RulesetCheck, listed: RuleList): Promise<Result> {
  const { session, urn, preview, target, isShared, last } = checking;
  const { wanted, restored } = listed;
  const existing = await checkExisting(checking, wanted);
  const { found } = existing;
  const mine = new Set(found?.join?.kept.map(({ rule }) => rule.id));
  const isOwn = ({ id }: DeployedRule): boolean => mine.has(id);
  const early =
    existing.findings.failures.length > 0
      ? existing.findings
      : await checkEntitlements(checking, {
          target,
          isShared,
          wanted,
          last: last?.rules,
          existing: found?.existing,
          isOwn,
        });
  const before = rulesBefore(checking, found);
  const named =
    restored === undefined ? await readNamedRules(checking, existing, wanted, before) : { findings: NO_FINDINGS };
  const known = withNamedRules(before, named, wanted);
  const assigned = assignRuleRefs(checking, known, found, listed);
  const { refs } = assigned;
  const count = last?.rules?.order.length ?? found?.existing.rules.length ?? 0;
  const findings = joinFindings([
    early,
    await checkAccountRules(checking, wanted.length, count),
    await checkZoneRulesets(checking),
    await checkRulesTogether(checking, listed),
    await checkLists(checking, listed),
    checkRuleCount(wanted.length, count),
    restored === undefined ? checkIgnored(checking, wanted, refs) : restoredFindings(restored.note),
    checkRefClaims(checking, wanted, refs),
    session.mayBePreview(urn) ? findExpiries(session, wanted, (index) => ["rules", index]) : NO_FINDINGS,
    restored === undefined ? checkRuleIds(wanted, refs, known, named) : NO_FINDINGS,
    checkPositions(checking, refs),
  ]);
  const inputs = checkedInputs(checking, keyedList(checking, listed, refs));
  if (findings.failures.length > 0) return { inputs, findings };
  if (preview) reportRollout(session, urn, changesOf(checking, listed, refs, found?.existing));
  if (last !== undefined) {
    reportRefs(checking, listed, assigned);
    return { inputs, findings };
  }
  await replayNewRules(checking, existing, listed);
  const desired = { ...desiredFrom(inputs), urn };
  const { refused, creation } = await checkCreation(checking, existing, desired);
  if (refused.failures.length > 0) return { inputs, findings: joinFindings([findings, refused]) };
  reportRefs(checking, listed, assigned);
  declareRules(session, desired, found?.existing.id, desired.rules);
  reportManagedRules(session, urn, publicRules(listed));
  if (found !== undefined) await reportTakeover(session, found, desired);
  return { inputs, findings, desired, creation };
}

/** Checks whether the positions of the list are consistent with its order, and with those of other resources of the program. */
function checkPositions({ session, urn, wanted, target, adopts }: RulesetCheck, refs: readonly string[]): Findings {
  const [ruleset] = isKnownTarget(target) ? objectKeys(target, adopts) : [];
  if (ruleset === undefined || refs.some(isUnknown)) return NO_FINDINGS;
  return checkListedPositions(session, ruleset, { urn, order: refs, positions: positionsIn(wanted) });
}

/** The lists of the account that the rules use. */
async function checkLists(checking: RulesetCheck, listed: RuleList): Promise<Findings> {
  const { session, target, last } = checking;
  const now = listUsesIn(session, listed.wanted);
  if (now.length === 0) return NO_FINDINGS;
  const before = ruleEntries(last?.rules ?? NO_RULES).flatMap(({ rule }) => listUsesOf(fieldsOf(rule)));
  const findings = await checkListUses(checking, target.scope, { now, before });
  if (listed.restored === undefined) return findings;
  // An earlier version has no place in the program.
  const restored = (found: Failure): Failure => ({
    check: "unknown-list",
    path: ["restoreVersion"],
    reason: found.reason,
  });
  return { failures: findings.failures.map(restored), warnings: findings.warnings.map(restored) };
}

/** Each rule as it is known, or exists where nothing is known, and as it will be. */
function changesOf(
  { last }: RulesetCheck,
  { wanted, secretPathsIn }: RuleList,
  refs: readonly string[],
  existing: Ruleset | undefined,
): RuleChange[] {
  return wanted.map((after, index) => {
    const ref = refs[index] ?? "";
    const before =
      last === undefined ? existing?.rules.find((rule) => rule.ref === ref) : last.rules?.rules[ref]?.fields;
    return { ref, before, after, isSecret: secretPathsIn(index).length > 0 };
  });
}

/** The rules by ref. */
function keyedList(
  checking: RulesetCheck,
  { wanted, secretPathsIn, restored }: RuleList,
  refs: readonly string[],
): RuleInputs {
  const { olds, keptInputs, last } = checking;
  const keyed = keyRules({
    secretsBefore: valueIfKnown(olds?.__secretPaths) ?? {},
    wanted: restored === undefined ? wanted : wanted.map(withoutRef),
    refs,
    before: last?.rules ?? NO_RULES,
    ignored: ignoredFields(checking),
    keepsOrder: keptInputs.includes("order"),
    secretPathsIn,
  });
  return restored === undefined ? keyed : { ...keyed, __restored: restored.version };
}

/** Drops the ref: the refs of a version's rules are kept separately, like those of all checked rules. */
function withoutRef(rule: WantedRule): WantedRule {
  return isObject(rule) ? omit(rule, ["ref"]) : rule;
}

function restoredFindings(note: string | undefined): Findings {
  return note === undefined ? NO_FINDINGS : warning(["restoreVersion"], note);
}

/** Warns about refs that give a rule a new ID, or that reveal a secret. */
function reportRefs(
  { session, urn }: RulesetCheck,
  { wanted, secretPathsIn, restored }: RuleList,
  { refs, changes }: AssignedRefs,
): void {
  const traces = restored === undefined ? refTraceWarnings(secretPathsIn, wanted, refs) : [];
  for (const note of [...changes.map(refChangeText), ...traces]) session.reporter.warn(urn, note);
}

function publicRules({ wanted, secretPathsIn }: RuleList): readonly Rule[] {
  return wanted.flatMap((rule, index) => (secretPathsIn(index).length === 0 ? [Rule.of(rule)] : []));
}

/** What a new resource would do with what exists, and why it must not. */
async function checkCreation(
  checking: RulesetCheck,
  { isRead, found }: ExistingCheck,
  desired: Desired,
): Promise<{ readonly creation: Creation; readonly refused: Findings }> {
  const { session } = checking;
  if (found === undefined) {
    const [first] = isRead ? desired.positions : [];
    const unplaced =
      first === undefined ? undefined : { kind: "unanchored" as const, ref: first[0], position: first[1] };
    const refused = checkPlaced(session, desired, unplaced, { id: "", rules: [] });
    return { creation: { ...NOT_FOUND, isRead }, refused };
  }
  const { existing, join } = found;
  // A resource that is created again must not undo what somebody has changed since.
  const error = await findRecreateConflict(session, desired, existing);
  const recreated = error === undefined ? NO_FINDINGS : failure([], error.message);
  const { part, refused } = await checkJoin(checking, desired, existing, join);
  return { creation: { isRead, existing, part }, refused: joinFindings([recreated, refused]) };
}
