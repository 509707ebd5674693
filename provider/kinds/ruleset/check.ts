import { checkCache } from "../../engine/check-cache.js";
import type { Checked, CheckRequest } from "../../engine/kind.js";
import { reportManagedRules } from "../../engine/managed-rules.js";
import type { Request } from "../../engine/request.js";
import { keptSecrets, redactFindings } from "../../engine/secrets.js";
import { phaseResourceId } from "../../model/ids.js";
import { isObject, omit, type Json } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import type { DeployedRule } from "../../model/ruleset.js";
import { withUnknownLeaves, isUnknown, valueIfKnown, NOT_KNOWN, type Pending } from "../../model/unknown.js";
import { twoOwnersText } from "../../ownership/ruleset-messages.js";
import { knownRules } from "../../ownership/takeover.js";
import { assignRefs } from "../../rules/assign-refs.js";
import { diffRules, isEmptyDiff, withoutForm } from "../../rules/diff.js";
import {
  keyedDeployedRules,
  keyedRules,
  type KeyedRules,
  NO_RULES,
  orderText,
  rulesByRef,
  rulesInForce,
} from "../../rules/keyed.js";
import { Rule } from "../../rules/rule.js";
import type { WantedRule } from "../../rules/match.js";
import { summaryLine } from "../../rules/summary.js";
import {
  checkIgnoredRefs,
  checkMeaning,
  checkRules,
  checkScope,
  describeEffect,
  failure,
  joinFindings,
  NO_FINDINGS,
  readIgnored,
  warning,
  type Findings,
  type IgnoredField,
} from "../../validation/index.js";
import { PHASE_ENTRYPOINT, RULESET, type RulesetDescription, type RulesetInputs } from "./description.js";
import { ignorableNames } from "../../engine/description.js";
import { desiredFrom, isKnownTarget, targetOf, targetWords, type Desired } from "./desired.js";
import { checkEntitlements } from "./entitlements.js";
import { keyRules, knownFromOlds, refChangeText, type RuleInputs } from "./key-rules.js";
import { checkExisting } from "./check-existing.js";
import { findRecreateConflict } from "./recreate.js";
import { reportTakeover, lastDesired, type TakeoverPlan } from "./takeover-plan.js";
import { checkOptions } from "./options.js";
import { listOfProgram, listOfVersion, type RuleList } from "./restore/rule-list.js";
import { findVersion } from "./restore/restored-rules.js";
import { checkJoin, checkRefClaims, isShared } from "./shared/check.js";
import { claimRuleset } from "./shared/claims.js";
import { refuseSecretRefs, refTraceWarnings } from "./secret-refs.js";

type RulesetRequest = CheckRequest<typeof RULESET>;

/**
 * Checks the arguments without a request: shapes, tables, names in `ignoreChanges`, and other resources that manage the
 * same ruleset.
 */
export function validate(
  description: RulesetDescription,
  request: Request,
  olds: Pending<RulesetInputs> | undefined,
): Findings {
  const { session, args, urn, keptInputs, ignored } = request;
  if (olds !== undefined) session.part(lastDesired).parse(urn, olds);
  const { zoneId, accountId, phase, kind, rules } = args;
  const place = { zoneId, accountId, phase, ...(description.type === "Ruleset" ? { kind: kind ?? "" } : {}) };
  const mayBeMissing = keptInputs.includes("rules") || description.type === "Ruleset";
  return joinFindings([
    redactFindings(joinFindings([checkScope(place), checkOptions(description.type, args)]), request),
    checkOwners(request),
    refuseSecretRefs(request),
    readIgnored(ignored, description.type, ignorableNames(description)).findings,
    rules === undefined && mayBeMissing ? NO_FINDINGS : checkListed(request, rules),
  ]);
}

function checkListed(request: Request, rules: Json | undefined): Findings {
  if (isUnknown(rules)) return NO_FINDINGS;
  if (!Array.isArray(rules)) return failure(["rules"], notAListText(rules));
  const { phase } = request.args;
  const { kind } = targetOf(request.args);
  const once = request.session.part(checkCache);
  return redactFindings(
    once.get("rules", [rules, phase, kind], () => checkRules(rules, { phase, kind })),
    request,
  );
}

