import { createRequire } from "node:module";
import type { Checked, CheckRequest } from "../../../engine/kind.js";
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
import { checkExisting, reportTakeover, type ExistingCheck, checkRefClaims, checkJoin, isShared } from "./existing.js";
import { checkListUses, listUsesIn } from "./lists.js";
import { checkRulesTogether, replayNewRules, reportUnknownRules } from "./meaning.js";
import { checkedInputs, lastRules, pendingRules, keyRules, refChangeText, type RuleInputs } from "./inputs.js";
import type { RULESET, RulesetInputs } from "../description.js";
import { type Desired, desiredFrom, isKnownTarget, objectKeys, positionsIn, targetOf } from "../desired.js";
import { lastDesired } from "../plans.js";
import { declareRules, expectCreate } from "../ledgers.js";
import { checkListedPositions } from "./positions.js";
import type { RuleChange } from "../rollout.js";
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
import type { Session } from "../../../engine/session.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { listUsesOf } from "../../../validation/list-uses.js";
import type { SharedPart } from "../plan/shared.js";
import { findRecreateConflict } from "../write/compare.js";

const load = createRequire(__filename);
/** Only for previews. */
const loadRollout = () => load("../rollout.js") as typeof import("../rollout.js");

type RulesetRequest = CheckRequest<typeof RULESET>;

/** The inputs and findings, and for a new resource also what it would do with what exists. */
export interface CheckedRuleset extends Checked<typeof RULESET> {
  readonly creation?: CheckedCreation;
}

/**
 * Assigns refs to the rules, and checks what exists where a new resource is to be created. Returns the inputs that the
 * engine keeps, with rules by ref.
 */
export async function check(request: RulesetRequest): Promise<CheckedRuleset> {
  const { session, urn, wanted, keptInputs, olds } = request;
  if (olds === undefined) expectCreate(session, urn);
  const last = olds === undefined ? undefined : session.part(lastDesired).parse(urn, olds);
  if (wanted.restoreVersion !== undefined) return withVersion(request, last);
  if (wanted.rules === NOT_KNOWN) {
    reportUnknownRules(request);
    return unlisted(request, last, pendingRules(last));
  }
  if (keptInputs.includes("rules")) return unlisted(request, last, lastRules(olds, last), lastClaims(request, last));
  return withList(request, last, listOfProgram(request, wanted.rules ?? []));
}

/** The same with the rules of an earlier version, if they can be known. */
async function withVersion(request: RulesetRequest, last: Desired | undefined): Promise<CheckedRuleset> {
  const { wanted, keptInputs, olds } = request;
  const version = await findVersion(request, last);
  if (version.kind === "failed")
    return unlisted(request, last, pendingRules(last), { failures: [version.failure], warnings: [] });
  if (version.kind === "pending") return unlisted(request, last, pendingRules(last));
  if (keptInputs.includes("rules")) return unlisted(request, last, lastRules(olds, last), lastClaims(request, last));
  const rules = version.kind === "kept" ? undefined : version.rules;
  return withList(request, last, listOfVersion(request, last, valueIfKnown(wanted.restoreVersion) ?? "", rules));
}

/** No other resource of the program may have a rule that `ignoreChanges` keeps here. */
function lastClaims(request: RulesetRequest, last: Desired | undefined): Findings {
  const rules = ruleEntries(last?.rules ?? NO_RULES);
  return checkRefClaims(
    request,
    rules.map(({ rule }) => rule),
    rules.map(({ ref }) => ref),
  );
}

/** The result where the program gives no list, or none that is known yet. */
function unlisted(
  request: RulesetRequest,
  last: Desired | undefined,
  rules: Pending<RuleInputs>,
  findings: Findings = NO_FINDINGS,
): CheckedRuleset {
  return { inputs: checkedInputs(request, last, rules), findings };
}

async function withList(request: RulesetRequest, last: Desired | undefined, listed: RuleList): Promise<CheckedRuleset> {
  const { wanted, restored } = listed;
  const existing = await checkExisting(request, wanted);
  const { found, failure: refusal } = existing;
  const mine = new Set(found?.join?.kept.map(({ rule }) => rule.id));
  const early: Findings =
    refusal === undefined
      ? await checkEntitlements(request, {
          target: targetOf(request.wanted),
          isShared: isShared(request),
          wanted,
          last: last?.rules,
          existing: found?.existing,
          isOwn: ({ id }) => mine.has(id),
        })
      : { failures: [refusal], warnings: [] };
  const before = rulesBefore(request, last, found);
  const named =
    restored === undefined ? await readNamedRules(request, existing, wanted, before) : { findings: NO_FINDINGS };
  const known = withNamedRules(before, named, wanted);
  const assigned = assignRuleRefs(request, known, found, listed);
  const { refs } = assigned;
  const count = last?.rules?.order.length ?? found?.existing.rules.length ?? 0;
  const findings = joinFindings([
    early,
    await checkAccountRules(request, wanted.length, count),
    await checkZoneRulesets(request),
    await checkRulesTogether(request, last, listed),
    await checkLists(request, last, listed),
    checkRuleCount(wanted.length, count),
    restored === undefined ? checkIgnored(request, wanted, refs, last) : restoredFindings(restored.note),
    checkRefClaims(request, wanted, refs),
    request.session.mayBePreview(request.urn)
      ? loadRollout().findExpiries(request.session, wanted, (index) => ["rules", index])
      : NO_FINDINGS,
    restored === undefined ? checkRuleIds(wanted, refs, known, named) : NO_FINDINGS,
    checkPositions(request, refs),
  ]);
  const inputs = checkedInputs(request, last, keyedList(request, last, listed, refs));
  if (findings.failures.length > 0) return { inputs, findings };
  if (request.preview)
    loadRollout().reportRollout(request.session, request.urn, changesOf(listed, refs, last, found?.existing));
  if (last !== undefined) {
    reportRefs(request, listed, assigned);
    return { inputs, findings };
  }
  await replayNewRules(request, existing, listed);
  const { refused, ...creation } = await checkCreation(request, existing, inputs);
  if (refused.failures.length > 0) return { inputs, findings: joinFindings([findings, refused]) };
  reportRefs(request, listed, assigned);
  const { session, urn } = request;
  const { desired } = creation;
  declareRules(session, desired, found?.existing.id, desired.rules);
  reportManagedRules(session, urn, publicRules(listed));
  if (found !== undefined) await reportTakeover(session, found, desired);
  return { inputs, findings, creation };
}

