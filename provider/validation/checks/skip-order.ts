import { lateSkips, type SkipOrder } from "../../../core/simulator/late-skips.js";
import { shortRulesetId } from "../../../core/model/ids.js";
import { isObject, type JsonObject } from "../../../core/model/json.js";
import { managedRulesets, withManagedName } from "../../../core/managed/rulesets.js";
import { pathText, type Path } from "../../../core/model/path.js";
import { hasUnknown, isUnknown } from "../../../core/model/unknown.js";
import { warning, type Findings } from "../../../core/model/failure.js";

/**
 * Warns about skip rules that come after every execution that they could skip. A skip rule only affects rules after it, in
 * its own ruleset (https://developers.cloudflare.com/ruleset-engine/managed-rulesets/create-exception/).
 */
export function checkSkipOrder(
  rules: readonly unknown[],
  at: (index: number) => Path,
  remedy: (late: LateSkip) => string = ({ first, ruleset }) =>
    `move it above ${pathText(at(first))}, which executes ${withManagedName(ruleset)}`,
): Findings {
  return findLateSkips(rules)
    .map((late) =>
      warning(
        at(late.index),
        "this skip rule skips nothing in this position: it only affects rules after it, and what it would skip is executed " +
          `before it. To fix this, ${remedy(late)}`,
      ),
    )
    .flat();
}

/** A skip rule that comes too late, and the first execution that it must precede. */
interface LateSkip {
  readonly index: number;
  readonly first: number;
  /** The ruleset that `first` executes. */
  readonly ruleset: string;
}

/** A rule, as far as it matters for the order of skip rules. */
interface OrderedRule {
  readonly rule: unknown;
  readonly reach: Reach;
  /** The ruleset that it executes, if it is known. */
  readonly executes: string | undefined;
}

/** `rest`: all later rules. IDs: executions of these rulesets. Undefined: the position does not matter, or is not decidable. */
type Reach = "rest" | readonly string[] | undefined;

/** Skip rules that certainly skip nothing in their position, but would skip something further up. */
export function findLateSkips(rules: readonly unknown[]): readonly LateSkip[] {
  const ordered = rules.map((rule) => ({ rule, reach: reachOf(rule), executes: executedBy(rule) }));
  return lateSkips<OrderedRule>(ordered, ORDER).flatMap(({ index, first = -1 }) => {
    const ruleset = ordered[first]?.executes;
    return ruleset === undefined ? [] : [{ index, first, ruleset }];
  });
}

const MANAGED = new Set<string>(Object.values(managedRulesets));

const ORDER: SkipOrder<OrderedRule> = {
  keyOf: ({ reach }) => (reach === undefined ? undefined : JSON.stringify(reach)),
  maySkip: ({ reach }, { rule, executes }) => {
    if (isObject(rule) && rule.action === "skip" && rule.enabled === false) return false;
    // Other disabled rules count, because a skip rule before them is in the right place.
    if (reach === "rest") return true;
    const isKnown = isObject(rule) && typeof rule.action === "string" && !isUnknown(rule.action);
    if (isKnown && rule.action !== "execute") return false;
    // A ruleset that is not known may execute others.
    return executes === undefined || !MANAGED.has(executes) || reach?.includes(executes) === true;
  },
  wouldSkip: ({ reach }, { rule, executes }) => {
    const isOn = isObject(rule) && (rule.enabled === undefined || rule.enabled === true);
    return isOn && executes !== undefined && (reach === "rest" || reach?.includes(executes) === true);
  },
  isLateAlone: () => false,
};

/** What an enabled skip rule skips in its own ruleset; undefined if that is not fully known. */
function reachOf(rule: unknown): Reach {
  if (!isObject(rule) || rule.action !== "skip" || rule.wire !== undefined) return undefined;
  const { actionParameters, enabled } = rule;
  if (!isObject(actionParameters) || hasUnknown(actionParameters) || enabled === false || isUnknown(enabled))
    return undefined;
  const { ruleset, rulesets, rules, ...others } = actionParameters;
  if (Object.values(others).some((value) => value !== undefined)) return undefined;
  if (ruleset !== undefined) return ruleset === "current" ? "rest" : undefined;
  const ids = [
    ...(Array.isArray(rulesets) ? (rulesets as unknown[]) : []),
    ...(isObject(rules) ? Object.keys(rules) : []),
  ];
  return ids.map((id) => shortRulesetId(String(id)));
}

/** The ruleset that a rule executes, if it is known. */
function executedBy(rule: unknown): string | undefined {
  const parameters: JsonObject =
    isObject(rule) && rule.action === "execute" && isObject(rule.actionParameters) ? rule.actionParameters : {};
  const { id } = parameters;
  return typeof id === "string" && !isUnknown(id) ? shortRulesetId(id) : undefined;
}