function notAListText(rules: Json | undefined): string {
  return isObject(rules)
    ? "must be a list of rules, not an object, which has no order: write Object.values(…), or a list. " +
        "The output `rules` of another ruleset is such a list"
    : "must be a list of rules; write [] for no rules";
}

/** Two resources of one program must not own the same entry point, unless they share it. */
function checkOwners({ session, urn, args }: Request): Findings {
  const target = targetOf(args);
  if (!target.entrypoint || !isKnownTarget(target)) return NO_FINDINGS;
  if (isUnknown(args.ownership)) return NO_FINDINGS;
  const keys = [phaseResourceId(target.scope, target.phase)];
  const other = claimRuleset(session, urn, keys, args.ownership === "shared" ? "shared" : "exclusive");
  return other === undefined ? NO_FINDINGS : failure([], twoOwnersText(targetWords(target), other, urn));
}

/**
 * Assigns refs to the rules, and checks what exists where a new resource is to be created. Returns the inputs that the
 * engine keeps, with rules by ref.
 */
export async function check(request: RulesetRequest): Promise<Checked<typeof RULESET>> {
  const { session, urn, wanted, keptInputs, olds } = request;
  const last = olds === undefined ? undefined : session.part(lastDesired).parse(urn, olds);
  if (wanted.restoreVersion !== undefined) return withVersion(request, last);
  if (wanted.rules === NOT_KNOWN) return response(request, last, NO_FINDINGS, pending(last));
  if (keptInputs.includes("rules")) return response(request, last, NO_FINDINGS, passedThrough(olds, last));
  return withIdentity(request, last, listOfProgram(request, wanted.rules ?? []));
}

/** The same with the rules of an earlier version, if they can be known. */
async function withVersion(request: RulesetRequest, last: Desired | undefined): Promise<Checked<typeof RULESET>> {
  const { wanted, keptInputs, olds } = request;
  const version = await findVersion(request, last);
  if (version.kind === "failed")
    return response(request, last, { failures: [version.failure], warnings: [] }, pending(last));
  if (version.kind === "pending") return response(request, last, NO_FINDINGS, pending(last));
  if (keptInputs.includes("rules")) return response(request, last, NO_FINDINGS, passedThrough(olds, last));
  const rules = version.kind === "kept" ? undefined : version.rules;
  return withIdentity(request, last, listOfVersion(request, last, valueIfKnown(wanted.restoreVersion) ?? "", rules));
}

/** While the list is unknown, every old rule may still be in it, so none is shown as removed. */
function pending(last: Desired | undefined): Pending<RuleInputs> {
  const rules = last?.rules ?? NO_RULES;
  return { rules: rules.order.length === 0 ? NOT_KNOWN : withUnknownLeaves(rulesByRef(rules)), order: NOT_KNOWN };
}

/** The old rules, in the old order. */
function passedThrough(olds: Pending<RulesetInputs> | undefined, last: Desired | undefined): Pending<RuleInputs> {
  const rules = last?.rules ?? NO_RULES;
  const { __secretPaths: secrets, __restored: restored } = olds ?? {};
  return {
    rules: rulesByRef(rules),
    order: orderText(rules.order),
    ...(secrets === undefined ? {} : { __secretPaths: secrets }),
    ...(restored === undefined ? {} : { __restored: restored }),
  };
}

