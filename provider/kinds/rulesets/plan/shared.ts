import { mapFrom, ownValue, sameJson } from "../../../model/json.js";
import type { DeployedRule, Ruleset } from "../../../model/ruleset.js";
import { NO_RULE } from "../../../rules/rule.js";
import type { CurrentRuleset } from "../../../ownership/conflict.js";
import type { RulesDiff } from "../../../rules/diff.js";
import { isOwnershipRequested, type Desired } from "../desired.js";
import type { ReleasedRule } from "../records.js";
import { refsById, type ParsedState, findUnconfirmedAdditions } from "../state.js";
import type { Content } from "./content.js";
import {
  placeFor,
  findImpossible,
  rangesOf,
  type Impossible,
  type Unanchored,
} from "../../../rules/placing/position.js";
import { planSteps, type Shares, type Step } from "../../../rules/placing/steps.js";
import { deployedRulesById, type KeyedRules, type PendingFields } from "../../../rules/keyed.js";

/** What a stack writes to a ruleset that it shares, and what it leaves alone. */
export interface SharedPart {
  /** What the stack knows about the ruleset, including rules that turned out to have been added. */
  readonly recorded: ParsedState;
  /** The program's refs in the order that it wants. */
  readonly order: readonly string[];
  readonly steps: readonly Step[];
  /** By ref of the program, the IDs of its existing rules. */
  readonly ids: ReadonlyMap<string, string>;
  /** Refs of the program that are in use by a rule of somebody else with other content. */
  readonly occupied: readonly { readonly ref: string; readonly rule: DeployedRule }[];
  /** By ref, rules that were only taken over because they were equal, and that the program no longer declares. */
  readonly left: ReadonlyMap<string, DeployedRule>;
  /** Refs of rules that were only taken over because they were equal, and that this stack has not written. */
  readonly takenOver: ReadonlySet<string>;
  /** Why a rule cannot be where the program wants it. */
  readonly unplaced: Unplaced | undefined;
}

/** A rule that cannot have its position: it names a rule that does not exist, or contradicts others. */
export type Unplaced = Unanchored | ({ readonly kind: "impossible" } & Impossible);

interface SharedComparison {
  readonly recorded: ParsedState;
  readonly desired: Desired;
  readonly difference: RulesDiff | undefined;
  readonly actual: Ruleset;
  readonly current: CurrentRuleset;
  readonly wanted: KeyedRules;
  readonly recognised: ReadonlyMap<string, DeployedRule>;
  readonly content: Content;
}

/** Refs of rules that a stack manages because they were equal, has not changed and was not asked to own. */
export function takenOverIn({ state, ruleIds }: Pick<ParsedState, "state" | "ruleIds">): ReadonlySet<string> {
  if (state.__takenOver === true) return new Set(Object.keys(ruleIds));
  return new Set(state.__takenOverRules ?? []);
}

/**
 * What a stack knows, including rules that a write with an unknown result turns out to have added. What it sent counts
 * as what it last read, so that an edit since then is somebody else's.
 */
export function withUnconfirmedAdditions(recorded: ParsedState, actual: Pick<Ruleset, "rules">): ParsedState {
  const { declared, ruleIds } = recorded;
  const found = findUnconfirmedAdditions(declared, ruleIds, actual);
  const sent = found.map(({ ref, rule: { id, ref: known, version } }) => {
    const rule: DeployedRule = { action: "", ...declared.rules[ref]?.fields, ...{ id, ref: known, version } };
    return { ref, rule };
  });
  return withRules(recorded, sent);
}

/** What a stack knows, with further rules of the resource. */
function withRules(
  recorded: ParsedState,
  rules: readonly { readonly ref: string; readonly rule: DeployedRule }[],
): ParsedState {
  if (rules.length === 0) return recorded;
  const ids = rules.map(({ ref, rule }) => [ref, rule.id] as const);
  const added = deployedRulesById(rules.map(({ rule }) => rule));
  return {
    ...recorded,
    ruleIds: mapFrom([...Object.entries(recorded.ruleIds), ...ids]),
    deployedRules: new Map([...recorded.deployedRules, ...added]),
  };
}

/**
 * What a stack knows, including rules that the resource once released and that nobody took over: unless the program
 * declares them again or somebody has changed them since, they are deleted.
 */
export function withOrphans(
  recorded: ParsedState,
  orphans: ReadonlyMap<string, ReleasedRule>,
  wanted: KeyedRules,
  { rules }: Pick<Ruleset, "rules">,
): ParsedState {
  const found = rules.filter(
    ({ id, ref, version }) => orphans.get(id)?.version === version && ownValue(wanted.rules, ref) === undefined,
  );
  const own = found.map((rule) => ({ ref: rule.ref, rule }));
  return withRules(recorded, own);
}

/** What a stack knows, where the one rule that a resource is may have been recreated by somebody under its ref. */
export function withRecreated(
  recorded: ParsedState,
  { words }: Pick<Desired, "words">,
  { rules }: Pick<Ruleset, "rules">,
): ParsedState {
  if (words.declaredIn === "list") return recorded;
  const existingIds = new Set(rules.map(({ id }) => id));
  const recreated = Object.entries(recorded.ruleIds).flatMap(([ref, id]) => {
    const last = recorded.deployedRules.get(id)?.fields;
    const rule = existingIds.has(id) ? undefined : rules.find((each) => each.ref === ref);
    return last === undefined || rule === undefined ? [] : [{ ref, rule: { ...last, id: rule.id } }];
  });
  return withRules(recorded, recreated);
}

