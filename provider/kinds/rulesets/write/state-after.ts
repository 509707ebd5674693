import type { RulesetRule } from "../../../../core/model/generated/rule.js";
import { orderText } from "../../../../core/model/ids.js";
import { mapFrom, ownValue } from "../../../../core/model/json.js";
import type { DeployedRule, Ruleset } from "../../../../core/model/ruleset.js";
import { NO_RULES, requireKnownRule, rulesInForce } from "../../../../core/rules/keyed.js";
import { isSameMeaning } from "../../../../core/rules/rule.js";
import { asIncomplete } from "../../../engine/incomplete.js";
import type { RulesetInputs, RulesetState } from "../description.js";
import type { RulesChange } from "../plan/rules.js";
import { type ParsedState, refsById, stateFrom } from "../state.js";
import type { Progress } from "./steps.js";

/** What was to be written. */
interface PlannedPart {
  readonly change: RulesChange;
  /** Refs of rules that the resource has only because they are equal. */
  readonly takenOver: ReadonlySet<string>;
  readonly news: RulesetInputs;
}

/** The state after writes of single rules: all of them, or those that were applied. */
export function stateAfter({ change, takenOver, news }: PlannedPart, progress: Progress): RulesetState {
  const { desired, there, notes } = change;
  const recorded = notes.own.known;
  const complete = progress.error === undefined;
  const inputs = complete ? news : halfway(news, change, progress);
  const response = asSeen(change, progress, complete ? (desired.rules ?? NO_RULES).order : []);
  const refs = new Map<string, string>();
  const refOf = refsById(mapFrom(idsIn(recorded, progress)));
  for (const rule of response.rules) {
    const ref = refOf.get(rule.id);
    if (ref !== undefined) refs.set(ref, rule.ref);
  }
  const state = stateFrom(inputs, response, refs, complete ? desired.rules : undefined);
  const taken = [...takenOver].filter((ref) => !progress.done.has(ref) && ownValue(state.ruleIds, ref) !== undefined);
  const whole = {
    ...state,
    ...previousOf(recorded, there.deployed, progress),
    ...(taken.length === 0 ? {} : { __takenOver: taken }),
  };
  return progress.lost === undefined ? whole : asIncomplete(whole);
}

/** The version that the first write replaced. */
function previousOf(
  recorded: ParsedState,
  { version }: Ruleset,
  { done, lost }: Progress,
): Pick<RulesetState, "previousVersion"> {
  const previous = done.size > 0 || lost !== undefined ? version : recorded.state.previousVersion;
  return previous === undefined ? {} : { previousVersion: previous };
}

/** By ref, the stack's existing rules: those it knew before, with the refs that the program uses now. */
function idsIn(recorded: ParsedState, { ids }: Progress): (readonly [string, string])[] {
  const current = new Set(ids.values());
  return [...Object.entries(recorded.ruleIds).filter(([ref, id]) => !ids.has(ref) && !current.has(id)), ...ids];
}

/**
 * The inputs that correspond to the ruleset after a partial update: rules that were written, or that already were as the
 * program wants them, and all others as before. The next run sees the rest as a difference. A rule that may have been added is included without
 * an ID, so that it can be found again.
 */
