import { compare, type RuleInput } from "../../analysis/index.js";
import { HIDDEN } from "../../provider/model/secret.js";
import { isObject } from "../../provider/model/json.js";
import { isComplete } from "../../provider/model/unknown.js";
import type { Effect } from "./summary.js";
import type { RulesetRule } from "../../provider/model/generated/rule.js";
import { ruleEntries, type KeyedRules, type PendingRule } from "../../provider/rules/keyed.js";

export interface RulesetChange {
  readonly phase: string;
  readonly kind: string;
  readonly before: KeyedRules;
  readonly after: KeyedRules;
  /** Whether a secret changes: the rules compared are then not what really differs. */
  readonly hidden: boolean;
}

/** The limit for one ruleset, about a second. */
const STEPS = 4_000_000;

/**
 * What the change of a ruleset does to requests, looking at this ruleset alone. Undefined when that cannot be determined: a
 * rule is not known yet, or is secret.
 */
export function effectOf({ phase, kind, before, after, hidden }: RulesetChange): Effect | undefined {
  const [old, now] = [rulesOf(before), rulesOf(after)];
  if (hidden) return undefined;
  if (old === undefined || now === undefined || phase === "") return undefined;
  const side = (rules: readonly RuleInput[]) => [{ kind, phase, rules }];
  const { verdict, witnesses } = compare({ before: side(old), after: side(now), steps: STEPS });
  return { verdict, witnesses: witnesses.map(({ text }) => text) };
}

function rulesOf(keyed: KeyedRules): readonly RuleInput[] | undefined {
  const rules = ruleEntries(keyed).map(({ rule }) => rule);
  const isPublic = (rule: PendingRule): rule is RulesetRule =>
    isObject(rule) && isComplete<RulesetRule>(rule) && !isSecret(rule);
  return rules.every(isPublic) ? rules : undefined;
}

/** Whether there is a secret in anything the analysis reads; elsewhere, secrets do not affect which requests a rule matches. */
function isSecret({
  action,
  expression,
  ratelimit,
}: {
  action?: unknown;
  expression?: unknown;
  ratelimit?: unknown;
}): boolean {
  return [action, expression, ...Object.values(isObject(ratelimit) ? ratelimit : {})].some((value) => value === HIDDEN);
}
