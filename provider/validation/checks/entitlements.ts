// Past the index, so that a preview loads nothing that evaluates.
import { parseExpression } from "../../../language/syntax/index.js";
import { usesOf, type Uses } from "../../../language/uses.js";
import plans from "../../../schema/plans.json";
import { expressionsOf, type PlacedExpression } from "../../model/expressions.js";
import { isObject } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import type { Failure } from "../failure.js";

const PLANS: readonly string[] = plans.plans;

/** What the rules of a phase need beyond the smallest plan. */
export interface Need {
  /** Equal for equal needs, whichever rule has them. */
  readonly key: string;
  readonly path: Path;
  /** The smallest plan that has it; `none` for a number that no plan has. */
  readonly least: string;
  /** For messages: `the operator matches`; nothing for a number of rules. */
  readonly what: string;
  readonly count?: { readonly rules: number; readonly phase: string };
}

type Feature = (typeof plans.features)[number];
type Found = readonly [Feature, Path];

/** Everything that the rules of a phase in a zone need of its plan, each need once, at the first rule that has it. */
export function findNeeds(rules: readonly unknown[], phase: string, path: Path = ["rules"]): Need[] {
  const found = rules.flatMap((rule, index) => (isObject(rule) ? featuresOf(rule, [...path, index]) : []));
  const first = new Map(found.toReversed().map((entry) => [keyOf(entry[0]), entry]));
  const features = found.filter((entry) => first.get(keyOf(entry[0])) === entry);
  return [...features.map(needOf), ...countNeed(rules.length, phase, path)];
}

function keyOf({ kind, name }: Feature): string {
  return `${kind} ${name}`;
}

function needOf([feature, path]: Found): Need {
  const { kind, name, least } = feature;
  return { key: keyOf(feature), path, least, what: feature.words ?? `the ${kind} ${name}` };
}

function countNeed(rules: number, phase: string, path: Path): Need[] {
  const most = mostRules(phase);
  const smallest = most?.[0];
  if (most === undefined || smallest === undefined || rules <= smallest) return [];
  const least = PLANS[most.findIndex((number) => rules <= number)] ?? "none";
  return [{ key: "rules", path, least, what: "", count: { rules, phase } }];
}

function mostRules(phase: string): readonly number[] | undefined {
  return Object.entries(plans.rules).find(([name]) => name === phase)?.[1].most;
}

function featuresOf(rule: Readonly<Record<string, unknown>>, path: Path): Found[] {
  const used = expressionsOf(rule, path).map((placed) => [usesIn(placed), placed.path] as const);
  const { action } = rule;
  const parameters = isObject(rule.actionParameters) ? rule.actionParameters : {};
  return plans.features.flatMap<Found>((feature) => {
    const { kind, name } = feature;
    const inExpressions = (names: keyof Uses): Found[] =>
      used.filter(([uses]) => uses?.[names].has(name) === true).map(([, at]) => [feature, at] as const);
    switch (kind) {
      case "action":
        return action === name ? [[feature, [...path, "action"]]] : [];
      case "ruleset":
        return action === "execute" && parameters.id === name ? [[feature, [...path, "actionParameters", "id"]]] : [];
      case "parameter":
        return action === feature.action && parameters[name] !== undefined
          ? [[feature, [...path, "actionParameters", name]]]
          : [];
      case "operator":
        return inExpressions("operators");
      case "function":
        return inExpressions("functions");
      default:
        return [];
    }
  });
}

/** What an expression uses; of one that cannot be read nothing can be said. */
function usesIn({ text, options }: PlacedExpression): Uses | undefined {
  const parsed = parseExpression(text, options.slot === "value" ? "value" : "filter");
  return "fault" in parsed ? undefined : usesOf(parsed.expression);
}

/** Needs that what stood there before did not have: what stands there shows that the account is entitled to it. */
export function newNeeds(after: readonly Need[], before: readonly Need[]): Need[] {
  const known = new Map(before.map((need) => [need.key, need]));
  return after.filter(({ key, count }) => {
    const old = known.get(key);
    return old === undefined || (count !== undefined && count.rules > (old.count?.rules ?? 0));
  });
}

/** Whether a plan has what is needed. Of a plan that nobody knows nothing can be said. */
export function isEntitled({ least }: Need, plan: string): boolean {
  const rank = PLANS.indexOf(plan);
  return rank < 0 || (least !== "none" && rank >= PLANS.indexOf(least));
}

/** The plan may be wrong about an account that has more by contract, so this is a warning and the service decides. */
export function needWarning(need: Need, zone: { readonly name: string; readonly plan: string }): Failure {
  const { path, least, what, count } = need;
  const whose = `the ${capital(zone.plan)} plan of ${zone.name === "" ? "the zone" : zone.name}`;
  if (count === undefined) {
    const reason = `${whose} does not include ${what}; the ${capital(least)} plan does. The service refuses it unless the account has it by contract`;
    return { path, reason };
  }
  const numbers = mostRules(count.phase) ?? [];
  const most = (plan: string): string => String(numbers[PLANS.indexOf(plan)] ?? 0);
  const larger = least === "none" ? "" : `; the ${capital(least)} plan includes ${most(least)}`;
  const reason =
    `${String(count.rules)} rules, and ${whose} includes ${most(zone.plan)} in ${count.phase}${larger}. ` +
    "The service refuses more unless the account has them by contract";
  return { path, reason };
}

function capital(plan: string): string {
  return `${plan.slice(0, 1).toUpperCase()}${plan.slice(1)}`;
}