/** Checks whether the positions of the list are consistent with its order, and with those of other resources of the program. */
function checkPositions({ session, urn, wanted }: RulesetRequest, refs: readonly string[]): Findings {
  const target = targetOf(wanted);
  const [ruleset] = isKnownTarget(target) ? objectKeys(target, valueIfKnown(wanted.rulesetId)) : [];
  if (ruleset === undefined || refs.some(isUnknown)) return NO_FINDINGS;
  return checkListedPositions(session, ruleset, { urn, order: refs, positions: positionsIn(wanted) });
}

/** The lists of the account that the rules use. */
async function checkLists(request: RulesetRequest, last: Desired | undefined, listed: RuleList): Promise<Findings> {
  const { session, wanted } = request;
  const now = listUsesIn(session, listed.wanted);
  if (now.length === 0) return NO_FINDINGS;
  const before = ruleEntries(last?.rules ?? NO_RULES).flatMap(({ rule }) => listUsesOf(fieldsOf(rule)));
  const findings = await checkListUses(request, targetOf(wanted).scope, { now, before });
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
  { wanted, secretPathsIn }: RuleList,
  refs: readonly string[],
  last: Desired | undefined,
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
  request: RulesetRequest,
  last: Desired | undefined,
  { wanted, secretPathsIn, restored }: RuleList,
  refs: readonly string[],
): RuleInputs {
  const { olds, keptInputs } = request;
  const keyed = keyRules({
    secretsBefore: valueIfKnown(olds?.__secretPaths) ?? {},
    wanted: restored === undefined ? wanted : wanted.map(withoutRef),
    refs,
    before: last?.rules ?? NO_RULES,
    ignored: ignoredFields(request),
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
  { session, urn }: RulesetRequest,
  { wanted, secretPathsIn, restored }: RuleList,
  { refs, changes }: AssignedRefs,
): void {
  const traces = restored === undefined ? refTraceWarnings(secretPathsIn, wanted, refs) : [];
  for (const note of [...changes.map(refChangeText), ...traces]) session.reporter.warn(urn, note);
}

function publicRules({ wanted, secretPathsIn }: RuleList): readonly Rule[] {
  return wanted.flatMap((rule, index) => (secretPathsIn(index).length === 0 ? [Rule.of(rule)] : []));
}

/** What a new resource would do with what exists: the dry run reads it too. */
export interface CheckedCreation {
  readonly desired: Desired;
  /** Whether it is known what exists. */
  readonly isRead: boolean;
  readonly existing: Ruleset | undefined;
  /** What it would write to a ruleset that it shares. */
  readonly part: SharedPart | undefined;
}

/** Checks whether a new resource may do that. */
export async function checkCreation(
  request: CheckRequest<typeof RULESET>,
  { isRead, found }: ExistingCheck,
  inputs: Pending<RulesetInputs>,
): Promise<CheckedCreation & { readonly refused: Findings }> {
  const desired = { ...desiredFrom(inputs), urn: request.urn };
  const existing = found?.existing;
  if (existing === undefined) {
    const [first] = isRead ? desired.positions : [];
    const unplaced =
      first === undefined ? undefined : { kind: "unanchored" as const, ref: first[0], position: first[1] };
    const refused = checkPlaced(request.session, desired, unplaced, { id: "", rules: [] });
    return { desired, isRead, existing, part: undefined, refused };
  }
  const recreated = await checkRecreated(request.session, desired, existing);
  const { part, refused } = await checkJoin(request, desired, existing, found?.join);
  return { desired, isRead, existing, part, refused: joinFindings([recreated, refused]) };
}

/** A resource that is created again must not undo what somebody has changed since. */
async function checkRecreated(session: Session, desired: Desired, existing: Ruleset): Promise<Findings> {
  const error = await findRecreateConflict(session, desired, existing);
  return error === undefined ? NO_FINDINGS : failure([], error.message);
}
