import type { CheckRequest } from "../../../engine/kind.js";
import { isObject, omit } from "../../../model/json.js";
import { NOT_KNOWN, isUnknown, valueIfKnown, type Pending } from "../../../model/unknown.js";
import type { AssignedRefs } from "../../../rules/assign-refs.js";
import { NO_RULES, ruleEntries } from "../../../rules/keyed.js";
import { findUnanchored } from "../../../rules/placing/position.js";
import { failure, joinFindings, NO_FINDINGS, warning, type Findings } from "../../../validation/index.js";
import type { RULESET } from "../description.js";
import { desiredFrom, isKnownTarget, objectKeys, positionsIn, type Desired } from "../desired.js";
import { acceptRules, judgeRules, type Creation, type DeclaredRules, type Judges } from "../judge.js";
import { declareRules, lastWanted, runRecord } from "../ledgers.js";
import { planNew } from "../shared/join.js";
import { checkPlaced, checkPositions } from "../shared/positions.js";
import { findRecreateConflict } from "../write/compare.js";
import { NOT_FOUND, type CheckedRules } from "./conclude.js";
import { checkExisting, checkJoin, checkRefClaims, reportTakeover, type ExistingCheck } from "./existing.js";
import {
  checkedInputs,
  keyRules,
  lastRules,
  parseCheck,
  pendingRules,
  refChangeText,
  type ListedRules,
  type RulesetCheck,
} from "./inputs.js";
import {
  assignRuleRefs,
  checkIgnored,
  checkRuleIds,
  ignoredFields,
  readNamedRules,
  refTraceWarnings,
  rulesBefore,
  withNamedRules,
} from "./refs.js";
import { findVersion } from "./restored.js";
import { listOfProgram, listOfVersion, type RuleList } from "./rule-list.js";

type Result = CheckedRules<typeof RULESET>;

/**
 * Assigns refs to the rules, and checks what exists where a new resource will be created. Returns the inputs that the
 * engine keeps, with rules by ref.
 */
export async function check(request: CheckRequest<typeof RULESET>, judges: Judges): Promise<Result> {
  const { session, urn, wanted, keptInputs, olds } = request;
  if (olds === undefined) runRecord(session).toCreate.add(urn);
  const checking = parseCheck(request, lastWanted(request, desiredFrom));
  if (wanted.restoreVersion !== undefined) return checkVersion(checking, judges);
  if (wanted.rules === NOT_KNOWN) {
    reportUnknownRules(checking);
    return unlisted(checking, pendingRules(checking));
  }
  return keptInputs.includes("rules")
    ? withLastRules(checking)
    : withList(checking, judges, listOfProgram(checking, wanted.rules ?? []));
}

/** Says in a preview that the rules of a ruleset change, and that nothing is known of it. */
function reportUnknownRules({ preview, session, urn, olds }: RulesetCheck): void {
  if (!preview || session.ruleAnalysis === "off" || olds === undefined) return;
  session.reporter.info(urn, "this change is not judged: the rules of this ruleset are not known before `pulumi up`");
}

/** The same with the rules of an earlier version, if they can be known. */
async function checkVersion(checking: RulesetCheck, judges: Judges): Promise<Result> {
  const { wanted, keptInputs } = checking;
  const version = await findVersion(checking);
  if (version.kind === "failed" || version.kind === "pending") {
    const failures = version.kind === "failed" ? [version.failure] : [];
    return unlisted(checking, pendingRules(checking), { failures, warnings: [] });
  }
  if (keptInputs.includes("rules")) return withLastRules(checking);
  const rules = version.kind === "kept" ? undefined : version.rules;
  return withList(checking, judges, listOfVersion(checking, valueIfKnown(wanted.restoreVersion) ?? "", rules));
}

/** The rules that `ignoreChanges` keeps: no other resource of the program may have one of them. */
function withLastRules(checking: RulesetCheck): Result {
  const kept = ruleEntries(checking.last?.rules ?? NO_RULES);
  const [rules, refs] = [kept.map(({ rule }) => rule), kept.map(({ ref }) => ref)];
  return unlisted(checking, lastRules(checking), checkRefClaims(checking, rules, refs));
}

/** The result where the program gives no list, or none that is known yet. */
function unlisted(checking: RulesetCheck, rules: Pending<ListedRules>, findings: Findings = NO_FINDINGS): Result {
  const creation = checking.olds === undefined ? { creation: NOT_FOUND } : {};
  return { inputs: checkedInputs(checking, rules), findings, ...creation };
}

