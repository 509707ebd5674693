import { isObject, type Json, type JsonObject } from "../../provider/model/json.js";
import { HIDDEN } from "../../provider/model/secret.js";
import { hasUnknown, UNKNOWN } from "../../provider/model/unknown.js";
import { mayBeDeletedRef } from "../../provider/ownership/rule-messages.js";
import type { Diagnostic, ResourceState, Step } from "./preview.js";
import { scopePath } from "./scope-path.js";

/*
 * A rule that leaves one resource and enters another one of the same ruleset, under the same ref, moves: it stays in force under
 * its ID. The new resource is summarized as if it had had the rule before, and the old one as if it had not.
 */

/** A step, with what its resource gives to others or gets from them, in words. */
export interface MovedStep extends Step {
  /** The number of rules that it gets. */
  readonly gets: number;
  readonly moves: readonly string[];
}

/** A rule that a resource had. */
interface GivenRule {
  readonly step: Step;
  readonly ref: string;
  readonly rule: Json;
  readonly id: Json | undefined;
}

/**
 * Recognizes moves in the steps on rulesets; a step on a single rule is given as one on a ruleset. A rule that may be deleted
 * before it is created again, as a message of the preview says, does not count.
 */
export function withMoves(steps: readonly Step[], diagnostics: readonly Diagnostic[]): readonly MovedStep[] {
  const doubtful = new Set(diagnostics.map(({ urn, message }) => JSON.stringify([urn, mayBeDeletedRef(message)])));
  const left = new Map<string, GivenRule>();
  for (const step of steps)
    for (const given of leaving(step)) for (const key of keysOf(step.before, given.ref)) left.set(key, given);
  const gets = new Map<Step, GivenRule[]>(steps.map((step) => [step, []]));
  const gives = new Map<Step, Map<string, Step>>(steps.map((step) => [step, new Map()]));
  for (const step of steps)
    for (const ref of entering(step)) {
      const given = keysOf(step.after, ref).flatMap((key) => left.get(key) ?? [])[0];
      if (given === undefined || doubtful.has(JSON.stringify([step.urn, ref]))) continue;
      gets.get(step)?.push(given);
      gives.get(given.step)?.set(ref, step);
    }
  return steps.map((step) => withMovesOf(step, gets.get(step) ?? [], gives.get(step) ?? new Map<string, Step>()));
}

function withMovesOf(step: Step, gets: readonly GivenRule[], gives: ReadonlyMap<string, Step>): MovedStep {
  const before = withGot(step, withoutGiven(step.before, gives), gets);
  return {
    ...step,
    ...(before === undefined ? {} : { before }),
    gets: gets.length,
    moves: [
      ...gets.map(({ ref, step: from }) => `rule ${JSON.stringify(ref)} moves here from ${nameOf(from)}`),
      ...Array.from(gives, ([ref, to]) => `rule ${JSON.stringify(ref)} moves to ${nameOf(to)}`),
    ],
  };
}

/** The rules that a step takes away from its resource. With secrets, it cannot be seen whether they change on their way. */
function leaving(step: Step): readonly GivenRule[] {
  const { before, after } = step;
  const kept = after !== undefined && sharesRuleset(before, after) ? rulesIn(after) : {};
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

/** The refs of the rules that are new in a resource, unless it is replaced. */
function entering({ op, before, after }: Step): readonly string[] {
  if (after === undefined || (op !== "create" && op !== "update")) return [];
  const known = rulesIn(before) ?? {};
  return Object.keys(rulesIn(after) ?? {}).filter((ref) => !Object.hasOwn(known, ref));
}

/** The rules in a state by ref; undefined if they are not known yet. */
function rulesIn(state: ResourceState | undefined): JsonObject | undefined {
  const { rules = {}, order } = state?.inputs ?? {};
  return isObject(rules) && order !== UNKNOWN ? rules : undefined;
}

/** The keys of a rule: the phase of its entry point, and the ID of its ruleset, as far as they are known. */
function keysOf(state: ResourceState | undefined, ref: string): readonly string[] {
  const { inputs = {}, outputs = {} } = state ?? {};
  const id = outputs.rulesetId ?? inputs.rulesetId;
  const isEntrypoint = inputs.kind !== "custom" && (inputs.kind !== undefined || inputs.__byId !== true);
  const places = [isEntrypoint ? inputs.phase : undefined, id];
  return places.flatMap((place) =>
    typeof place === "string" && place !== "" && place !== UNKNOWN
      ? [JSON.stringify([scopePath(inputs), place, ref])]
      : [],
  );
}

function sharesRuleset(one: ResourceState | undefined, other: ResourceState): boolean {
  const keys = new Set(keysOf(one, ""));
  return keysOf(other, "").some((key) => keys.has(key));
}

function withoutGiven(state: ResourceState | undefined, gives: ReadonlyMap<string, Step>): ResourceState | undefined {
  if (state === undefined || gives.size === 0) return state;
  const stays = ([ref]: readonly [string, unknown]): boolean => !gives.has(ref);
  const staying = (byRef: JsonObject): JsonObject => Object.fromEntries(Object.entries(byRef).filter(stays));
  const { inputs, outputs } = state;
  const order = orderOf(state).filter((ref) => !gives.has(ref));
  return {
    ...state,
    inputs: { ...inputs, rules: staying(rulesIn(state) ?? {}), order: asText(order) },
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
  const order = withInserted(orderOf({ inputs, outputs }), new Set(gets.map(({ ref }) => ref)), orderOf(after));
  return {
    inputs: {
      ...inputs,
      rules: { ...rules, ...Object.fromEntries(gets.map(({ ref, rule }) => [ref, rule])) },
      order: asText(order),
    },
    outputs: { ...outputs, ruleIds: { ...ruleIds, ...Object.fromEntries(gets.map(({ ref, id }) => [ref, id])) } },
  };
}

/** An order with further refs, each below the one that it follows in the wanted order. */
function withInserted(order: readonly string[], added: ReadonlySet<string>, wanted: readonly string[]): string[] {
  const known = new Set(order);
  const below = new Map<string, string[]>();
  let above = "";
  for (const ref of wanted) {
    if (known.has(ref)) above = ref;
    else if (added.has(ref)) listAt(below, above).push(ref);
  }
  return ["", ...order].flatMap((ref) => [...(ref === "" ? [] : [ref]), ...(below.get(ref) ?? [])]);
}

function listAt(lists: Map<string, string[]>, key: string): string[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function orderOf(state: ResourceState | undefined): string[] {
  const order = state?.inputs.order;
  return typeof order === "string" ? order.split("\n").filter((ref) => ref !== "") : [];
}

function asText(order: readonly string[]): string {
  return order.map((ref) => `${ref}\n`).join("");
}

/** `PhaseEntrypoint "waf"`. */
function nameOf({ urn }: Step): string {
  const [, type = "", name = ""] = /dynamic\/rulesets:(\w+)::(.*)$/.exec(urn) ?? [];
  return `${type} ${JSON.stringify(name)}`;
}
