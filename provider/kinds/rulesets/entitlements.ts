import { checkCache } from "../../engine/check-cache.js";
import type { CheckRequest } from "../../engine/kind.js";
import type { Request } from "../../engine/request.js";
import type { Session } from "../../engine/session.js";
import type { Scope } from "../../model/ids.js";
import type { DeployedRule } from "../../model/ruleset.js";
import type { WantedRule } from "../../rules/match.js";
import {
  countNeed,
  findNeeds,
  isEntitled,
  needWarning,
  newNeeds,
  NO_FINDINGS,
  type Findings,
  type Need,
  type PlanHolder,
} from "../../validation/index.js";
import type { RULESET } from "./description.js";
import { isKnownTarget, targetOf, type Target } from "./desired.js";
import type { TakeoverPlan } from "./existing.js";
import { ruleEntries, type KeyedRules } from "../../rules/keyed.js";
import { Rule } from "../../rules/rule.js";

/** Rules of others that count towards the limits of a shared ruleset; read only if the program adds rules. */
async function rulesOfOthers(
  { reads }: Session,
  { scope, phase }: Target,
  {
    wanted,
    last,
    found,
  }: {
    readonly wanted: readonly WantedRule[];
    readonly last: KeyedRules | undefined;
    readonly found: TakeoverPlan | undefined;
  },
): Promise<readonly DeployedRule[]> {
  if (last === undefined) {
    const kept = new Set(found?.join?.kept.map(({ rule }) => rule.id));
    return found?.existing.rules.filter(({ id }) => !kept.has(id)) ?? [];
  }
  if (wanted.length <= last.order.length) return [];
  const own = new Set(last.order);
  const existing = await reads.entrypoint(scope, phase).catch(() => undefined);
  return existing?.rules.filter(({ ref }) => !own.has(ref)) ?? [];
}

/**
 * Warns in a preview about what the zone's plan does not include. The zone is read only if the rules need more than the
 * smallest plan includes and the existing rules do not show that the account has it.
 */
export async function checkEntitlements(
  request: CheckRequest<typeof RULESET>,
  wanted: readonly WantedRule[],
  last: KeyedRules | undefined,
  found: TakeoverPlan | undefined,
): Promise<Findings> {
  const { session, wanted: args } = request;
  const target = targetOf(args);
  const { scope, phase, entrypoint } = target;
  if (!shouldCheckPlan(request, target) || !entrypoint || !isKnownTarget(target)) return NO_FINDINGS;
  const others = args.ownership === "shared" ? await rulesOfOthers(session, target, { wanted, last, found }) : [];
  const before =
    last === undefined ? (found?.existing.rules ?? []) : [...ruleEntries(last).map(({ rule }) => rule), ...others];
  return warnOfUnmetNeeds(
    session,
    scope,
    findNewNeeds(session, others.length === 0 ? wanted : [...wanted, ...others], before, phase),
  );
}

/** The only phase of accounts whose number of rules depends on a plan. */
const BULK_REDIRECTS = "http_request_redirect";

/** Whether a run checks the plan: only previews do, of rules of a zone and of bulk redirects. */
export function shouldCheckPlan(
  { session, preview }: Pick<Request, "session" | "preview">,
  { scope, phase }: Pick<Target, "scope" | "phase">,
): boolean {
  return preview && session.previewChecks !== "off" && (scope.level === "zones" || phase === BULK_REDIRECTS);
}

/**
 * What rules need of a plan that the previous rules did not. Unchanged rules are not parsed. Most other rules need nothing, and
 * the previous ones are then not looked at.
 */
export function findNewNeeds(
  session: Session,
  after: readonly unknown[],
  before: readonly unknown[],
  phase: string,
): Need[] {
  if (areWrittenAlike(before, after)) return [];
  const needs = session.part(checkCache).get("needs", [after, phase], () => findNeeds(after, phase));
  if (needs.length === 0) return [];
  // Mostly it is the number of rules alone, for which the previous rules need not be parsed.
  const isNumber = needs.every(({ count }) => count !== undefined);
  return newNeeds(needs, isNumber ? countNeed(before.length, phase) : findNeeds(before, phase));
}

function areWrittenAlike(before: readonly unknown[], after: readonly unknown[]): boolean {
  return (
    before.length === after.length && before.every((rule, index) => Rule.of(rule).isWrittenAs(Rule.of(after[index])))
  );
}

/**
 * Warns about needs that the plan of a zone does not include; of an account, about the number of rules alone, because what
 * else its rules may use depends on the zones that they apply to. If there are no needs, no zone is read.
 */
export async function warnOfUnmetNeeds(
  { zones }: Session,
  { level, id }: Scope,
  needs: readonly Need[],
): Promise<Findings> {
  const judged = level === "zones" ? needs : needs.filter(({ count }) => count !== undefined);
  if (judged.length === 0) return NO_FINDINGS;
  const plan = level === "zones" ? await zones.find(id) : await accountPlan(zones, id);
  if (plan === undefined) return NO_FINDINGS;
  const warnings = judged.filter((need) => !isEntitled(need, plan.plan)).map((need) => needWarning(need, plan));
  return { failures: [], warnings };
}

/** The plan that decides what an account includes, for messages. */
async function accountPlan(zones: Session["zones"], accountId: string): Promise<PlanHolder | undefined> {
  const plan = await zones.accountPlan(accountId);
  return plan === undefined ? undefined : { name: "the account", plan };
}