async function withList(checking: RulesetCheck, judges: Judges, listed: RuleList): Promise<Result> {
  const { session, urn, last } = checking;
  const { wanted, restored } = listed;
  const existing = await checkExisting(checking, wanted);
  const { found } = existing;
  const before = rulesBefore(checking, found);
  const named =
    restored === undefined ? await readNamedRules(checking, existing, wanted, before) : { findings: NO_FINDINGS };
  const known = withNamedRules(before, named, wanted);
  const assigned = assignRuleRefs(checking, known, found, listed);
  const { refs } = assigned;
  const declared = declaredRules(checking, existing, listed, refs);
  const findings = joinFindings([
    existing.findings,
    await judgeRules(judges, declared),
    restored === undefined ? checkIgnored(checking, wanted, refs) : restoredFindings(restored.note),
    checkRefClaims(checking, wanted, refs),
    restored === undefined ? checkRuleIds(wanted, refs, known, named) : NO_FINDINGS,
    checkListed(checking, refs),
  ]);
  const inputs = checkedInputs(checking, keyedList(checking, listed, refs));
  if (findings.failures.length > 0) return { inputs, findings };
  await acceptRules(judges, declared);
  if (last !== undefined) {
    reportRefs(checking, listed, assigned);
    return { inputs, findings };
  }
  const desired = { ...desiredFrom(inputs), urn };
  const { refused, creation } = await checkCreation(checking, existing, desired);
  if (refused.failures.length > 0) return { inputs, findings: joinFindings([findings, refused]) };
  reportRefs(checking, listed, assigned);
  declareRules(session, desired, found?.existing.id, desired.rules);
  if (found !== undefined) await reportTakeover(session, found, desired);
  return { inputs, findings, desired, creation };
}

/** What judges look at. */
function declaredRules(
  checking: RulesetCheck,
  { isRead, found }: ExistingCheck,
  { wanted, secretPathsIn, restored }: RuleList,
  refs: readonly string[],
): DeclaredRules {
  const { target, name, isShared, last } = checking;
  return {
    ...{ request: checking, target, name, isShared, declaredIn: "list", last },
    ...{ rules: wanted, refs, secretPathsIn, isRestored: restored !== undefined },
    ...{ isRead, existing: found?.existing, own: new Set(found?.join?.kept.map(({ rule }) => rule.id)) },
  };
}

/** Checks whether the positions of the list are consistent with its order, and with those of other resources of the program. */
function checkListed({ session, urn, wanted, target, adopts }: RulesetCheck, refs: readonly string[]): Findings {
  const [ruleset] = isKnownTarget(target) ? objectKeys(target, adopts) : [];
  if (ruleset === undefined || refs.some(isUnknown)) return NO_FINDINGS;
  return checkPositions(session, ruleset, { urn, order: refs, positions: positionsIn(wanted), declaredIn: "list" });
}

/** The rules by ref. */
function keyedList(
  checking: RulesetCheck,
  { wanted, secretPathsIn, restored }: RuleList,
  refs: readonly string[],
): ListedRules {
  const { olds, keptInputs, last } = checking;
  const keyed = keyRules({
    secretsBefore: valueIfKnown(olds?.__secretPaths) ?? {},
    // The refs of a version's rules are kept separately, like those of all checked rules.
    wanted: restored === undefined ? wanted : wanted.map((rule) => (isObject(rule) ? omit(rule, ["ref"]) : rule)),
    refs,
    before: last?.rules ?? NO_RULES,
    ignored: ignoredFields(checking),
    keepsOrder: keptInputs.includes("order"),
    secretPathsIn,
  });
  return restored === undefined ? keyed : { ...keyed, __restored: restored.version };
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

/** What a new resource would do with what exists, and why it must not. */
async function checkCreation(
  checking: RulesetCheck,
  { isRead, found }: ExistingCheck,
  desired: Desired,
): Promise<{ readonly creation: Creation; readonly refused: Findings }> {
  const { session } = checking;
  if (found === undefined) {
    const unplaced = isRead ? findUnanchored(desired.positions, []) : undefined;
    const refused = checkPlaced(session, desired, unplaced, { id: "", rules: [] });
    return { creation: { ...NOT_FOUND, isRead }, refused };
  }
  const { existing, join } = found;
  // A resource that is created again must not undo what somebody has changed since.
  const planned = join === undefined ? undefined : await planNew(session, desired, existing, { join });
  const error = planned === undefined ? await findRecreateConflict(session, desired, existing) : planned.undoes;
  const recreated = error === undefined ? NO_FINDINGS : failure([], error.message);
  const refused = planned === undefined ? NO_FINDINGS : checkJoin(checking, planned);
  return { creation: { isRead, existing, join: planned }, refused: joinFindings([recreated, refused]) };
}
