import { isError } from "../../../core/language/finding.js";
import { checkCache } from "../../engine/check-cache.js";
import type { Session } from "../../engine/session.js";
import type { Scope } from "../../../core/model/ids.js";
import type { DeployedRule, Ruleset } from "../../../core/model/ruleset.js";
import type { Path } from "../../../core/model/path.js";
import {
  checkRuleCount,
  countNeed,
  featuresNeeded,
  isEntitled,
  unknownNeed,
  unmetNeed,
  newNeeds,
  type Findings,
  type Need,
  type PlanHolder,
  ACCOUNT_CUSTOM_RULES,
  ACCOUNT_CUSTOM_RULESETS,
  ACCOUNT_RULES_EACH,
  failure,
  phaseLimits,
  rulesIncluded,
  warning,
  zoneRulesetsIncluded,
} from "../../validation/index.js";
import { isKnownTarget, type Target } from "../rulesets/desired.js";
import { ownRulesets } from "../rulesets/find.js";
import type { DeclaredRules, Judge } from "../rulesets/judge.js";
import { ruleEntries } from "../../../core/rules/keyed.js";
import { Rule } from "../../../core/rules/rule.js";
import { RulesetsError } from "../../../core/model/errors.js";
import { strainOf, quotaWords } from "../../../core/model/quota.js";
import { capital, joinNames } from "../../../core/model/words.js";
import { countBefore, ownersBeside, rulesetsBeside, rulesOfOthers } from "./program-rules.js";
import { isDryRunOn } from "./dry-run/judge.js";

/** What plans of zones and accounts include. */
export const entitlements: Judge = {
  declared: async (declared) =>
    [
      await checkEntitlements(declared),
      await checkAccountRules(declared),
      await checkZoneRulesets(declared),
      checkRuleCount(declared.rules.length, countBefore(declared)),
    ].flat(),
};

/** Rules of others in a shared ruleset, which count towards its limits. */
interface RulesBeside {
  /** At the service; read only if the program adds rules. */
  readonly now: readonly DeployedRule[];
  /** How many there are once the program is deployed, as far as this run has checked it. */
  readonly after: number;
}

async function rulesBeside(declared: DeclaredRules): Promise<RulesBeside> {
  const { rules, last } = declared;
  const before = last?.rules;
  const isSmaller = before !== undefined && rules.length <= before.order.length;
  return isSmaller ? { now: [], after: 0 } : withProgram(declared, await rulesOfOthers(declared));
}

/** Other resources of the program have some of these rules, and add others. */
function withProgram(declared: DeclaredRules, now: readonly DeployedRule[]): RulesBeside {
  const refs = ownersBeside(declared).flatMap((one) => one.refs);
  const declaredRefs = new Set(refs);
  return { now, after: refs.length + now.filter(({ ref }) => !declaredRefs.has(ref)).length };
}

/**
 * Finds in a preview what the zone's plan does not include. The zone is read only if the rules need more than the
 * smallest plan includes and the existing rules do not show that the account has it.
 */
async function checkEntitlements(declared: DeclaredRules): Promise<Findings> {
  const { request, target, reach, rules, deployed } = declared;
  const { session, preview } = request;
  const { scope, phase, entrypoint, rulesetId } = target;
  if (!preview || session.previewChecks === "off" || !(scope.level === "zones" || phase === BULK_REDIRECTS)) return [];
  if (!entrypoint || rulesetId !== undefined || !isKnownTarget(target)) return [];
  const beside = await rulesBeside(declared);
  const last = declared.last?.rules;
  const before =
    last === undefined ? (deployed?.rules ?? []) : [...ruleEntries(last).map(({ rule }) => rule), ...beside.now];
  const count = rules.length + beside.after;
  const isAlike = count === before.length && areWrittenAlike(before, [...rules, ...beside.now]);
  const needs = isAlike ? [] : findNewNeeds(session, { rules, count, before, phase });
  const path = reach.argumentPath(["rules"]);
  return [
    await findUnmetNeeds(
      session,
      scope,
      needs.map((need) => ({ ...need, path: reach.argumentPath(need.path) })),
      before.length,
    ),
    await warnOfLittleRoom(session, scope, phase, { before: before.length, count, path }),
  ].flat();
}

