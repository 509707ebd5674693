import type { Entitled } from "../../../core/language/check/plans.js";
import type { Uses } from "../../../core/language/uses.js";
import plans from "../../../schema/plans.json";
import { expressionsOf, type PlacedExpression } from "../../../core/model/expressions.js";
import { isObject } from "../../../core/model/json.js";
import { valueAt, type Path } from "../../../core/model/path.js";
import { capital } from "../../../core/model/words.js";
import { failure, warning, withCode, type ArgumentFinding, type Findings } from "../../../core/model/failure.js";
import { ratelimitUses } from "./ratelimit-plans.js";
import { late } from "../../../core/model/late.js";

/** Not from the language's index, which loads the evaluator; and on demand, as refresh and destroy check nothing. */
const loadPlans = late<typeof import("../../../core/language/check/plans.js")>(() =>
  require("../../../core/language/check/plans.js"),
);
const loadSyntax = late<typeof import("../../../core/language/syntax/index.js")>(() =>
  require("../../../core/language/syntax/index.js"),
);
const loadUses = late<typeof import("../../../core/language/uses.js")>(() => require("../../../core/language/uses.js"));

const PLANS: readonly string[] = plans.plans;

/** Something that rules of a phase need and the smallest plan does not include. */
export interface Need {
  /** Equal for equal needs of different rules. */
  readonly key: string;
  readonly path: Path;
  /** The smallest plan that includes it; `none` for a number of rules that no plan includes. */
  readonly least: string;
  /** For messages: `the operator matches`; empty for a number of rules. */
  readonly what: string;
  /** What it needs, if that is not just a plan: `a Business plan or WAF Advanced`. */
  readonly words?: string;
  /** Whether the plan alone decides: no add-on includes it. */
  readonly byPlanAlone?: boolean;
  /** Whether zones on a smaller plan are known to have it. */
  readonly isTaken?: boolean;
  readonly count?: { readonly rules: number; readonly phase: string };
}

type Rule = Readonly<Record<string, unknown>>;
type Feature = (typeof plans.features)[number];

/** All needs of the rules of a phase in a zone, with their number. */
export function findNeeds(rules: readonly unknown[], phase: string): Need[] {
  return [...featuresNeeded(rules, phase), ...countNeed(rules.length, phase)];
}

/** What rules of a phase need, each once, at the first rule that has it. */
export function featuresNeeded(rules: readonly unknown[], phase: string): Need[] {
  const found = rules.flatMap((rule, index) => (isObject(rule) ? needsOf(rule, phase, ["rules", index]) : []));
  const first = new Map(found.toReversed().map((need) => [need.key, need]));
  return found.filter((need) => first.get(need.key) === need);
}

function needsOf(rule: Rule, phase: string, path: Path): Need[] {
  // Below Enterprise, no add-on changes a rate limit.
  const uses = ratelimitUses(rule, path).map((use) => ({ key: `${use.name} ${use.least}`, ...use, byPlanAlone: true }));
  return [...featureNeeds(rule, path), ...lifetimeNeeds(rule, path), ...expressionNeeds(rule, phase, path), ...uses];
}

/** What a number of rules needs. */
export function countNeed(rules: number, phase: string): Need[] {
  const most = mostRules(phase);
  const smallest = most?.[0];
  if (most === undefined || smallest === undefined || rules <= smallest) return [];
  const least = PLANS[most.findIndex((number) => rules <= number)] ?? "none";
  return [{ key: "rules", path: ["rules"], least, what: "", count: { rules, phase } }];
}

function mostRules(phase: string): readonly number[] | undefined {
  return Object.entries(plans.rules).find(([name]) => name === phase)?.[1].most;
}

/** How many rules each plan includes in a phase; empty if it is not documented. */
export function phaseLimits(phase: string): readonly number[] {
  return mostRules(phase) ?? [];
}

/** How many rules all custom rulesets of an account may have together, whatever its plan. */
export const ACCOUNT_CUSTOM_RULES = plans.accountCustomRules.most;
/** How these are divided, unless the service's support has changed that: rulesets, and rules in each of them. */
export const ACCOUNT_CUSTOM_RULESETS = plans.accountCustomRules.rulesets;
export const ACCOUNT_RULES_EACH = plans.accountCustomRules.rulesEach;

/** How many custom rulesets a plan includes in a zone. */
export function zoneRulesetsIncluded(plan: string): number | undefined {
  return plans.zoneCustomRulesets.most[PLANS.indexOf(plan)];
}

/** How many rules a plan includes in a phase of a zone; undefined if it is not documented. */
export function rulesIncluded(phase: string, plan: string): number | undefined {
  return mostRules(phase)?.[PLANS.indexOf(plan)];
}

/** The largest number of rules that any plan includes in a phase. */
const MOST_RULES = Math.max(...Object.values(plans.rules).flatMap(({ most }) => most));

/**
 * Refuses more rules than any plan includes. A ruleset that has more already, by contract, may have any number.
 * @param before how many the ruleset has
 */
export function checkRuleCount(rules: number, before: number): Findings {
  if (rules <= MOST_RULES || before > MOST_RULES) return [];
  const most = String(MOST_RULES);
  return failure(["rules"], `there are ${String(rules)} rules, but no plan includes more than ${most} in a ruleset`);
}

function featureNeeds({ action, actionParameters }: Rule, path: Path): Need[] {
  const parameters = isObject(actionParameters) ? actionParameters : {};
  return plans.features.flatMap((feature) => {
    const { kind, name, least, byPlanAlone = false, words: what = `the ${kind} ${name}` } = feature;
    const at = placeOf(feature, action, parameters);
    return at === undefined ? [] : [{ key: `${kind} ${name}`, path: [...path, ...at], least, what, byPlanAlone }];
  });
}