function halfway(news: RulesetInputs, change: RulesChange, progress: Progress): RulesetInputs {
  const recorded = change.notes.own.known;
  const { done, lost, current } = progress;
  const joined = joinedRefs(change);
  const place = new Map(current.rules.map(({ id }, index) => [id, index]));
  const applied = (ref: string): boolean => done.has(ref);
  const refOfChanged = new Map(
    [...done.values()].flatMap((step) => (step.kind === "change" ? [[step.id, step.ref]] : [])),
  );
  const entries = [
    ...Object.entries(recorded.ruleIds).flatMap(([ref, id]): Entry[] => {
      const rule = ownValue(recorded.declared.rules, ref)?.fields;
      return rule === undefined || applied(ref) || refOfChanged.has(id) ? [] : [{ ref, rule, id }];
    }),
    ...[...done.values()].flatMap((step): Entry[] => {
      const rule = step.kind === "delete" ? undefined : ownValue(news.rules, step.ref);
      const id = progress.ids.get(step.ref);
      return rule === undefined ? [] : [{ ref: step.ref, rule, ...(id === undefined ? {} : { id }) }];
    }),
    ...[...joined].flatMap(([ref, id]): Entry[] => {
      const rule = ownValue(news.rules, ref);
      return rule === undefined ? [] : [{ ref, rule, id }];
    }),
    ...(lost?.kind === "add"
      ? [{ ref: lost.ref, rule: ownValue(news.rules, lost.ref) ?? requireKnownRule(lost.rule) }]
      : []),
  ];
  const at = ({ id }: Entry): number =>
    id === undefined ? current.rules.length : (place.get(id) ?? current.rules.length);
  const sorted = entries.sort((one, other) => at(one) - at(other));
  const rules = mapFrom(sorted.map(({ ref, rule }) => [ref, rule] as const));
  const secrets = sorted.flatMap(({ ref }) => {
    const paths = applied(ref) || joined.has(ref) || lost?.ref === ref ? news.__secretPaths?.[ref] : undefined;
    const all = [...(paths ?? []), ...(applied(ref) ? [] : (recorded.state.__secretPaths?.[ref] ?? []))];
    return all.length === 0 ? [] : [[ref, all] as const];
  });
  const { __secretPaths: _paths, positions: wanted = {}, ...rest } = news;
  const positions = sorted.flatMap(({ ref }) => {
    const position = applied(ref) ? ownValue(wanted, ref) : recorded.positions.get(ref);
    return position === undefined ? [] : [[ref, position] as const];
  });
  return {
    ...rest,
    ...(positions.length === 0 ? {} : { positions: mapFrom(positions) }),
    rules,
    order: orderText(sorted.map(({ ref }) => ref)),
    rulesInForce: rulesInForce(rules),
    ...(secrets.length === 0 ? {} : { __secretPaths: mapFrom(secrets) }),
  };
}

/** By ref, the IDs of existing rules that the resource has from now on without a write, because they are equal. */
export function joinedRefs({ requests, notes: { own } }: RulesChange): ReadonlyMap<string, string> {
  const known = new Set(Object.values(own.known.ruleIds));
  const written = new Set(requests.map(({ ref }) => ref));
  return new Map([...own.ids].filter(([ref, id]) => !known.has(id) && !written.has(ref)));
}

interface Entry {
  readonly ref: string;
  readonly rule: RulesetRule;
  readonly id?: string;
}

/**
 * The last response, limited to what this run knows. Changes that somebody made to other rules of the stack meanwhile
 * are left out, together with the new version, so that the next refresh or change finds them.
 */
function asSeen(
  { there: { deployed }, notes: { own } }: RulesChange,
  { current, done, written, ids: idsNow }: Progress,
  wanted: readonly string[],
): Ruleset {
  const gone = new Set([...done.values()].flatMap((step) => (step.kind === "delete" ? [step.id] : [])));
  const mine = new Set([...Object.values(own.known.ruleIds), ...own.ids.values()].filter((id) => !gone.has(id)));
  const read = deployed.rules.filter(({ id }) => mine.has(id)).map((rule) => [rule.id, rule] as const);
  const before = new Map([...read, ...written]);
  const existingIds = new Set(current.rules.map(({ id }) => id));
  const deleted = [...before.values()].filter(({ id }) => !existingIds.has(id));
  const isOrdered = inOrder(current, wanted, idsNow);
  let changed = deleted.length > 0 || !isOrdered;
  const ordered = isOrdered ? current.rules : inWantedOrder(current.rules, wanted, idsNow);
  const rules = ordered.map((rule) => {
    const was = before.get(rule.id);
    if (was === undefined || isSameMeaning(was, rule)) return rule;
    changed = true;
    return was;
  });
  const { version, lastUpdated } = deployed;
  return changed ? { ...current, rules: [...rules, ...deleted], version, lastUpdated } : current;
}

function inOrder({ rules }: Ruleset, wanted: readonly string[], ids: ReadonlyMap<string, string>): boolean {
  const place = new Map(rules.map(({ id }, index) => [id, index]));
  let last = -1;
  return wanted.every((ref) => {
    const index = place.get(ids.get(ref) ?? "") ?? last;
    const follows = index >= last;
    last = index;
    return follows;
  });
}

/** The rules in the order that this run gave them, where somebody has moved some of the program's own meanwhile. */
function inWantedOrder(
  rules: readonly DeployedRule[],
  wanted: readonly string[],
  ids: ReadonlyMap<string, string>,
): readonly DeployedRule[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const own = wanted.flatMap((ref) => byId.get(ids.get(ref) ?? "") ?? []);
  const isOwn = new Set(own);
  return rules.map((rule) => (isOwn.has(rule) ? (own.shift() ?? rule) : rule));
}
