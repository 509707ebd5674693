import { rulesetResourceId } from "../../../../core/model/ids.js";
import { isObject, stableText, textOf } from "../../../../core/model/json.js";
import type { Path } from "../../../../core/model/path.js";
import type { Position } from "../../../../core/model/position.js";
import { isUnknown, NOT_KNOWN, valueIfKnown } from "../../../../core/model/unknown.js";
import { NO_RULES, ruleEntries } from "../../../../core/rules/keyed.js";
import type { WantedRule } from "../../../../core/rules/match.js";
import { anchorOf } from "../../../../core/rules/placing/position.js";
import { claim } from "../../../engine/claims.js";
import type { Checked } from "../../../engine/kind.js";
import { readInCheck } from "../../../engine/request.js";
import type { Session } from "../../../engine/session.js";
import { twoRuleOwnersText } from "../../../ownership/rule-messages.js";
import { twoOwnersText } from "../../../ownership/ruleset-messages.js";
import { ruleInWords } from "../../../ownership/words.js";
import { checkScope, effectText, failure, type Findings, refutable, warning } from "../../../validation/index.js";
import type { RULESET } from "../description.js";
import { isKnownTarget, objectKeys, ruleKeysIn } from "../desired.js";
import type { Judges } from "../judge.js";
import { planTakeover, type TakeoverPlan } from "../new-resource.js";
import { claimRuleset } from "../run.js";
import { concludeCheck, type MatchedRules, planCreation } from "./conclude.js";
import {
  checkedInputs,
  type ExistingCheck,
  mayRead,
  placeIn,
  type RuleList,
  type RulesetCheck,
  type UnlistedRules,
} from "./inputs.js";
import { placeOf } from "./validate.js";

/**
 * Assigns refs to the rules, and checks what exists where a new resource will be created. Returns the inputs that the
 * engine keeps, with rules by ref.
 */
export async function check(checking: RulesetCheck, judges: Judges): Promise<Checked<typeof RULESET>> {
  const { list } = checking;
  const matched = typeof list === "string" ? withoutList(checking, list) : await matchList(checking, list);
  return concludeCheck(checking, matched, judges);
}

/** A phase that this version does not know, or not there, is no mistake where the service has a ruleset. */
function checkNewPlace({ olds, given }: RulesetCheck, { found }: ExistingCheck): Findings {
  if (olds !== undefined && olds.phase === given.phase) return [];
  const place = placeOf(given.kind === undefined ? "PhaseEntrypoint" : "Ruleset", given);
  const findings = refutable(place, checkScope(place));
  if (found === undefined) return findings;
  return findings.flatMap(({ path, message }) =>
    warning(path, `${message} (accepted, because the service has a ruleset there)`),
  );
}

function withoutList(checking: RulesetCheck, rules: UnlistedRules): MatchedRules {
  const { olds, last } = checking;
  if (rules === "unknown") reportUnknownRules(checking);
  // No other resource of the program may have a rule that is kept.
  const kept = rules === "kept" ? ruleEntries(last?.rules ?? NO_RULES) : [];
  const refs = kept.map(({ ref }) => ref);
  return {
    inputs: checkedInputs(checking, refs),
    findings: [
      checkNewPlace(checking, NOT_INSPECTED),
      checkRuleClaims(
        checking,
        kept.map(({ rule }) => rule),
        refs,
      ),
    ].flat(),
    ...(olds === undefined ? { plan: (desired) => planCreation(checking, NOT_INSPECTED, desired) } : {}),
  };
}

/** Says in a preview that the rules of a ruleset change, and that nothing is known of it. */
function reportUnknownRules({ preview, session, urn, olds }: RulesetCheck): void {
  if (!preview || session.ruleAnalysis === "off" || olds === undefined) return;
  session.reporter.info(urn, effectText("is not judged: the rules of this ruleset are not known before `pulumi up`"));
}

async function matchList(asked: RulesetCheck, list: RuleList): Promise<MatchedRules> {
  const { session, urn, olds, last } = asked;
  const existing = await checkExisting(asked, list);
  const { isRead, found } = existing;
  const { inputs, refs, findings, notes } = await asked.settle(asked, existing, list);
  // The phase of a ruleset that is given by its ID is known by now.
  const checking = { ...asked, place: placeIn(inputs) };
  const { target, name, reach } = checking.place;
  return {
    inputs,
    findings: [
      checkNewPlace(asked, existing),
      existing.findings,
      findings,
      checkRuleClaims(checking, list.wanted, refs, found),
      checkPositions(checking, refs),
    ].flat(),
    declared: {
      ...{ request: asked, target, name: valueIfKnown(name), reach, last },
      ...{ rules: list.wanted, refs, secretPathsIn: list.secretPathsIn },
      ...{ isRead, deployed: found?.deployed, own: new Set(found?.join?.kept.map(({ rule }) => rule.id)) },
    },
    ...(olds === undefined ? { plan: (desired) => planCreation(asked, existing, desired) } : {}),
    report: () => {
      for (const note of notes) session.reporter.warn(urn, note);
    },
  };
}

