import { planUp } from "../../../engine/published-plans.js";
import { readInCheck, type Request } from "../../../engine/request.js";
import { currentAt } from "../read.js";
import { rulesetResourceId } from "../../../model/ids.js";
import { NOT_KNOWN, isUnknown } from "../../../model/unknown.js";
import { twoOwnersText } from "../../../ownership/ruleset-messages.js";
import type { WantedRule } from "../../../rules/match.js";
import { failure, joinFindings, NO_FINDINGS, type Findings } from "../../../validation/index.js";
import { isKnownTarget, policyOf, type Desired, type Target, ruleKeys } from "../desired.js";
import type { RulesetCheck } from "./inputs.js";
import { claimRuleset, ledgerOf } from "../ledgers.js";
import { planTakeover, type TakeoverPlan } from "../takeover.js";
import { displayFor } from "../../../engine/display.js";
import type { Session } from "../../../engine/session.js";
import {
  isWrittenByProgram,
  takeoverText,
  type OtherHolder,
  type TakeoverGrounds,
} from "../../../ownership/takeover-messages.js";
import { diffRules } from "../../../rules/diff.js";
import { keyedDeployedRules, NO_RULES } from "../../../rules/keyed.js";
import { CLOUDFLARE_RULESET, type KeysOf } from "../../../engine/predecessors.js";
import type { Scope } from "../../../model/ids.js";
import { claim } from "../../../engine/claims.js";
import { isObject, type JsonObject } from "../../../model/json.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { twoRefsText } from "../../../ownership/shared-messages.js";
import { checkPlaced } from "../shared/positions.js";
import type { PlannedJoin } from "../shared/join.js";
import { reportJoin, warnOfDeleters } from "../shared/report.js";

/** Whether a check may ask the service about a ruleset, and knows which one it is. */
export function mayRead({ session, preview }: Pick<Request, "session" | "preview">, target: Target): boolean {
  return isKnownTarget(target) && !(session.previewChecks === "off" && preview);
}

/** A ruleset that was read, or why it could not be. */
export interface Inspected {
  /** Whether it is known what the ruleset contains. */
  readonly isRead: boolean;
  readonly ruleset?: Ruleset | undefined;
  readonly findings: Findings;
}

export const NOT_INSPECTED: Inspected = { isRead: false, findings: NO_FINDINGS };

/** Reads a ruleset, if a check may. */
export async function inspect(
  request: Pick<Request, "session" | "urn" | "preview">,
  target: Target,
  name: string,
): Promise<Inspected> {
  if (!mayRead(request, target)) return NOT_INSPECTED;
  const read = await readInCheck(request, `what is in ${name}`, () => currentAt(request.session, target));
  return read.isRead ? { isRead: true, ruleset: read.value, findings: NO_FINDINGS } : read;
}

/** What exists where a resource will be created, or why it could not be read or must not be taken over. */
export interface ExistingCheck {
  /** Whether it is known what exists. */
  readonly isRead: boolean;
  readonly found?: TakeoverPlan;
  readonly findings: Findings;
}

/** Reads what exists where a new resource will be created, if it can be read and previews may do so. */
export async function checkExisting(checking: RulesetCheck, wanted: readonly WantedRule[]): Promise<ExistingCheck> {
  const { session, olds, wanted: args, urn, target, name, where, adopts } = checking;
  const isPending = [args.rulesetId, args.onExisting, args.onConflict, args.ownership].includes(NOT_KNOWN);
  if (olds !== undefined || isPending || !mayRead(checking, target)) return NOT_INSPECTED;
  const policy = policyOf({ ...args, ...(adopts === undefined ? {} : { __adopt: adopts }) });
  const resource = { target, where, name, policy, wanted, urn };
  const read = await readInCheck(checking, `whether ${where} is free`, () => planTakeover(session, resource));
  if (!read.isRead) return read;
  const found = read.value;
  if (found === undefined) {
    const missing = `there is no ruleset ${adopts ?? ""} in ${target.scope.level}/${target.scope.id}`;
    return { isRead: true, findings: adopts === undefined ? NO_FINDINGS : failure(["rulesetId"], missing) };
  }
  const key = rulesetResourceId(target.scope, found.existing.id);
  const other = claimRuleset(session, urn, [key], policy.ownership);
  if (other !== undefined) return { isRead: true, findings: failure([], twoOwnersText(where, other, urn)) };
  const { refusal } = found;
  return { isRead: true, found, findings: refusal === undefined ? NO_FINDINGS : failure([], refusal.message) };
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

async function takeoverGroundsOf(
  session: Session,
  { target, existing, requested }: TakeoverPlan,
): Promise<TakeoverGrounds> {
  if (requested) return { kind: "requested" };
  const before = (await ledgerOf(session, { target }, existing.id)).previousHolder(existing.rules);
  return before === undefined ? { kind: "equal" } : { kind: "inherited", urn: before.urn };
}

/** Finds states by the zone or account of their ruleset. */
const SCOPES: Readonly<Record<Scope["level"], KeysOf>> = {
  zones: ({ zoneId }) => [zoneId],
  accounts: ({ accountId }) => [accountId],
};

/** Finds the `@pulumi/cloudflare` resource of this stack that manages a ruleset and would delete it when removed. */
async function findCloudflareHolder(
  { predecessors }: Session,
  { scope, phase, kind, entrypoint }: Target,
  name: string,
): Promise<OtherHolder> {
  const isSame = (state: JsonObject): boolean =>
    state.phase === phase && state.kind === kind && (entrypoint || state.name === name);
  const found = await predecessors.find(CLOUDFLARE_RULESET, { by: SCOPES[scope.level], key: scope.id }, isSame);
  if (found.kind !== "known") return found;
  const { __urn: urn } = found.state;
  return typeof urn === "string" ? { kind: "known", urn } : { kind: "unknown" };
}

/**
 * Two resources of one program that share a ruleset must have different rules, whether their refs are set or derived. A
 * rule that is still completely unknown has no ref.
 */
export function checkRefClaims(
  { session, urn, target, where, adopts, isShared, wanted: args }: RulesetCheck,
  wanted: readonly WantedRule[],
  refs: readonly string[],
): Findings {
  const known = target.entrypoint || args.rulesetId !== undefined;
  if (!isShared || !known || !isKnownTarget(target) || urn === "") return NO_FINDINGS;
  return joinFindings(
    wanted.map((rule, index) => {
      const ref = refs[index];
      if (ref === undefined || ref === "" || !isObject(rule) || isUnknown(rule.ref)) return NO_FINDINGS;
      const other = claim(session, urn, ruleKeys(target, adopts, [ref]));
      return other === undefined ? NO_FINDINGS : failure(["rules", index, "ref"], twoRefsText(where, ref, other));
    }),
  );
}

/** Reports what a new resource finds in the ruleset that it will share, or fails if one of its refs is in use. */
export function checkJoin({ session, urn, preview }: RulesetCheck, planned: PlannedJoin): Findings {
  const { plan, comparison, join, refusal } = planned;
  if (refusal !== undefined) return failure(["rules"], refusal);
  const refused = checkPlaced(session, plan.desired, comparison.part.unplaced, comparison.actual);
  if (refused.failures.length > 0) return refused;
  const kept = join.kept.map(({ rule }) => rule);
  if (preview) warnOfDeleters(session, plan, kept);
  reportJoin(session, urn, planned);
  return refused;
}
