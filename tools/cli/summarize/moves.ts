import { orderText, refsIn, withInserted } from "../../../core/model/ids.js";
import type { PreviewPlan } from "../../../provider/engine/preview-plan.js";
import { isObject, sameJson, type Json, type JsonObject } from "../../../core/model/json.js";
import { HIDDEN } from "../../../core/model/secret.js";
import { hasUnknown, UNKNOWN } from "../../../core/model/unknown.js";
import { resourceWords } from "./own-resource.js";
import type { ResourceState, Step } from "./preview.js";

/*
 * A rule that one resource takes over, as its plan says, and that another one had, moves: it stays in force under its ID. The new
 * resource is summarized as if it had had the rule before, and the old one as if it had not.
 */

/** A step, with what its resource gives to others or gets from them. */
export interface MovedStep extends Step {
  /** Undefined if the preview has none. */
  readonly plan?: PreviewPlan;
  /** In words. */
  readonly moves: readonly string[];
  /** The refs of the rules that stay although this resource no longer has them. */
  readonly released: ReadonlySet<string>;
  /** Whether it changes rules that it takes over and that no state in the preview has. */
  readonly changesUnknown: boolean;
}

/** A rule that a resource had. */
interface GivenRule {
  readonly step: Step;
  readonly ref: string;
  readonly rule: Json;
  readonly id: Json | undefined;
}

/** Finds moves in the steps on rulesets, by their plans; a step on a single rule is given as one on a ruleset. */
export function withMoves(steps: readonly Step[], plans: ReadonlyMap<string, PreviewPlan>): readonly MovedStep[] {
  const left = new Map<string, GivenRule>();
  for (const step of steps) for (const given of leaving(step)) for (const key of keysOf(given)) left.set(key, given);
  const gets = new Map<Step, readonly GivenRule[]>(
    steps.map((step) => [step, takenRules(step, plans.get(step.urn)).flatMap((key) => left.get(key) ?? [])]),
  );
  const gives = new Map<Step, Map<string, Step>>(steps.map((step) => [step, new Map()]));
  for (const [step, rules] of gets) for (const { step: from, ref } of rules) gives.get(from)?.set(ref, step);
  return steps.map((step) => {
    const moved = withMovesOf(step, gets.get(step) ?? [], gives.get(step) ?? new Map<string, Step>());
    const plan = plans.get(step.urn);
    if (plan === undefined) return moved;
    const isOwn = (id: string): boolean => idsIn(step.before).has(id);
    return {
      ...moved,
      plan,
      released: new Set([...moved.released, ...keptByItself(step, plan)]),
      changesUnknown: takesUnknown(plan, gets.get(step) ?? [], isOwn),
    };
  });
}

/** The keys of the rules that are new in a resource and that it takes over. */
function takenRules({ op, before, after }: Step, plan: PreviewPlan | undefined): readonly string[] {
  if (after === undefined || plan === undefined || (op !== "create" && op !== "update")) return [];
  const known = rulesIn(before) ?? {};
  const entering = Object.keys(rulesIn(after) ?? {}).filter((ref) => !Object.hasOwn(known, ref));
  const { ruleset, rules } = plan;
  if (ruleset !== undefined) return entering.map((ref) => placeKey(ruleset.id, ref));
  return entering.flatMap((ref) => rules[ref]?.id ?? []);
}

/** Whether the resource changes something that it takes over and whose content is in no state of the preview. */
function takesUnknown(
  { ruleset, rules }: PreviewPlan,
  gets: readonly GivenRule[],
  isOwn: (id: string) => boolean,
): boolean {
  const known = new Set(gets.map(({ id }) => id));
  // Whoever owned the whole ruleset had all of its rules.
  const isWhole = gets.some(
    ({ step }) => step.before?.inputs.ownership !== "shared" && isObject(step.before?.outputs.ruleIds),
  );
  return (
    (ruleset?.changes === true && !isOwn(ruleset.id) && !isWhole) ||
    Object.values(rules).some(({ id, changes }) => changes && !known.has(id) && !isOwn(id))
  );
}

/** The refs of rules that a replaced resource takes over from itself. */
function keptByItself({ op, before }: Step, { ruleset, rules }: PreviewPlan): readonly string[] {
  if (op !== "replace" || before === undefined) return [];
  const { rulesetId, ruleIds, ruleId } = before.outputs;
  const all = Object.keys(rulesIn(before) ?? {});
  if (ruleset !== undefined) return ruleset.id === rulesetId ? all : [];
  const kept = new Set<Json | undefined>(Object.values(rules).map(({ id }) => id));
  return all.filter((ref) => kept.has(isObject(ruleIds) ? ruleIds[ref] : ruleId));
}

function idsIn(state: ResourceState | undefined): ReadonlySet<Json | undefined> {
  const { rulesetId, ruleIds, ruleId } = state?.outputs ?? {};
  return new Set([rulesetId, ruleId, ...(isObject(ruleIds) ? Object.values(ruleIds) : [])]);
}