const NOT_INSPECTED: ExistingCheck = { isRead: false, findings: [] };

/** Reads what exists where a resource will be created, if it can be read and previews may do so. */
async function checkExisting(checking: RulesetCheck, { wanted }: RuleList): Promise<ExistingCheck> {
  const { session, olds, given, urn, place } = checking;
  const { target, where, name, reach, policy } = place;
  const isPending = [given.__adopt, given.onExisting, given.onConflict, given.ownership].includes(NOT_KNOWN);
  const stays = olds !== undefined && (target.rulesetId === undefined || olds.rulesetId === target.rulesetId);
  if (stays || isPending || !mayRead(checking, target)) return NOT_INSPECTED;
  // A list of this program that no longer contains the rules may be written while the ruleset is read.
  checkRuleClaims(
    checking,
    wanted,
    wanted.map((rule) => (isObject(rule) ? textOf(rule.ref) : "")),
  );
  const resource = { ...{ target, where, name: valueIfKnown(name), reach, policy }, wanted, urn };
  const read = await readInCheck(checking, `what is in ${where}`, () => planTakeover(session, resource));
  if (!read.isRead) return read;
  const found = read.value;
  const { level, id } = target.scope;
  const named = policy.adopts ?? target.rulesetId;
  if (found === undefined) {
    const missing = `there is no ruleset ${named ?? ""} in ${level}/${id}`;
    return { isRead: true, findings: named === undefined ? [] : failure(["rulesetId"], missing) };
  }
  if (found.deployed.kind === "managed") {
    const managed = `is one of Cloudflare's managed rulesets (${found.deployed.name}), whose rules can only be overridden where it is executed`;
    return { isRead: true, findings: failure(["rulesetId"], managed) };
  }
  const key = rulesetResourceId(target.scope, found.deployed.id);
  const other = claimRuleset(session, urn, [key], reach);
  if (other !== undefined) return { isRead: true, findings: failure([], twoOwnersText(where, other, urn)) };
  const { refusal } = found;
  return { isRead: true, found, findings: refusal === undefined ? [] : failure([], refusal.message) };
}

/** Two resources of one program that share a ruleset must have different rules, whether their refs are set or derived. */
function checkRuleClaims(
  { session, urn, place }: Pick<RulesetCheck, "session" | "urn" | "place">,
  wanted: readonly WantedRule[],
  refs: readonly (string | undefined)[],
  found?: TakeoverPlan,
): Findings {
  const { reach, target, where, policy } = place;
  if (!reach.isPart || urn === "" || !isKnownTarget(target)) return [];
  const rulesets = objectKeys(target, found?.deployed.id ?? policy.adopts);
  return wanted.flatMap((rule, index) => {
    // A rule that is still completely unknown has no ref.
    if (!isObject(rule)) return [];
    const ref = isUnknown(rule.ref) ? undefined : refs[index];
    const existing = found?.deployed.rules.find((one) => one.ref === ref || one.id === rule.id);
    const names = [ref, textOf(rule.id), existing?.ref, existing?.id];
    const other = claim(session, urn, ruleKeysIn(rulesets, names));
    const path = reach.argumentPath(["rules", index]);
    return other === undefined ? [] : failure(path, twoRuleOwnersText(ruleInWords(ref ?? "", where), other, urn));
  });
}

/**
 * Finds positions that name a rule of the list itself, and two rules of the program at the same place of a ruleset: the order of the
 * list says where its rules are among themselves.
 */
function checkPositions({ session, urn, place }: RulesetCheck, refs: readonly string[]): Findings {
  const { target, policy, positions, reach } = place;
  const [ruleset] = isKnownTarget(target) ? objectKeys(target, policy.adopts) : [];
  if (ruleset === undefined || refs.some(isUnknown)) return [];
  const own = new Set(refs);
  return [...positions].flatMap(([ref, position]) => {
    const anchor = anchorOf(position);
    if (!own.has(ref)) return failure(reach.positionPath(ref), "is not the ref of a rule in `rules`");
    if (anchor === undefined) return checkPlace(session, urn, ruleset, position, reach.positionPath(ref));
    if (!own.has(anchor)) return [];
    return failure(
      reach.positionPath(ref, position),
      anchor === ref
        ? "must name another rule, not the rule itself"
        : "must name a rule of somebody else; the order of `rules` decides the rest",
    );
  });
}

/** Only one rule can be first, last, or at an index. */
function checkPlace(session: Session, urn: string, ruleset: string, position: Position, path: Path): Findings {
  const place = stableText(position);
  const other = claim(session, urn, [`${ruleset}/positions/${place}`]);
  return other === undefined
    ? []
    : failure(path, `${place} is also the position of ${other}; only one rule can be there`);
}
