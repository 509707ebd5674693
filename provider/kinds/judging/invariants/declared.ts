import type { RuleInput, RulesetInput } from "../../../../simulator/ruleset-input.js";
import { judgedRule } from "../../../model/judged-rule.js";
import { isUnknown, UNKNOWN, valueIfKnown } from "../../../model/unknown.js";
import { fieldsOf, ruleEntries } from "../../../rules/keyed.js";
import { mapFrom } from "../../../model/json.js";
import type { Desired } from "../../rulesets/desired.js";
import { findUnanchored, rangesOf } from "../../../rules/placing/position.js";
import { resultingOrder, type OrderedRule } from "../../../rules/placing/resulting-order.js";
import { planSteps } from "../../../rules/placing/steps.js";

/** What a resource of the program makes of a ruleset. */
export interface DeclaredRuleset {
  readonly desired: Desired;
  /** ID of the ruleset, where the program refers to one. */
  readonly rulesetId?: string;
  /** Refs that the resource owned before, and releases if it no longer declares them. */
  readonly lastRefs: readonly string[];
}

/** The rulesets of a zone with what resources of the program make of them, in their order. */
export function withDeclared(
  deployed: readonly RulesetInput[],
  declared: readonly DeclaredRuleset[],
): readonly RulesetInput[] {
  return declared.reduce<readonly RulesetInput[]>((rulesets, one) => {
    const index = rulesets.findIndex((ruleset) => isOf(one, ruleset));
    const found = rulesets[index];
    const made = rulesetOf(one, found);
    return found === undefined ? [...rulesets, made] : rulesets.with(index, made);
  }, deployed);
}

/** Custom rulesets are identified by their ID, or by their name where the program does not know it yet. */
function isOf({ desired: { target, name }, rulesetId }: DeclaredRuleset, ruleset: RulesetInput): boolean {
  if (rulesetId !== undefined) return ruleset.id === rulesetId;
  if (ruleset.phase !== target.phase || ruleset.kind !== target.kind) return false;
  return target.entrypoint || ruleset.name === valueIfKnown(name);
}

function rulesetOf(declared: DeclaredRuleset, found: RulesetInput | undefined): RulesetInput {
  const { target, policy, rules, name } = declared.desired;
  const { scope, phase, kind } = target;
  const owner = scope.level === "zones" ? { zoneId: scope.id } : { accountId: scope.id };
  const base = found ?? { name: valueIfKnown(name), kind, phase, ...owner, rules: [] };
  const own = rules === undefined ? undefined : ownRules(declared);
  if (own === undefined) return { ...base, rules: [judgedRule(undefined, `the rules of ${declared.desired.where}`)] };
  if (policy.ownership !== "shared") return { ...base, rules: own };
  return { ...base, ...amongOthers(base.rules, own, declared) };
}

function ownRules({ desired: { rules, where } }: DeclaredRuleset): readonly RuleInput[] {
  const entries = rules === undefined ? [] : ruleEntries(rules);
  return entries.map(({ ref, rule }) => judgedRule(rule, `${where} ${ref}`, isUnknown(ref) ? undefined : ref));
}

/** The rules of a resource among those of others, where it will write them. */
function amongOthers(
  existing: readonly RuleInput[],
  own: readonly RuleInput[],
  declared: DeclaredRuleset,
): Pick<RulesetInput, "rules" | "isPart"> {
  const byRef = new Map(own.map((rule) => [rule.ref ?? "", rule]));
  const rules = existing.map((rule, index) => ({ ...rule, id: rule.id ?? `new ${String(index)}` }));
  const ids = new Map(rules.flatMap(({ id, ref = "" }) => (byRef.has(ref) ? [[ref, id] as const] : [])));
  const order = orderAmong(rules, ids, Array.from(byRef.keys()), declared);
  if (order === undefined) return { rules: [...existing, ...own], isPart: true };
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return {
    rules: order.flatMap(({ id = "", ref }) => (ref === undefined ? byId.get(id) : byRef.get(ref)) ?? []),
  };
}

type Existing = RuleInput & { readonly id: string };

/** All rules in the order that a resource gives them; undefined if it names a rule that is not there yet. */
function orderAmong(
  existing: readonly Existing[],
  ids: ReadonlyMap<string, string>,
  order: readonly string[],
  { desired, lastRefs }: DeclaredRuleset,
): readonly OrderedRule[] | undefined {
  const dropped = existing.filter(({ ref = "" }) => lastRefs.includes(ref) && !ids.has(ref));
  const own = new Set(ids.values());
  const others = existing.filter(({ id }) => !own.has(id));
  const actual = existing.map(namedRule);
  // A single rule may name one that comes later.
  if (desired.words.manages === "rule" && findUnanchored(desired.positions, actual) !== undefined) return undefined;
  const steps = planSteps({
    order,
    rules: mapFrom(order.map((ref) => [ref, fieldsOf(UNKNOWN)])),
    ids,
    dropped: new Map(dropped.map(({ id, ref = "" }) => [id, ref])),
    actual,
    changed: new Set(),
    ranges: rangesOf(order, desired.positions, others.map(namedRule)),
    last: { order: [], ids: {} },
  });
  return resultingOrder(existing, ids, steps);
}

function namedRule({ id, ref = "" }: Existing): { readonly id: string; readonly ref: string } {
  return { id, ref };
}
