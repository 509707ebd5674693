import type { CheckRequest } from "../../../engine/kind.js";
import { planUp } from "../../../engine/published-plans.js";
import { reportUnavailableCheck } from "../../../engine/request.js";
import { rulesetResourceId } from "../../../model/ids.js";
import { valueIfKnown, NOT_KNOWN, isUnknown } from "../../../model/unknown.js";
import { twoOwnersText } from "../../../ownership/ruleset-messages.js";
import type { WantedRule } from "../../../rules/match.js";
import { type Failure, failure, joinFindings, NO_FINDINGS, type Findings } from "../../../validation/index.js";
import type { RULESET } from "../description.js";
import { isKnownTarget, targetOf, targetWords, type Desired, ruleKeys } from "../desired.js";
import { claimRuleset } from "../ledgers.js";
import { planTakeover, type TakeoverPlan } from "../existing.js";
import { displayFor } from "../../../engine/display.js";
import type { Session } from "../../../engine/session.js";
import { isWrittenByProgram, takeoverText, type TakeoverGrounds } from "../../../ownership/takeover-messages.js";
import { diffRules } from "../../../rules/diff.js";
import { keyedDeployedRules, NO_RULES } from "../../../rules/keyed.js";
import { findCloudflareHolder, findRulesetPredecessor } from "../predecessor.js";
import { claim } from "../../../engine/claims.js";
import { isObject } from "../../../model/json.js";
import type { Ruleset } from "../../../model/ruleset.js";
import type { Join } from "../../../ownership/join.js";
import { twoRefsText } from "../../../ownership/shared-messages.js";
import type { SharedPart } from "../plan/shared.js";
import { checkPlaced } from "../shared/unplaced.js";
import { planNew, reportJoin, warnOfDeleters } from "../shared/report.js";

/** What was found, or why it could not be read or must not be taken over. */
export interface ExistingCheck {
  /** Whether it is known what exists. */
  readonly isRead: boolean;
  readonly found?: TakeoverPlan;
  readonly failure?: Failure;
}

const NOT_READ: ExistingCheck = { isRead: false };

/** Reads what exists where a new resource is to be created, if it can be read and previews may do so. */
export async function checkExisting(
  request: CheckRequest<typeof RULESET>,
  wanted: readonly WantedRule[],
): Promise<ExistingCheck> {
  const { session, olds, wanted: args, urn, preview } = request;
  const target = targetOf(args);
  if (olds !== undefined || !isKnownTarget(target)) return NOT_READ;
  if (session.previewChecks === "off" && preview) return NOT_READ;
  const { rulesetId: adopts, onExisting, onConflict, ownership = "exclusive" } = args;
  const pending = [adopts, onExisting, onConflict].includes(NOT_KNOWN) || ownership === NOT_KNOWN;
  if (pending) return NOT_READ;
  const name = valueIfKnown(args.name);
  const where = targetWords(target, { name, id: valueIfKnown(adopts) });
  try {
    const policy = {
      maxRemovedPercent: valueIfKnown(args.maxRemovedPercent),
      ownership,
      onExisting: valueIfKnown(onExisting),
      onConflict: valueIfKnown(onConflict),
      adopts: valueIfKnown(adopts),
    };
    const found = await planTakeover(session, { target, where, name, policy, wanted, urn });
    if (found === undefined && adopts !== undefined) {
      const reason = `there is no ruleset ${String(adopts)} in ${target.scope.level}/${target.scope.id}`;
      return { isRead: true, failure: { path: ["rulesetId"], reason } };
    }
    if (found === undefined) return { isRead: true };
    const other = claimRuleset(session, urn, [rulesetResourceId(target.scope, found.existing.id)], ownership);
    if (other !== undefined) return { isRead: true, failure: { path: [], reason: twoOwnersText(where, other, urn) } };
    if (found.refusal !== undefined)
      return { isRead: true, found, failure: { path: [], reason: found.refusal.message } };
    return { isRead: true, found };
  } catch (error) {
    const failure = reportUnavailableCheck(request, error, `whether ${where} is free`);
    return failure === undefined ? NOT_READ : { ...NOT_READ, failure };
  }
}

