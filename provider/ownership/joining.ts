import { NO_RULE, Rule } from "../rules/rule.js";
import { matchRules, type WantedRule } from "../rules/match.js";
import { isObject } from "../model/json.js";
import type { DeployedRule, Ruleset } from "../model/ruleset.js";
import { knownRules } from "./takeover.js";

/** By what right a rule that stands there is the program's: another resource held it, the program says so, or it is equal. */
export type JoinRight = "handedOn" | "asked" | "equal";

/** What a resource that shares a ruleset finds there of its own, and of others under its names. */
export interface Joining {
  /** Rules that are the program's from now on. */
  readonly kept: readonly Kept[];
  /** Rules of others that equal one of the program, under other refs. */
  readonly twins: readonly DeployedRule[];
}

/** A rule that stands there and is the program's from now on. */
export interface Kept {
  /** Which of the program's rules it is. */
  readonly index: number;
  readonly rule: DeployedRule;
  readonly right: JoinRight;
}

export interface JoiningMode {
  /** Whether the program asks for rules that answer to its own. */
  readonly asked: boolean;
  /** Ids of rules that another resource of the stack held, or holds still. */
  readonly handedOn: ReadonlySet<string>;
  /** Ids of rules that this very resource held before it was made anew. */
  readonly own: ReadonlySet<string>;
}

/**
 * Which rules of a ruleset are those of a program that comes to share it. What this very resource held is recognised by all
 * signs, and what another one of the stack held where it says the same. Of the others only a rule under a ref that the program names itself, since a ruleset has one of each: equal, it
 * is taken; else it stays another's, unless the program asks for it or names the rule's id. A rule that merely equals one of the
 * program may be another stack's, and is taken only when asked for.
 */
export function decideJoining(existing: Ruleset, wanted: readonly WantedRule[], mode: JoiningMode): Joining {
  const { asked } = mode;
  const values = wanted.map((rule) => new Rule(rule));
  const isOurs = ({ id }: DeployedRule): boolean => mode.handedOn.has(id) || mode.own.has(id);
  const names = new Set(wanted.flatMap((rule) => (isObject(rule) ? [rule.ref, rule.id] : [])));
  const isNamed = ({ ref, id }: DeployedRule): boolean => names.has(ref) || names.has(id);
  const ours = existing.rules.filter(isOurs);
  const candidates = [...ours, ...existing.rules.filter((rule) => !isOurs(rule) && (asked || isNamed(rule)))];
  const found = new Map<number, DeployedRule>();
  matchRules(knownRules(candidates), values, { onlySure: true }).forEach((old, index) => {
    const rule = old === undefined ? undefined : candidates[old];
    if (rule !== undefined) found.set(index, rule);
  });
  const own = existing.rules.filter(({ id }) => mode.own.has(id));
  matchTheRest(own, values, found);
  const kept = [...found].flatMap(([index, rule]) => {
    const right = rightTo(rule, values[index] ?? NO_RULE, mode);
    return right === undefined ? [] : [{ index, rule, right }];
  });
  return { kept, twins: twinsIn(existing, values, found) };
}

/** What was this resource's own is recognised by vague signs too. */
function matchTheRest(own: readonly DeployedRule[], wanted: readonly Rule[], found: Map<number, DeployedRule>): void {
  const taken = new Set([...found.values()].map(({ id }) => id));
  const free = own.filter(({ id }) => !taken.has(id));
  const open = wanted.flatMap((rule, index) => (found.has(index) ? [] : [{ rule, index }]));
  matchRules(
    knownRules(free),
    open.map(({ rule }) => rule),
  ).forEach((old, at) => {
    const rule = old === undefined ? undefined : free[old];
    const index = open[at]?.index;
    if (rule !== undefined && index !== undefined) found.set(index, rule);
  });
}

function rightTo(rule: DeployedRule, now: Rule, { asked, handedOn, own }: JoiningMode): JoinRight | undefined {
  if (handedOn.has(rule.id) || own.has(rule.id)) return "handedOn";
  const { fields } = now;
  const claimed = isObject(fields) && (fields.ref === rule.id || fields.id === rule.id);
  if (asked || claimed) return "asked";
  return now.mayMeanSameAs(new Rule(rule)) ? "equal" : undefined;
}

function twinsIn(existing: Ruleset, wanted: readonly Rule[], found: ReadonlyMap<number, DeployedRule>): DeployedRule[] {
  const taken = new Set([...found.values()].map(({ id }) => id));
  const made = wanted.flatMap((rule, index) => (found.has(index) || rule.pending ? [] : [rule.text]));
  const texts = new Set(made);
  return existing.rules.filter((rule) => !taken.has(rule.id) && texts.has(new Rule(rule).text));
}
