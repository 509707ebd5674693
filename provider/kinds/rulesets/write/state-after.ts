import type { RulesetRule } from "../../../../core/model/generated/rule.js";
import { orderText } from "../../../../core/model/ids.js";
import { mapFrom, omit, ownValue, pick } from "../../../../core/model/json.js";
import type { Path } from "../../../../core/model/path.js";
import type { Position } from "../../../../core/model/position.js";
import type { DeployedRule, Ruleset } from "../../../../core/model/ruleset.js";
import { NO_RULES, requireKnownRule, rulesInForce } from "../../../../core/rules/keyed.js";
import { isSameMeaning } from "../../../../core/rules/rule.js";
import { asIncomplete } from "../../../engine/incomplete.js";
import { outputsIn } from "../../../engine/inputs.js";
import { reachOf } from "../../../ownership/reach.js";
import { RULESET, type RulesetInputs, type RulesetState } from "../description.js";
import { type Change, type Edit, refsAfter } from "../plan/change.js";
import type { RulesChange } from "../plan/rules.js";
import { recordedDescription, recordedName, refsById, serviceRefs, serviceTexts, stateFrom } from "../state.js";
import type { Progress } from "./steps.js";

/* The state after a change, derived from the change and what the service answered to its requests. */

/** The state where no request is needed. */
export function stateWithoutWrite({ recorded: { state: olds }, owned }: Edit, news: RulesetInputs): RulesetState {
  const {
    __takenOver: takenOver,
    __answers,
    __service: _before,
    __incomplete: _failed,
    ...outputs
  } = outputsIn(RULESET, olds);
  const texts = { name: recordedName(olds) ?? news.name ?? "", description: recordedDescription(olds) };
  const covers = reachOf(news).covers(Object.values(olds.ruleIds));
  const answers = Object.entries(__answers ?? {}).filter(([id]) => covers(id));
  return {
    ...news,
    ...outputs,
    ...pick(olds, ["__declared"]),
    ...serviceTexts(news, texts),
    ...(answers.length === 0 ? {} : { __answers: mapFrom(answers) }),
    ...(owned || takenOver === undefined ? {} : { __takenOver: takenOver }),
  };
}

/** What is known of a change that sent no request for a whole ruleset. */
interface Unsent {
  /** Whether a delete may remove the ruleset. @default it may */
  readonly owned?: boolean;
  /** The version that the last write replaced. @default the recorded one */
  readonly previousVersion?: string | undefined;
}

/**
 * The state after a request for the whole ruleset, or after none.
 * @param response the ruleset as the service returned it
 */
export function stateAfterWhole(
  change: Change,
  news: RulesetInputs,
  response: Ruleset,
  { owned = true, previousVersion = change.recorded.state.previousVersion }: Unsent = {},
): RulesetState {
  const { desired, there, requests } = change;
  const state = stateFrom(news, response, refsAfter(change), desired.rules);
  if (requests.length > 0) return { ...state, ...previous(there.deployed?.version) };
  return {
    ...state,
    ...previous(previousVersion),
    ...(owned ? {} : { __takenOver: Object.keys(state.ruleIds) }),
  };
}

/** The version that the last write of the resource replaced, if there was one and it is known. */
function previous(version: string | undefined): Pick<RulesetState, "previousVersion"> {
  return version === undefined ? {} : { previousVersion: version };
}

/** The state after requests for single rules: all of them, or those that were applied. */
export function stateAfterSteps(change: RulesChange, news: RulesetInputs, progress: Progress): RulesetState {
  const { desired, there, notes } = change;
  const { known, takenOver } = notes.own;
  const { error, ids, done, lost } = progress;
  const complete = error === undefined;
  const inputs = complete ? news : halfway(news, change, progress);
  const response = asSeen(change, progress, complete ? (desired.rules ?? NO_RULES).order : []);
  // The refs that the program uses now, and those of rules that it no longer has.
  const now = new Set(ids.values());
  const before = Object.entries(known.ruleIds).filter(([ref, id]) => !ids.has(ref) && !now.has(id));
  const refs = serviceRefs(mapFrom([...before, ...ids]), response.rules);
  const state = stateFrom(inputs, response, refs, complete ? desired.rules : undefined);
  const taken = [...takenOver].filter((ref) => !done.has(ref) && ownValue(state.ruleIds, ref) !== undefined);
  const isWritten = done.size > 0 || lost !== undefined;
  const whole = {
    ...state,
    ...previous(isWritten ? there.deployed.version : known.state.previousVersion),
    ...(taken.length === 0 ? {} : { __takenOver: taken }),
  };
  return lost === undefined ? whole : asIncomplete(whole);
}