function withMovesOf(step: Step, gets: readonly GivenRule[], gives: ReadonlyMap<string, Step>): MovedStep {
  const before = withGot(step, withoutGiven(step.before, gives), gets);
  return {
    ...step,
    ...(before === undefined ? {} : { before }),
    moves: [
      ...gets.map(({ ref, step: from }) => `rule ${JSON.stringify(ref)} moves here from ${resourceWords(from.urn)}`),
      ...Array.from(gives, ([ref, to]) => `rule ${JSON.stringify(ref)} moves to ${resourceWords(to.urn)}`),
    ],
    released: new Set(gives.keys()),
    changesUnknown: false,
  };
}

/** The rules that a step takes away from its resource. With secrets, it cannot be seen whether they change on their way. */
function leaving(step: Step): readonly GivenRule[] {
  const { before, after } = step;
  const kept = after !== undefined && isInSameRuleset(before, after) ? rulesIn(after) : {};
  if (before === undefined || kept === undefined) return [];
  const { ruleIds, ruleId } = before.outputs;
  return Object.entries(rulesIn(before) ?? {}).flatMap(([ref, rule]) =>
    rule === undefined ||
    Object.hasOwn(kept, ref) ||
    hasUnknown(rule) ||
    JSON.stringify(rule).includes(JSON.stringify(HIDDEN))
      ? []
      : [{ step, ref, rule, id: isObject(ruleIds) ? ruleIds[ref] : ruleId }],
  );
}

/** Under which a rule is found: its ID, and its ruleset and ref. */
function keysOf({ step, ref, id }: GivenRule): readonly string[] {
  const { rulesetId } = step.before?.outputs ?? {};
  return [
    ...(typeof id === "string" ? [id] : []),
    ...(typeof rulesetId === "string" ? [placeKey(rulesetId, ref)] : []),
  ];
}

function placeKey(rulesetId: string, ref: string): string {
  return JSON.stringify([rulesetId, ref]);
}

/** Whether a resource stays in its ruleset. */
export function isInSameRuleset(before: ResourceState | undefined, after: ResourceState | undefined): boolean {
  const place = ({ zoneId, accountId, phase, rulesetId }: JsonObject) => [zoneId, accountId, phase, rulesetId];
  return sameJson(place(before?.inputs ?? {}), place(after?.inputs ?? {}));
}

/** The rules in a state by ref; undefined if they are not known yet. */
function rulesIn(state: ResourceState | undefined): JsonObject | undefined {
  const { rules = {}, order } = state?.inputs ?? {};
  return isObject(rules) && order !== UNKNOWN ? rules : undefined;
}

function withoutGiven(state: ResourceState | undefined, gives: ReadonlyMap<string, Step>): ResourceState | undefined {
  if (state === undefined || gives.size === 0) return state;
  const stays = ([ref]: readonly [string, unknown]): boolean => !gives.has(ref);
  const staying = (byRef: JsonObject): JsonObject => Object.fromEntries(Object.entries(byRef).filter(stays));
  const { inputs, outputs } = state;
  const order = orderOf(state).filter((ref) => !gives.has(ref));
  return {
    ...state,
    inputs: { ...inputs, rules: staying(rulesIn(state) ?? {}), order: orderText(order) },
    outputs: { ...outputs, ...(isObject(outputs.ruleIds) ? { ruleIds: staying(outputs.ruleIds) } : {}) },
  };
}

function withGot(
  { after }: Step,
  before: ResourceState | undefined,
  gets: readonly GivenRule[],
): ResourceState | undefined {
  if (gets.length === 0) return before;
  const [first] = gets;
  const { rulesetId } = first?.step.before?.outputs ?? {};
  const none = { ...after?.inputs, rules: {}, order: "", position: undefined };
  const { inputs, outputs } = before ?? { inputs: none, outputs: { rulesetId, ruleIds: {}, ruleId: first?.id } };
  const [rules, ruleIds] = [inputs.rules, outputs.ruleIds].map((byRef) => (isObject(byRef) ? byRef : {}));
  const own = orderOf({ inputs, outputs });
  const known = new Set([...own, ...gets.map(({ ref }) => ref)]);
  const order = withInserted(
    own,
    orderOf(after).filter((ref) => known.has(ref)),
  );
  return {
    inputs: {
      ...inputs,
      rules: { ...rules, ...Object.fromEntries(gets.map(({ ref, rule }) => [ref, rule])) },
      order: orderText(order),
    },
    outputs: { ...outputs, ruleIds: { ...ruleIds, ...Object.fromEntries(gets.map(({ ref, id }) => [ref, id])) } },
  };
}

function orderOf(state: ResourceState | undefined): string[] {
  const order = state?.inputs.order;
  return typeof order === "string" ? refsIn(order) : [];
}