/** Warns about more rules that nearly use up what the plan includes. The plan is read only where one includes hardly more. */
async function warnOfLittleRoom(
  { zones }: Session,
  { level, id }: Scope,
  phase: string,
  { before, count, path }: { readonly before: number; readonly count: number; readonly path: Path },
): Promise<Findings> {
  const isNear = (included: number): boolean => strainOf({ count, included }) === "near";
  if (count <= before || !phaseLimits(phase).some(isNear)) return [];
  const plan = level === "zones" ? await zones.find(id) : await accountPlan(zones, id);
  const included = plan === undefined ? undefined : rulesIncluded(phase, plan.plan);
  if (plan === undefined || included === undefined || !isNear(included)) return [];
  const use = quotaWords({ what: `rules in ${phase}`, count, included });
  const whose = plan.name === "" ? "the zone" : plan.name;
  return warning(path, `these are ${use} that the ${capital(plan.plan)} plan of ${whose} includes`);
}

/** The only phase of accounts whose number of rules depends on a plan. */
const BULK_REDIRECTS = "http_request_redirect";

/** Rules of a resource, and how many its ruleset has with them. */
interface CountedRules {
  readonly rules: readonly unknown[];
  readonly count: number;
  /** All rules of the ruleset now. */
  readonly before: readonly unknown[];
  readonly phase: string;
}

/**
 * What rules need of a plan that the previous rules did not. Most rules need nothing, and the previous ones are then not looked
 * at.
 */
function findNewNeeds(session: Session, { rules, count, before, phase }: CountedRules): Need[] {
  const features = checkCache(session).get("needs", [rules, phase], () => featuresNeeded(rules, phase));
  const number = countNeed(count, phase);
  // Mostly it is the number of rules alone, for which the previous rules need not be parsed.
  const old = features.length === 0 ? [] : featuresNeeded(before, phase);
  return newNeeds([...features, ...number], [...old, ...countNeed(before.length, phase)]);
}

function areWrittenAlike(before: readonly unknown[], after: readonly unknown[]): boolean {
  return (
    before.length === after.length && before.every((rule, index) => Rule.of(rule).isWrittenAs(Rule.of(after[index])))
  );
}

/**
 * Finds needs that the plan of a zone does not include; of an account, about the number of rules alone, because what
 * else its rules may use depends on the zones that they apply to. If there are no needs, no zone is read.
 */
async function findUnmetNeeds(
  { zones }: Session,
  { level, id }: Scope,
  needs: readonly Need[],
  before: number,
): Promise<Findings> {
  const judged = level === "zones" ? needs : needs.filter(({ count }) => count !== undefined);
  if (judged.length === 0) return [];
  const plan = level === "zones" ? await zones.find(id) : await accountPlan(zones, id);
  if (plan === undefined) return judged.flatMap((need) => unknownNeed(need, level === "zones" ? "zone" : "account"));
  // Of an account, the credentials may see a part of the zones only, so that it may have a higher plan.
  const known = level === "zones" ? before : Infinity;
  return judged
    .filter((need) => !isEntitled(need, plan.plan))
    .map((need) => unmetNeed(need, plan, known))
    .map((one) => (isError(one) ? { ...one, message: `${one.message}. ${RAISED_PLAN}` } : one));
}

/** A preview reads the plan that the zone has before the run. */
const RAISED_PLAN =
  "To continue: leave it out, raise the plan, or if the same run raises it first, set `rulesets:previewChecks` to off for that run";

/** The plan that decides what an account includes, for messages. */
async function accountPlan(zones: Session["zones"], accountId: string): Promise<PlanHolder | undefined> {
  const plan = await zones.accountPlan(accountId);
  return plan === undefined ? undefined : { name: "the account", plan };
}

const PHASE = "http_request_firewall_custom";

/**
 * Refuses in a preview more custom rules than an account can have in all of its custom rulesets together. A dry run tells what
 * one ruleset would exceed; what several of this run exceed together, only their sum does, and then the others are read.
 */
function checkAccountRules(declared: DeclaredRules): Promise<Findings> {
  const [rules, before] = [declared.rules.length, countBefore(declared)];
  return judgeBeside(declared, "accounts", async (ours) => {
    const { request, target } = declared;
    const { session } = request;
    const growing = ours.filter((one) => one.refs.length > one.before).length;
    if (rules <= before || growing < (isDryRunOn(session) ? 2 : 1)) return [];
    const all = [
      ...ours.map(({ name, refs }) => ({ name, rules: refs.length })),
      ...(await others(session, target, new Set(ours.map((one) => one.name)))),
    ];
    const total = all.reduce((sum, one) => sum + one.rules, 0);
    const use = { what: RULES, count: total, included: ACCOUNT_CUSTOM_RULES };
    const state = strainOf(use);
    return [
      state === "beyond" ? failure(["rules"], excessText(total, all)) : [],
      state === "near" ? warning(["rules"], `the account would use ${quotaWords(use)}`) : [],
      checkDivision(rules, before, all.length),
    ].flat();
  });
}