/** Path at which a rule uses a feature, or undefined. */
function placeOf(feature: Feature, action: unknown, parameters: Rule): Path | undefined {
  const { kind, name } = feature;
  switch (kind) {
    case "action":
      return action === name ? ["action"] : undefined;
    case "ruleset":
      return action === "execute" && parameters.id === name ? ["actionParameters", "id"] : undefined;
    default: {
      const value = action === feature.action ? valueAt(parameters, name.split(".")) : undefined;
      const values: readonly unknown[] | undefined = feature.values;
      return value !== undefined && values?.includes(value) !== false
        ? ["actionParameters", ...name.split(".")]
        : undefined;
    }
  }
}

/** The pages say how long caches at least keep what they store, and zones below that are known. 0 stores nothing. */
function lifetimeNeeds({ action, actionParameters }: Rule, path: Path): Need[] {
  const { least: shortest, action: caching, parameters } = plans.lifetimes;
  if (action !== caching || !isObject(actionParameters)) return [];
  return parameters.flatMap((name) => {
    const value = valueAt(actionParameters, name.split("."));
    if (typeof value !== "number" || value <= 0) return [];
    const least = PLANS[shortest.findIndex((seconds) => value >= seconds)];
    if (least === undefined || least === PLANS[0]) return [];
    const at = [...path, "actionParameters", ...name.split(".")];
    return [{ key: `${name} ${least}`, path: at, least, what: `${name} ${String(value)}`, isTaken: true }];
  });
}

/** Needs of a rule's expressions. */
function expressionNeeds(rule: Rule, phase: string, path: Path): Need[] {
  return expressionsOf(rule, path).flatMap((placed) => {
    const uses = usesIn(placed);
    if (uses === undefined) return [];
    const names = (kind: Entitled, found: Iterable<string>): Need[] =>
      [...found].flatMap((name) => {
        const needed = loadPlans().neededPlan(kind, name, phase);
        if (needed === undefined) return [];
        const { least, words } = needed;
        return [{ key: `${kind} ${name}`, path: placed.path, least, what: `the ${kind} ${name}`, words }];
      });
    return [...names("operator", uses.operators), ...names("function", uses.functions), ...names("field", uses.fields)];
  });
}

/** Operators, functions and fields of an expression; undefined if it cannot be parsed. */
function usesIn({ text, options }: PlacedExpression): Uses | undefined {
  const parsed = loadSyntax().parseExpression(text, options.slot === "value" ? "value" : "filter");
  return "fault" in parsed ? undefined : loadUses().usesOf(parsed.expression);
}

/** Needs that the previous rules did not have: existing rules show that the account is entitled to what they use. */
export function newNeeds(after: readonly Need[], before: readonly Need[]): Need[] {
  const known = new Map(before.map((need) => [need.key, need]));
  return after.filter(({ key, count }) => {
    const old = known.get(key);
    return old === undefined || (count !== undefined && count.rules > (old.count?.rules ?? 0));
  });
}

/** Whether a plan includes what is needed; true for an unknown plan. */
export function isEntitled({ least }: Need, plan: string): boolean {
  const rank = PLANS.indexOf(plan);
  return rank < 0 || (least !== "none" && rank >= PLANS.indexOf(least));
}

/** A zone or an account with its plan. */
export interface PlanHolder {
  readonly name: string;
  readonly plan: string;
}

/**
 * What a plan does not include. More rules than it has are an error, unless there are more already or it is the Enterprise plan, which
 * contracts extend. So are features that only the plan decides about; others come with add-ons too, which no read shows, so that the
 * service decides.
 * @param before how many rules there are
 * @param isThere whether the zone has what is needed, which shows that it may
 */
export function unmetNeed(need: Need, zone: PlanHolder, before = 0, isThere = false): ArgumentFinding {
  const { path, least, what, count } = need;
  const whose = `the ${capital(zone.plan)} plan of ${zone.name === "" ? "the zone" : zone.name}`;
  if (count === undefined) {
    const text = `${whose} does not include ${what}, which needs ${planWords(need)}`;
    const isRefused = need.byPlanAlone === true && !isThere;
    const depends =
      need.isTaken === true
        ? "The service is known to take it from some zones"
        : "The service rejects it unless the account has it by contract";
    return unmet(path, text, isRefused ? undefined : depends);
  }
  const numbers = mostRules(count.phase) ?? [];
  const most = (plan: string): string => String(numbers[PLANS.indexOf(plan)] ?? 0);
  const isFixed = zone.plan !== "enterprise" && before <= Number(most(zone.plan));
  const larger = least === "none" ? "" : `; the ${capital(least)} plan includes ${most(least)}`;
  const text = `there are ${String(count.rules)} rules, but ${whose} includes ${most(zone.plan)} in ${count.phase}${larger}`;
  return unmet(path, text, isFixed ? undefined : "The service rejects more unless the account has them by contract");
}

/** A warning that says on what else it depends; without that, the plan alone decides, and it is an error. */
function unmet(path: Path, text: string, depends: string | undefined): ArgumentFinding {
  return depends === undefined
    ? { code: "plan", severity: "error", path, message: text }
    : { code: "plan", severity: "warning", path, message: `${text}. ${depends}` };
}

function planWords({ words, least }: Need): string {
  return words ?? `at least the ${capital(least)} plan`;
}

/** What rules need, where it is not known which plan there is. */
export function unknownNeed(need: Need, where: "zone" | "account"): Findings {
  const { path, what, count } = need;
  const needed =
    count === undefined ? `${what}, which needs ${planWords(need)}` : `${String(count.rules)} rules in ${count.phase}`;
  const text = `it is not known whether the ${where} includes ${needed}: its plan could not be read, so the service decides`;
  return withCode("plan", warning(path, text));
}
