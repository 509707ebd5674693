import type { RulesetRule } from "../../../model/generated/rule.js";
import { mapFrom, own } from "../../../model/json.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { sameContent } from "../../../rules/rule.js";
import { orderText, rulesInForce } from "../../../rules/keyed.js";
import type { RulesetInputs, RulesetState } from "../description.js";
import type { SharedPart } from "../plan/shared.js";
import { outputsOf, refsById, seenDescription, stateFrom, type Seen } from "../state.js";
import type { Progress } from "./write-steps.js";

/** The state after writes of single rules: all of them, or those that were applied. */
export function stateAfter(news: RulesetInputs, part: SharedPart, actual: Ruleset, progress: Progress): RulesetState {
  const complete = progress.error === undefined;
  const inputs = complete ? news : halfway(news, part, progress);
  const answer = asSeen(part, actual, progress, complete ? part.order : []);
  const refs = new Map<string, string>();
  const refOf = refsById(mapFrom(idsIn(part.seen, progress)));
  for (const rule of answer.rules) {
    const ref = refOf.get(rule.id);
    if (ref !== undefined) refs.set(ref, rule.ref);
  }
  const state = stateFrom(inputs, answer, refs);
  const taken = [...part.takenOver].filter((ref) => !progress.done.has(ref) && own(state.ruleIds, ref) !== undefined);
  return {
    ...state,
    ...previousOf(part, actual, progress),
    ...(taken.length === 0 ? {} : { __takenOverRules: taken }),
    ...(progress.lost === undefined ? {} : { __incomplete: true }),
  };
}

/** The version that the first write replaced. */
function previousOf(
  { seen }: SharedPart,
  { version }: Ruleset,
  { done, lost }: Progress,
): Pick<RulesetState, "previousVersion"> {
  const previous = done.size > 0 || lost !== undefined ? version : seen.state.previousVersion;
  return previous === undefined ? {} : { previousVersion: previous };
}

/** By ref, the stack's existing rules: those it knew before, with the refs that the program uses now. */
function idsIn(seen: Seen, { ids }: Progress): (readonly [string, string])[] {
  const now = new Set(ids.values());
  return [...Object.entries(seen.ruleIds).filter(([ref, id]) => !ids.has(ref) && !now.has(id)), ...ids];
}

/**
 * The inputs that correspond to the ruleset after a partial update: rules that were written as the program wants them,
 * all others as before. The next run sees the rest as a difference. A rule that may have been added is included without
 * an ID, so that it can be found again.
 */
function halfway(news: RulesetInputs, { seen }: SharedPart, progress: Progress): RulesetInputs {
  const { done, lost, now } = progress;
  const place = new Map(now.rules.map(({ id }, index) => [id, index]));
  const landed = (ref: string): boolean => done.has(ref);
  const refOfChanged = new Map(
    [...done.values()].flatMap((step) => (step.kind === "change" ? [[step.id, step.ref]] : [])),
  );
  const entries = [
    ...Object.entries(seen.ruleIds).flatMap(([ref, id]): Entry[] => {
      const rule = own(seen.declared.rules, ref)?.fields;
      return rule === undefined || landed(ref) || refOfChanged.has(id) ? [] : [{ ref, rule, id }];
    }),
    ...[...done.values()].flatMap((step): Entry[] => {
      const rule = step.kind === "delete" ? undefined : own(news.rules, step.ref);
      const id = progress.ids.get(step.ref);
      return rule === undefined ? [] : [{ ref: step.ref, rule, ...(id === undefined ? {} : { id }) }];
    }),
    ...(lost?.kind === "add" ? [{ ref: lost.ref, rule: own(news.rules, lost.ref) ?? lost.rule }] : []),
  ];
  const at = ({ id }: Entry): number => (id === undefined ? now.rules.length : (place.get(id) ?? now.rules.length));
  const sorted = entries.sort((one, other) => at(one) - at(other));
  const rules = mapFrom(sorted.map(({ ref, rule }) => [ref, rule] as const));
  const secrets = sorted.flatMap(({ ref }) => {
    const paths = landed(ref) || lost?.ref === ref ? news.__secretPaths?.[ref] : undefined;
    const all = [...(paths ?? []), ...(landed(ref) ? [] : (seen.state.__secretPaths?.[ref] ?? []))];
    return all.length === 0 ? [] : [[ref, all] as const];
  });
  const { __secretPaths: _paths, ...rest } = news;
  return {
    ...rest,
    rules,
    order: orderText(sorted.map(({ ref }) => ref)),
    rulesInForce: rulesInForce(rules),
    ...(secrets.length === 0 ? {} : { __secretPaths: mapFrom(secrets) }),
  };
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
  { seen, ids }: SharedPart,
  actual: Ruleset,
  { now, done, written }: Progress,
  wanted: readonly string[],
): Ruleset {
  const gone = new Set([...done.values()].flatMap((step) => (step.kind === "delete" ? [step.id] : [])));
  const mine = new Set([...Object.values(seen.ruleIds), ...ids.values()].filter((id) => !gone.has(id)));
  const read = actual.rules.filter(({ id }) => mine.has(id)).map((rule) => [rule.id, rule] as const);
  const before = new Map([...read, ...written]);
  const there = new Set(now.rules.map(({ id }) => id));
  const deleted = [...before.values()].filter(({ id }) => !there.has(id));
  let changed = deleted.length > 0 || !inOrder(now, wanted, ids);
  const rules = now.rules.map((rule) => {
    const was = before.get(rule.id);
    if (was === undefined || sameContent(was, rule)) return rule;
    changed = true;
    return was;
  });
  const { version, lastUpdated } = actual;
  return changed ? { ...now, rules: [...rules, ...deleted], version, lastUpdated } : now;
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

/** The state after a switch between sharing and owning the ruleset, without any write. */
export function switchedState(olds: RulesetState, news: RulesetInputs, takenOver: ReadonlySet<string>): RulesetState {
  const { __takenOver, __takenOverRules, __answers, __serviceDescription, ...outputs } = outputsOf(olds);
  const description = seenDescription(olds);
  const described = news.description === undefined && description !== "" ? { __serviceDescription: description } : {};
  const shared = news.ownership === "shared";
  const mine = new Set(Object.values(olds.ruleIds));
  const answers = Object.entries(__answers ?? {}).filter(([id]) => !shared || mine.has(id));
  return {
    ...outputs,
    ...news,
    ...described,
    ...(answers.length === 0 ? {} : { __answers: mapFrom(answers) }),
    ...(takenOver.size === 0 ? {} : shared ? { __takenOverRules: [...takenOver] } : { __takenOver: true }),
  };
}
