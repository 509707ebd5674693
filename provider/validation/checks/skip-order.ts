import { shortRulesetId } from "../../model/ids.js";
import { isObject, type JsonObject } from "../../model/json.js";
import { managedRulesets, withManagedName } from "../../managed/rulesets.js";
import { pathText, type Path } from "../../model/path.js";
import { hasUnknown, isUnknown } from "../../model/unknown.js";
import { joinFindings, warning, type Findings } from "../failure.js";

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
  return joinFindings(
    lateSkips(rules).map((late) =>
      warning(
        at(late.index),
        "this skip rule skips nothing in this position: it only affects rules after it, and what it would skip is executed " +
          `before it. To fix this, ${remedy(late)}`,
      ),
    ),
  );
}

/** A skip rule that comes too late, and the first execution that it must precede. */
export interface LateSkip {
  readonly index: number;
  readonly first: number;
  /** The ruleset that `first` executes. */
  readonly ruleset: string;
}

/** Skip rules that certainly skip nothing in their position, but would skip something further up. */
export function lateSkips(rules: readonly unknown[]): LateSkip[] {
  const executions = firstExecutions(rules);
  const after = new After();
  const late: LateSkip[] = [];
  for (let index = rules.length - 1; index >= 0; index -= 1) {
    const reach = reachOf(rules[index]);
    const first = firstOf(reach, executions);
    if (first !== undefined && first.index < index && !after.isReachedBy(reach)) {
      late.push({ index, first: first.index, ruleset: first.ruleset });
    } else after.add(rules[index]);
  }
  return late.reverse();
}

/** `rest`: all later rules. IDs: executions of these rulesets. Undefined: the position does not matter, or is not decidable. */
type Reach = "rest" | readonly string[] | undefined;

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

interface Execution {
  readonly ruleset: string;
  readonly index: number;
}

function firstOf(reach: Reach, executions: ReadonlyMap<string, Execution>): Execution | undefined {
  if (reach === "rest") return executions.values().next().value;
  const places = (reach ?? []).flatMap((id) => executions.get(id) ?? []);
  return places.length === 0 ? undefined : places.reduce((one, other) => (other.index < one.index ? other : one));
}

/** The first enabled rule that executes each ruleset, in order. */
function firstExecutions(rules: readonly unknown[]): Map<string, Execution> {
  const found = new Map<string, Execution>();
  rules.forEach((rule, index) => {
    const id = executedBy(rule);
    const isOn = isObject(rule) && (rule.enabled === undefined || rule.enabled === true);
    if (id !== undefined && isOn && !found.has(id)) found.set(id, { ruleset: id, index });
  });
  return found;
}

const MANAGED = new Set<string>(Object.values(managedRulesets));

/** What the rules after a position may execute. Disabled rules count, because a skip rule before them is in the right place. */
class After {
  private readonly executed = new Set<string>();
  /** Whether a rule is not known, or executes a ruleset that may execute others. */
  private opaque = false;
  private anything = false;

  add(rule: unknown): void {
    if (isObject(rule) && rule.action === "skip" && rule.enabled === false) return;
    this.anything = true;
    const isKnown = isObject(rule) && typeof rule.action === "string" && !isUnknown(rule.action);
    if (isKnown && rule.action !== "execute") return;
    const id = executedBy(rule);
    if (id !== undefined) this.executed.add(id);
    if (id === undefined || !MANAGED.has(id)) this.opaque = true;
  }

  isReachedBy(reach: Reach): boolean {
    if (reach === "rest") return this.anything;
    return this.opaque || (reach ?? []).some((id) => this.executed.has(id));
  }
}

/** The ruleset that a rule executes, if it is known. */
function executedBy(rule: unknown): string | undefined {
  const parameters: JsonObject =
    isObject(rule) && rule.action === "execute" && isObject(rule.actionParameters) ? rule.actionParameters : {};
  const { id } = parameters;
  return typeof id === "string" && !isUnknown(id) ? shortRulesetId(id) : undefined;
}