/** By ref, the IDs of existing rules that the resource has from now on without a write, because they are equal. */
export function joinedRefs({ requests, notes: { own } }: RulesChange): ReadonlyMap<string, string> {
  const known = new Set(Object.values(own.known.ruleIds));
  const written = new Set(requests.map(({ ref }) => ref));
  return new Map([...own.ids].filter(([ref, id]) => !known.has(id) && !written.has(ref)));
}

/** A rule of the inputs after a part of an update. */
interface Entry {
  readonly rule: RulesetRule;
  readonly id?: string | undefined;
  readonly secrets: readonly Path[];
  readonly position: Position | undefined;
}

/**
 * The inputs that correspond to the ruleset after a partial update: rules that were written, or that already were as the
 * program wants them, and all others as before. The next run sees the rest as a difference. A rule that may have been added is
 * included without an ID, so that it can be found again.
 */
function halfway(news: RulesetInputs, change: RulesChange, progress: Progress): RulesetInputs {
  const { declared, ruleIds, positions, state } = change.notes.own.known;
  const { done, lost, current, ids } = progress;
  const entries = new Map<string, Entry>();
  const put = (ref: string, rule: RulesetRule | undefined, entry: Omit<Entry, "rule">): void => {
    if (rule !== undefined) entries.set(ref, { ...entry, rule });
  };
  const secretsBefore = (ref: string) => state.__secretPaths?.[ref] ?? [];
  const secretsNow = (ref: string) => news.__secretPaths?.[ref] ?? [];
  for (const [ref, id] of Object.entries(ruleIds))
    put(ref, ownValue(declared.rules, ref)?.fields, {
      ...{ id, secrets: secretsBefore(ref), position: positions.get(ref) },
    });
  const refOf = refsById(ruleIds);
  for (const step of done.values()) if (step.kind !== "add") entries.delete(refOf.get(step.id) ?? "");
  const joined = [...joinedRefs(change)].map(([ref, id]) => ({ ref, id, rule: ownValue(news.rules, ref) }));
  const added = lost?.kind === "add" ? [{ ref: lost.ref, id: undefined, rule: requireKnownRule(lost.rule) }] : [];
  for (const { ref, id, rule } of [...joined, ...added])
    put(ref, ownValue(news.rules, ref) ?? rule, {
      ...{ id, secrets: [...secretsNow(ref), ...secretsBefore(ref)], position: positions.get(ref) },
    });
  for (const { kind, ref } of done.values())
    if (kind !== "delete")
      put(ref, ownValue(news.rules, ref), {
        ...{ id: ids.get(ref), secrets: secretsNow(ref), position: ownValue(news.positions ?? {}, ref) },
      });
  const place = new Map(current.rules.map(({ id }, index) => [id, index]));
  const at = ({ id = "" }: Entry): number => place.get(id) ?? current.rules.length;
  const sorted = [...entries].sort(([, one], [, other]) => at(one) - at(other));
  const rules = mapFrom(sorted.map(([ref, { rule }]) => [ref, rule] as const));
  const secrets = sorted.flatMap(([ref, { secrets: paths }]) => (paths.length === 0 ? [] : [[ref, paths] as const]));
  const placed = sorted.flatMap(([ref, { position }]) => (position === undefined ? [] : [[ref, position] as const]));
  return {
    ...omit(news, ["__secretPaths", "positions"]),
    ...(placed.length === 0 ? {} : { positions: mapFrom(placed) }),
    ...{ rules, order: orderText(sorted.map(([ref]) => ref)), rulesInForce: rulesInForce(rules) },
    ...(secrets.length === 0 ? {} : { __secretPaths: mapFrom(secrets) }),
  };
}

/**
 * The last response, limited to what this run knows. Changes that somebody made to other rules of the stack meanwhile
 * are left out, together with the new version, so that the next refresh or change finds them.
 */
function asSeen(
  { there: { deployed }, notes: { own } }: RulesChange,
  { current, done, written, ids }: Progress,
  wanted: readonly string[],
): Ruleset {
  const gone = new Set([...done.values()].flatMap((step) => (step.kind === "delete" ? [step.id] : [])));
  const mine = new Set([...Object.values(own.known.ruleIds), ...own.ids.values()].filter((id) => !gone.has(id)));
  const read = deployed.rules.filter(({ id }) => mine.has(id)).map((rule) => [rule.id, rule] as const);
  const seen = new Map([...read, ...written]);
  const existingIds = new Set(current.rules.map(({ id }) => id));
  const deleted = [...seen.values()].filter(({ id }) => !existingIds.has(id));
  const rules = inWantedOrder(current.rules, wanted, ids).map((rule) => {
    const was = seen.get(rule.id);
    return was === undefined || isSameMeaning(was, rule) ? rule : was;
  });
  if (deleted.length === 0 && rules.every((rule, index) => rule === current.rules[index])) return current;
  const { version, lastUpdated } = deployed;
  return { ...current, rules: [...rules, ...deleted], version, lastUpdated };
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