/** Judges in a preview the custom rulesets of a place that this run has checked, together with those that exist. */
async function judgeBeside(
  { request: { session, preview }, target, name }: DeclaredRules,
  level: Scope["level"],
  judge: (ours: ReturnType<typeof rulesetsBeside>) => Promise<Findings>,
): Promise<Findings> {
  if (!preview || session.previewChecks === "off" || !isKnownTarget(target) || name === undefined) return [];
  const { scope, kind, phase } = target;
  if (scope.level !== level || kind !== "custom" || phase !== PHASE) return [];
  try {
    return await judge(rulesetsBeside(session, target));
  } catch (error) {
    // The service decides.
    if (error instanceof RulesetsError) return [];
    throw error;
  }
}

const RULES = "rules that all custom rulesets of an account can have together";

/** How the rules may be divided among rulesets is a default, which the service's support can change for an account. */
function checkDivision(rules: number, before: number, rulesets: number): Findings {
  const more = "The service refuses more unless its support has divided them in another way";
  return [
    rules > ACCOUNT_RULES_EACH && rules > before
      ? warning(
          ["rules"],
          `there are ${String(rules)} rules, but an account can have ${String(ACCOUNT_RULES_EACH)} in one custom ruleset. ${more}`,
        )
      : [],
    rulesets > ACCOUNT_CUSTOM_RULESETS && before === 0
      ? warning(
          [],
          `the account would have ${String(rulesets)} custom rulesets, but an account can have ${String(ACCOUNT_CUSTOM_RULESETS)}. ${more}`,
        )
      : [],
  ].flat();
}

/** Judges in a preview more custom rulesets of a zone than its plan includes. */
async function checkZoneRulesets(declared: DeclaredRules): Promise<Findings> {
  if (declared.last !== undefined) return [];
  return judgeBeside(declared, "zones", async (ours) => {
    const { request, target } = declared;
    const { session } = request;
    const listed = (await session.reads.listOfRun(target.scope)).filter(isCustomFirewall);
    const existing = await ownRulesets(session, target.scope, listed);
    const count = new Set([...ours.filter(({ isNew }) => isNew), ...existing].map((one) => one.name)).size;
    // Every plan includes one.
    const zone = count < 2 ? undefined : await session.zones.find(target.scope.id);
    const included = zone === undefined ? Infinity : (zoneRulesetsIncluded(zone.plan) ?? Infinity);
    if (zone === undefined || count <= included) return [];
    const isFixed = zone.plan !== "enterprise" && existing.length <= included;
    const text =
      `the zone would have ${String(count)} custom rulesets (${String(existing.length)} now), but the ${capital(zone.plan)} plan of ` +
      `${zone.name} includes ${String(included)}`;
    return isFixed
      ? failure([], `${text}. ${RAISED_PLAN}`)
      : warning([], `${text}. The service rejects more unless the account has them by contract`);
  });
}

function isCustomFirewall({ kind, phase }: Pick<Ruleset, "kind" | "phase">): boolean {
  return kind === "custom" && phase === PHASE;
}

/** A custom ruleset, and how many rules it has. */
interface CountedRuleset {
  readonly name: string;
  readonly rules: number;
}

/** The account's custom rulesets that this run has not checked. */
async function others({ reads }: Session, { scope }: Target, known: ReadonlySet<string>): Promise<CountedRuleset[]> {
  const listed = (await reads.listOfRun(scope)).filter((one) => isCustomFirewall(one) && !known.has(one.name));
  return Promise.all(
    listed.map(async ({ id, name }) => ({ name, rules: (await reads.byId(scope, id))?.rules.length ?? 0 })),
  );
}

function excessText(total: number, all: readonly CountedRuleset[]): string {
  const largest = all.toSorted((one, other) => other.rules - one.rules);
  const parts = joinNames(largest.map(({ name, rules }) => `${String(rules)} in ${name}`));
  return (
    `the custom rulesets of the account would have ${String(total)} rules together, ${parts}, and no account can have more ` +
    `than ${String(ACCOUNT_CUSTOM_RULES)}. To continue: remove rules, or put addresses into a list that one rule refers to`
  );
}
