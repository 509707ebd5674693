import { orderText } from "../../../core/model/ids.js";
import type { RulesetRule } from "../../../core/model/generated/rule.js";
import { isObject, omit, type JsonObject } from "../../../core/model/json.js";
import { UNKNOWN } from "../../../core/model/unknown.js";
import { keyedRules, NO_RULES, type KeyedRules } from "../../../core/rules/keyed.js";
import type { ResourceState } from "./preview.js";

/** The rules in a state, in order, and the refs of those that the stack never wrote: a refresh has found them. */
interface RulesOfState {
  readonly keyed: KeyedRules;
  readonly foreign: ReadonlySet<string>;
}

/** Undefined if the rules are not known yet. */
export function rulesOfState(state: ResourceState | undefined): RulesOfState | undefined {
  if (state === undefined) return { keyed: NO_RULES, foreign: new Set() };
  const { rules, order, foreignRules } = state.inputs;
  if (!isObject(rules) || typeof order !== "string" || order === UNKNOWN) return undefined;
  const own = keyedRules(rules as Readonly<Record<string, RulesetRule>>, order);
  const foreign = Object.entries(isObject(foreignRules) ? foreignRules : {}).flatMap(([ref, rule]) =>
    isObject(rule) && own.rules[ref] === undefined ? [{ ref, rule, at: indexOf(rule) }] : [],
  );
  if (foreign.length === 0) return { keyed: own, foreign: new Set() };
  const refs = [...own.order];
  for (const { ref, at } of [...foreign].sort((a, b) => a.at - b.at)) refs.splice(at - 1, 0, ref);
  const contents = foreign.map(({ ref, rule }) => [ref, omit(rule, ["position"])] as const);
  const all = { ...rules, ...Object.fromEntries(contents) } as Readonly<Record<string, RulesetRule>>;
  return { keyed: keyedRules(all, orderText(refs)), foreign: new Set(foreign.map(({ ref }) => ref)) };
}

function indexOf({ position }: JsonObject): number {
  const index = isObject(position) ? position.index : undefined;
  return typeof index === "number" ? index : Infinity;
}