/**
 * Reports what a takeover does, unless there was nothing to take over: which rules it keeps, changes, drops and adds. It is a
 * warning if rules are dropped, if they seem to belong to somebody else, or if another resource would delete them.
 */
export async function reportTakeover(session: Session, found: TakeoverPlan, { urn, rules }: Desired): Promise<void> {
  const { target, existing, takeover } = found;
  if (existing.rules.length === 0 || takeover === undefined) return;
  const grounds = await takeoverGroundsOf(session, found);
  const other = await findCloudflareHolder(session, target, existing.name);
  const { added, moved } = diffRules(keyedDeployedRules(existing.rules), rules ?? NO_RULES);
  const changes = takeover.changed.length + takeover.dropped.length + moved.length > 0;
  planUp(session, urn, { ruleset: { id: existing.id, changes } });
  const text = takeoverText({ existing, takeover, added, moved, grounds, other }, displayFor(session));
  const seemsForeign = grounds.kind === "equal" && isWrittenByProgram(existing);
  if (takeover.dropped.length > 0 || seemsForeign || other.kind === "known") session.reporter.warn(urn, text);
  else session.reporter.info(urn, text);
}

async function takeoverGroundsOf(session: Session, { existing, requested }: TakeoverPlan): Promise<TakeoverGrounds> {
  if (requested) return { kind: "requested" };
  const before = await findRulesetPredecessor(session, existing.id, existing.rules);
  return before === undefined ? { kind: "equal" } : { kind: "inherited", urn: before.urn };
}

type RulesetRequest = CheckRequest<typeof RULESET>;

export function isShared({ wanted }: Pick<RulesetRequest, "wanted">): boolean {
  return wanted.ownership === "shared";
}

/**
 * Two resources of one program that share a ruleset must have different rules, whether their refs are set or derived. A
 * rule that is still completely unknown has no ref.
 */
export function checkRefClaims(
  { session, urn, wanted: args }: RulesetRequest,
  wanted: readonly WantedRule[],
  refs: readonly string[],
): Findings {
  const target = targetOf(args);
  const known = target.entrypoint || args.rulesetId !== undefined;
  if (!isShared({ wanted: args }) || !known || !isKnownTarget(target) || urn === "") return NO_FINDINGS;
  const rulesetId = typeof args.rulesetId === "string" ? args.rulesetId : undefined;
  return joinFindings(
    wanted.map((rule, index) => {
      const ref = refs[index];
      if (ref === undefined || ref === "" || !isObject(rule) || isUnknown(rule.ref)) return NO_FINDINGS;
      const other = claim(session, urn, ruleKeys(target, rulesetId, [ref]));
      const where = targetWords(target, { name: valueIfKnown(args.name), id: rulesetId });
      return other === undefined ? NO_FINDINGS : failure(["rules", index, "ref"], twoRefsText(where, ref, other));
    }),
  );
}

/** What a new resource writes to the ruleset that it will share, and why it must not. */
export interface CheckedJoin {
  readonly part: SharedPart | undefined;
  readonly refused: Findings;
}

/** Reports what a new resource finds in the ruleset that it will share, or fails if one of its refs is in use. */
export async function checkJoin(
  { session, urn, preview }: RulesetRequest,
  desired: Desired,
  existing: Ruleset,
  join: Join | undefined,
): Promise<CheckedJoin> {
  if (join === undefined) return { part: undefined, refused: NO_FINDINGS };
  const planned = await planNew(session, desired, existing, join);
  const { plan, comparison, refusal } = planned;
  const { part } = comparison;
  if (refusal !== undefined) return { part, refused: failure(["rules"], refusal) };
  const unplaced = checkPlaced(session, desired, part.unplaced, existing);
  if (unplaced.failures.length > 0) return { part, refused: unplaced };
  if (preview)
    warnOfDeleters(
      session,
      plan,
      join.kept.map(({ rule }) => rule),
    );
  reportJoin(session, urn, planned);
  return { part, refused: NO_FINDINGS };
}