/** What a stack knows, without rules that no longer belong to the resource. */
export function withoutRules(recorded: ParsedState, ids: ReadonlySet<string>): ParsedState {
  if (ids.size === 0) return recorded;
  return { ...recorded, ruleIds: mapFrom(Object.entries(recorded.ruleIds).filter(([, id]) => !ids.has(id))) };
}

/** What a stack that shares a ruleset has to write there. */
export function planShared(comparison: SharedComparison): SharedPart {
  const { recorded, wanted, recognised, actual, content } = comparison;
  const ids = currentIds(comparison);
  const matchedIds = new Set(ids.values());
  const occupied = occupiedRefs(wanted, ids, actual);
  const taken = takenOverIn(recorded);
  const ownRefs = refsById(recorded.ruleIds);
  const unwanted = actual.rules.flatMap((rule) => {
    const ref = matchedIds.has(rule.id) ? undefined : ownRefs.get(rule.id);
    return ref === undefined ? [] : [{ ref, rule }];
  });
  const left = new Map(unwanted.flatMap(({ ref, rule }) => (taken.has(ref) ? [[ref, rule] as const] : [])));
  const dropped = unwanted.flatMap(({ ref, rule }) => (taken.has(ref) ? [] : [[rule.id, ref] as const]));
  const { unplaced, ...places } = requestedPlaces(comparison, ids);
  const steps = planSteps({
    order: wanted.order,
    rules: mapFrom(wanted.order.flatMap((ref, index) => ruleAt(content, ref, index))),
    ids,
    dropped: new Map(dropped),
    actual: actual.rules,
    changed: changedRefs(comparison, ids),
    ...places,
    last: { order: [...recorded.deployedRules.keys()], ids: recorded.ruleIds },
  });
  const written = new Set(steps.map(({ ref }) => ref));
  const isTaken = (ref: string): boolean => {
    const rule = recognised.get(ref);
    const before = rule === undefined ? ref : ownRefs.get(rule.id);
    // A program that uses an ID as a ref claims that rule.
    return before === undefined ? rule?.ref !== rule?.id : taken.has(before);
  };
  const takenOver = isOwnershipRequested(comparison.desired.policy)
    ? []
    : wanted.order.filter((ref) => !written.has(ref) && isTaken(ref));
  return { recorded, order: wanted.order, steps, ids, occupied, left, takenOver: new Set(takenOver), unplaced };
}

/** Where rules must be among those of others, and why one cannot be there. */
function requestedPlaces(
  { recorded, desired, wanted, actual }: SharedComparison,
  ids: ReadonlyMap<string, string>,
): Pick<Shares, "ranges" | "unanchored"> & { readonly unplaced?: Unplaced } {
  if (desired.positions.size === 0) return {};
  const own = new Set(ids.values());
  const others = actual.rules.filter(({ id }) => !own.has(id));
  const ranges = rangesOf(wanted.order, desired.positions, others);
  // A position that has not changed counts as satisfied, whatever happened to the rule that it names.
  const unanchored = [...desired.positions].filter(([ref, position]) => {
    const id = ids.get(ref);
    const isNew = id === undefined || !sameJson(recorded.positions.get(ref), position);
    return isNew && placeFor(actual.rules, position, id) === undefined;
  });
  const refs = new Set(unanchored.map(([ref]) => ref));
  const impossible = findImpossible(ranges, others);
  if (impossible !== undefined) return { ranges, unanchored: refs, unplaced: { kind: "impossible", ...impossible } };
  const [first] = unanchored;
  if (first === undefined) return { ranges };
  const [ref, position] = first;
  return { ranges, unanchored: refs, unplaced: { kind: "unanchored", ref, position } };
}

function ruleAt({ rules }: Content, ref: string, index: number): [] | [readonly [string, PendingFields]] {
  const rule = rules[index];
  return rule === undefined ? [] : [[ref, rule]];
}

function currentIds({ recorded, wanted, recognised, actual }: SharedComparison): ReadonlyMap<string, string> {
  const existingIds = new Set(actual.rules.map(({ id }) => id));
  return new Map(
    wanted.order.flatMap((ref) => {
      const id = recognised.get(ref)?.id ?? ownValue(recorded.ruleIds, ref);
      return id !== undefined && existingIds.has(id) ? [[ref, id] as const] : [];
    }),
  );
}

/** The service rejects a second rule with the same ref, and the first one is not this stack's to change. */
function occupiedRefs(wanted: KeyedRules, ids: ReadonlyMap<string, string>, actual: Ruleset): SharedPart["occupied"] {
  const mine = new Set(ids.values());
  const byRef = new Map(actual.rules.flatMap((rule) => (mine.has(rule.id) ? [] : [[rule.ref, rule] as const])));
  return wanted.order.flatMap((ref) => {
    const rule = ids.has(ref) ? undefined : byRef.get(ref);
    return rule === undefined ? [] : [{ ref, rule }];
  });
}

/**
 * Rules to write: those whose content or form the program changed, and those that somebody changed and that must be
 * restored. What the service itself adds is not a change.
 */
function changedRefs(
  { recorded, difference, wanted, recognised, current }: SharedComparison,
  ids: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const byProgram = new Set([...(difference?.changed ?? []).map(({ ref }) => ref), ...(difference?.reformatted ?? [])]);
  return new Set(
    wanted.order.filter((ref) => {
      const id = ids.get(ref) ?? "";
      const rule = current.rules.get(id);
      const { [ref]: want = NO_RULE } = wanted.rules;
      if (rule === undefined || rule.isWrittenAs(want)) return false;
      if (byProgram.has(ref) || recognised.has(ref)) return true;
      return recorded.deployedRules.get(id)?.meansSameAs(rule) !== true && !rule.meansSameAs(want);
    }),
  );
}