async function withIdentity(
  request: RulesetRequest,
  last: Desired | undefined,
  listed: RuleList,
): Promise<Checked<typeof RULESET>> {
  const { session, olds, keptInputs } = request;
  const { wanted, secretPathsIn, restored } = listed;
  const { found, failure: refusal } = await checkExisting(request, wanted);
  const early: Findings =
    refusal === undefined
      ? await checkEntitlements(request, wanted, last?.rules, found)
      : { failures: [refusal], warnings: [] };
  const owner = isShared(request) ? request.urn : undefined;
  const assigned =
    restored === undefined
      ? assignRefs(knownTo(olds, last, found), wanted, (index) => secretFields(secretPathsIn(index)), owner)
      : { refs: restored.refs, matching: [], changes: [] };
  const before = last?.rules ?? NO_RULES;
  const ignored = ignoredFields(request);
  const findings = joinFindings([
    early,
    meaningOf(request, last, listed),
    restored === undefined ? checkIgnored(ignored, wanted, assigned.refs, before) : restoredFindings(restored.note),
    checkRefClaims(request, wanted, assigned.refs),
  ]);
  const { refs, changes } = assigned;
  const keyed = keyRules({
    secretsBefore: valueIfKnown(olds?.__secretPaths) ?? {},
    wanted: restored === undefined ? wanted : wanted.map(withoutRef),
    refs,
    before,
    ignored,
    keepsOrder: keptInputs.includes("order"),
    secretPathsIn,
  });
  const inputs = restored === undefined ? keyed : { ...keyed, __restored: restored.version };
  const { inputs: checked } = response(request, last, findings, inputs);
  if (findings.failures.length > 0) return { inputs: checked, findings };
  const refused = joinFindings([
    await checkRecreated(request, found, desiredFrom(checked)),
    await checkJoin(request, found, assigned, checked),
  ]);
  if (refused.failures.length > 0) return { inputs: checked, findings: joinFindings([findings, refused]) };
  const traces = restored === undefined ? refTraceWarnings(secretPathsIn, wanted, refs) : [];
  const notes = [...changes.map(refChangeText), ...traces];
  for (const note of notes) session.reporter.warn(request.urn, note);
  if (last === undefined)
    reportManagedRules(
      session,
      request.urn,
      wanted.flatMap((rule, index) => (secretPathsIn(index).length === 0 ? [Rule.of(rule)] : [])),
    );
  if (found !== undefined) await reportTakeover(session, found, request.urn);
  if (found?.takeover !== undefined) summarise(request, found, keyed);
  return { inputs: checked, findings };
}

/** A resource that is created again must not undo what somebody has changed since. */
async function checkRecreated(
  { session }: RulesetRequest,
  found: TakeoverPlan | undefined,
  desired: Desired,
): Promise<Findings> {
  const error = found === undefined ? undefined : await findRecreateConflict(session, desired, found.existing);
  return error === undefined ? NO_FINDINGS : failure([], error.message);
}

/** Drops the ref: the refs of a version's rules are kept separately, like those of all checked rules. */
function withoutRef(rule: WantedRule): WantedRule {
  return isObject(rule) ? omit(rule, ["ref"]) : rule;
}

function restoredFindings(note: string | undefined): Findings {
  return note === undefined ? NO_FINDINGS : warning(["restoreVersion"], note);
}

/** Analyses what the rules mean together, in the preview of a ruleset that is created or whose rules change. */
function meaningOf(request: RulesetRequest, last: Desired | undefined, listed: RuleList): Findings {
  const { wanted, restored } = listed;
  const { session, preview } = request;
  if (!preview || session.ruleAnalysis === "off") return NO_FINDINGS;
  const { rules, order } = last?.rules ?? NO_RULES;
  const old = order.flatMap((ref) => rules[ref] ?? []);
  const current = wanted.map((rule) => Rule.of(rule));
  if (last !== undefined && haveSameEffects(old, current)) return NO_FINDINGS;
  if (last !== undefined) reportEffect(request, old, listed);
  // An earlier version was analysed when it was written, and its rules have no place in the program to report.
  if (restored !== undefined) return NO_FINDINGS;
  const { phase } = request.wanted;
  return redactFindings(
    session.part(checkCache).get("meaning", [wanted, phase], () => checkMeaning(wanted, phase)),
    request,
  );
}

/**
 * A sample request that shows the effect of a rule also reveals what the rule looks for, so nothing is reported if
 * there are secrets.
 */
function reportEffect(
  { session, urn, olds, wanted, secretPaths }: RulesetRequest,
  old: readonly Rule[],
  { wanted: current, secretPathsIn }: RuleList,
): void {
  const secret =
    secretPaths.length > 0 ||
    current.some((_, index) => secretPathsIn(index).length > 0) ||
    Object.keys(valueIfKnown(olds?.__secretPaths) ?? {}).length > 0;
  if (secret) return;
  const { phase } = wanted;
  const before = old.map(({ fields }) => fields);
  const text = session
    .part(checkCache)
    .get("effect", [phase, before, current], () => describeEffect(phase, before, current));
  if (text !== undefined) session.reporter.info(urn, text);
}

/** Whether both lists do the same to requests, rule by rule. */
function haveSameEffects(before: readonly Rule[], after: readonly Rule[]): boolean {
  const effectOf = (rule: Rule | undefined) => (isObject(rule?.fields) ? rule.effect : undefined);
  return before.length === after.length && before.every((rule, index) => effectOf(rule) === effectOf(after[index]));
}

