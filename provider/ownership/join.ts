import { isObject } from "../../core/model/json.js";
import type { DeployedRule, Ruleset } from "../../core/model/ruleset.js";
import { type Matches, matchRules, type WantedRule } from "../../core/rules/match.js";
import { NO_RULE, Rule } from "../../core/rules/rule.js";
import { knownRules } from "./takeover.js";

/**
 * Why an existing rule belongs to the program: another resource managed it before, the program asks for it, or it is
 * equal.
 */
type JoinGrounds = "inherited" | "requested" | "equal";

/** What a resource that shares a ruleset finds there: its own rules, and rules of others that equal them. */
export interface Join {
  /** Existing rules that belong to the program from now on. */
  readonly kept: readonly JoinedRule[];
  /** Rules of others that equal a rule of the program but have other refs. */
  readonly equalRules: readonly DeployedRule[];
}

/** An existing rule that belongs to the program from now on. */
interface JoinedRule {
  /** The index of the program's rule. */
  readonly index: number;
  readonly rule: DeployedRule;
  readonly grounds: JoinGrounds;
}

export interface JoinMode {
  /** Whether the program asks to take over rules that match its own. */
  readonly requested: boolean;
  /** IDs of rules that another resource of the stack managed before, or still does. */
  readonly inherited: ReadonlySet<string>;
  /** IDs of inherited rules that nobody has changed since the stack last read them: the program may change them. */
  readonly unchanged: ReadonlySet<string>;
  /** IDs of rules that this same resource managed before it was recreated. */
  readonly own: ReadonlySet<string>;
}

/**
 * Decides which existing rules belong to a program that starts to share a ruleset. Rules that this same resource
 * managed are recognised by every sign, and rules of another resource of the stack if their content is equal, or if nobody
 * else has changed them. Of all
 * other rules, only one with a ref that the program sets itself is considered, because a ref is unique in a ruleset: it
 * is taken over if it is equal, and otherwise left alone unless the program asks for it or names its ID. A rule that is
 * merely equal under another ref may belong to another stack, so it is taken over only on request.
 */
export function decideJoin(deployed: Ruleset, wanted: readonly WantedRule[], mode: JoinMode): Join {
  const { requested } = mode;
  const values = wanted.map((rule) => Rule.of(rule));
  const isOurs = ({ id }: DeployedRule): boolean => mode.inherited.has(id) || mode.own.has(id);
  const names = new Set(wanted.flatMap((rule) => (isObject(rule) ? [rule.ref, rule.id] : [])));
  const isNamed = ({ ref, id }: DeployedRule): boolean => names.has(ref) || names.has(id);
  const ours = deployed.rules.filter(isOurs);
  const candidates = [...ours, ...deployed.rules.filter((rule) => !isOurs(rule) && (requested || isNamed(rule)))];
  const found = new Map<number, DeployedRule>();
  matchRules(knownRules(candidates), values, { onlySure: true }).forEach((old, index) => {
    const rule = old === undefined ? undefined : candidates[old];
    if (rule !== undefined) found.set(index, rule);
  });
  const own = deployed.rules.filter(({ id }) => mode.own.has(id));
  matchOwnRest(own, values, found);
  const kept = [...found].flatMap(([index, rule]) => {
    const grounds = groundsFor(rule, values[index] ?? NO_RULE, mode);
    return grounds === undefined ? [] : [{ index, rule, grounds }];
  });
  return {
    kept,
    get equalRules() {
      return equalRulesIn(deployed, values, found);
    },
  };
}

/** Matches the rules that this resource managed before by weaker signs too. */
function matchOwnRest(own: readonly DeployedRule[], wanted: readonly Rule[], found: Map<number, DeployedRule>): void {
  const taken = new Set([...found.values()].map(({ id }) => id));
  const free = own.filter(({ id }) => !taken.has(id));
  const open = wanted.flatMap((rule, index) => (found.has(index) ? [] : [{ rule, index }]));
  if (free.length === 0 || open.length === 0) return;
  matchRules(
    knownRules(free),
    open.map(({ rule }) => rule),
  ).forEach((old, at) => {
    const rule = old === undefined ? undefined : free[old];
    const index = open[at]?.index;
    if (rule !== undefined && index !== undefined) found.set(index, rule);
  });
}

function groundsFor(rule: DeployedRule, current: Rule, mode: JoinMode): JoinGrounds | undefined {
  const { requested, inherited, unchanged, own } = mode;
  const isEqual = current.mayMeanSameAs(Rule.of(rule));
  if (own.has(rule.id) || (inherited.has(rule.id) && (isEqual || unchanged.has(rule.id)))) return "inherited";
  const { fields } = current;
  const namesId = isObject(fields) && (fields.ref === rule.id || fields.id === rule.id);
  if (requested || namesId) return "requested";
  return isEqual ? "equal" : undefined;
}

function equalRulesIn(
  deployed: Ruleset,
  wanted: readonly Rule[],
  found: ReadonlyMap<number, DeployedRule>,
): DeployedRule[] {
  const taken = new Set([...found.values()].map(({ id }) => id));
  const made = wanted.flatMap((rule, index) => (found.has(index) || rule.pending ? [] : [rule.text]));
  const texts = new Set(made);
  return deployed.rules.filter((rule) => !taken.has(rule.id) && texts.has(Rule.of(rule).text));
}

/** Which rules of a shared ruleset the program's rules are: of those that belong to the program, as the join decided. */
export function matchesInJoin({ kept }: Join, wanted: readonly WantedRule[]): Matches {
  const place = new Map(kept.map(({ index }, at) => [index, at]));
  const matching = wanted.map((_, index) => place.get(index));
  return { known: knownRules(kept.map(({ rule }) => rule)), sure: matching, all: matching };
}