/**
 * The rules that the program's rules can be matched with: those of the last run, or the existing ones for a new
 * resource.
 */
function knownTo(olds: Pending<RulesetInputs> | undefined, last: Desired | undefined, found: TakeoverPlan | undefined) {
  if (olds === undefined) return found === undefined ? [] : knownRules(rulesToMatch(found));
  const { __declared: declared = {} } = olds;
  return knownFromOlds(last?.rules ?? NO_RULES, declared === NOT_KNOWN ? {} : declared);
}

/** The existing rules to match; in a shared ruleset, only those that belong to the program. */
function rulesToMatch({ existing, join }: TakeoverPlan): readonly DeployedRule[] {
  return join === undefined ? existing.rules : join.kept.map(({ rule }) => rule);
}

/** Fields of a rule that must not be revealed, because they are secret or contain a secret. */
function secretFields(paths: readonly Path[]): readonly string[] {
  return paths.some((path) => path.length === 0)
    ? ["action", "description", "expression"]
    : paths.map((path) => String(path[0]));
}

function ignoredFields({ ignored, wanted }: RulesetRequest): readonly IgnoredField[] {
  const description = wanted.kind === undefined ? PHASE_ENTRYPOINT : RULESET;
  return readIgnored(ignored, description.type, ignorableNames(description)).fields;
}

/** Refs are checked only once every rule has one: a rule that is still unknown may get any ref. */
function checkIgnored(
  ignored: readonly IgnoredField[],
  wanted: readonly WantedRule[],
  refs: readonly string[],
  before: KeyedRules,
): Findings {
  const pending = wanted.some((rule) => isUnknown(rule) || (isObject(rule) && isUnknown(rule.ref)));
  return pending ? NO_FINDINGS : checkIgnoredRefs(ignored, [...refs, ...before.order]);
}

/** Reports in one line what a takeover does to the existing rules. */
function summarise({ session, urn, wanted }: RulesetRequest, { existing }: TakeoverPlan, keyed: RuleInputs): void {
  if (existing.rules.length === 0) return;
  const difference = diffRules(keyedDeployedRules(existing.rules), keyedRules(keyed.rules, keyed.order));
  session.reporter.info(urn, `${targetWords(targetOf(wanted))}: ${summaryLine(withoutForm(difference))}`);
}

/** Keeps the fingerprints of drifted rules until they are repaired, so that no preview shows them as added or removed. */
function repairing(
  { olds }: RulesetRequest,
  last: Desired | undefined,
  { rules, order }: Pending<RuleInputs>,
): Pick<Pending<RulesetInputs>, "__declared"> {
  const declared = olds?.__declared;
  if (declared === undefined) return {};
  const current = rules === NOT_KNOWN || order === NOT_KNOWN ? NO_RULES : keyedRules(rules, order);
  return isEmptyDiff(diffRules(last?.rules ?? NO_RULES, current)) ? {} : { __declared: declared };
}

function response(
  request: RulesetRequest,
  last: Desired | undefined,
  findings: Findings,
  keyed: Pending<RuleInputs>,
): Checked<typeof RULESET> {
  const { wanted, secretPaths } = request;
  const { rulesetId, ...args } = wanted;
  const inArguments = secretPaths.flatMap(([name]) => (name === "rules" || name === undefined ? [] : [String(name)]));
  const before = (valueIfKnown(request.olds?.__secretArgs) ?? []).map((name) => [name]);
  const kept = keptSecrets(before, request).map(([name]) => String(name));
  const secretArgs = [...new Set([...inArguments, ...kept])];
  const inForce = keyed.rules === NOT_KNOWN || keyed.order === NOT_KNOWN ? undefined : rulesInForce(keyed.rules);
  const adopts: Pick<Pending<RulesetInputs>, "__adopt"> = rulesetId === undefined ? {} : { __adopt: rulesetId };
  const inputs = {
    ...args,
    ...keyed,
    ...(inForce === undefined ? {} : { rulesInForce: inForce }),
    ...adopts,
    ...repairing(request, last, keyed),
    ...(secretArgs.length === 0 ? {} : { __secretArgs: secretArgs }),
  };
  return { inputs, findings };
}
