import {
  effectWords,
  judgeRulesets,
  listChangeWords,
  openForGate,
  weakensOf,
  type ListInput,
  type ListsEdit,
  type RulesetInput,
} from "../../analysis/index.js";
import { judgedRule } from "../../provider/model/judged-rule.js";
import { isObject, mapFrom } from "../../provider/model/json.js";
import { hasUnknown, knownText } from "../../provider/model/unknown.js";
import type { Items } from "../../provider/lists/item.js";
import { LIST_KINDS } from "../../provider/lists/kind.js";
import { listInputOf } from "../../provider/lists/list-input.js";
import { ruleEntries } from "../../provider/rules/keyed.js";
import { listUsesOf } from "../../provider/validation/list-uses.js";
import { rulesOfState } from "./deployed-rules.js";
import { ownType } from "../../provider/model/urn.js";
import type { ResourceState, Step } from "./preview.js";
import type { ListEffect, NotJudged, PublishedEffect } from "../../provider/validation/published-effect.js";
import { joinEffects, withNotJudged } from "./effect.js";
import type { Effect } from "./summary.js";

/** The kind that is one rule among others. */
const RULESET_RULE = "RulesetRule";

type NamedList = readonly [name: string, list: ListInput];

/** A list in the states of a preview; undefined if its items are not known, or if it has items of others. */
function listIn(state: ResourceState | undefined): NamedList | undefined {
  const { name, kind, items, ownership } = state?.inputs ?? {};
  const known = LIST_KINDS.find((one) => one === kind);
  if (known === undefined || !isObject(items) || hasUnknown(items) || ownership === "shared") return undefined;
  return [knownText(name), listInputOf(known, items as Items)];
}

/** The lists that a preview shows, before and after. Those that it does not show do not change. */
export function listsEdit(lists: readonly Step[]): ListsEdit {
  const side = (states: readonly (ResourceState | undefined)[]) =>
    mapFrom(states.flatMap((state) => [listIn(state)].filter((list) => list !== undefined)));
  return { before: side(lists.map(({ before }) => before)), after: side(lists.map(({ after }) => after)) };
}

/** The rules of a stack that use a list, as far as a preview shows them. */
interface RulesetsWithList {
  readonly rulesets: readonly RulesetInput[];
  /** Rules by name, for messages. */
  readonly names: readonly string[];
}

/** The rulesets that a preview leaves with rules that use a list; a single rule is a ruleset with one rule. */
function rulesetsUsing(name: string, rulesets: readonly Step[]): RulesetsWithList {
  const found = rulesets.flatMap(({ op, urn, after, before }) => {
    const state = op === "delete" ? undefined : (after ?? before);
    const rules = ruleEntries(rulesOfState(state)?.keyed ?? { rules: {}, order: [] });
    const using = rules.filter(({ rule }) => listUsesOf(rule).some((use) => use.name === name));
    if (state === undefined || using.length === 0) return [];
    const { phase, kind, zoneId, accountId, ownership } = state.inputs;
    const input: RulesetInput = {
      ...{ id: urn, name: urn, phase: knownText(phase) },
      kind: kind === "custom" ? "custom" : accountId === undefined ? "zone" : "root",
      ...(zoneId === undefined ? {} : { zoneId: knownText(zoneId) }),
      ...(accountId === undefined ? {} : { accountId: knownText(accountId) }),
      ...(ownership === "shared" || ownType(urn) === RULESET_RULE ? { isPart: true } : {}),
      rules: rules.map(({ ref, rule }) => judgedRule(rule, `${urn} ${ref}`, ref)),
    };
    return [{ input, names: using.map(({ ref }) => ref) }];
  });
  return { rulesets: found.map(({ input }) => input), names: found.flatMap(({ names }) => names) };
}

/** What a preview says about lists and the rules that use them. */
export interface ListSteps {
  /** The steps of lists, and of the rules that may use them, also those that change nothing. */
  readonly lists: readonly Step[];
  readonly rulesets: readonly Step[];
  /** By URN, what changed lists do through rules, also those without a step. */
  readonly listEffects: ReadonlyMap<string, ListEffect>;
  /** Whether the preview leaves out resources that stay as they are. */
  readonly hidesSames: boolean;
  /** When it is judged, in seconds since 1970. @default rules apply at any time */
  readonly at?: number | undefined;
}

/**
 * What a change of a list does through the rules of the stack that use it. Undefined if the preview tells of no such rules, or not all
 * items: then nothing is known.
 */
export function effectOfList(list: Step, listSteps: ListSteps): Effect | undefined {
  const { lists, rulesets, listEffects, hidesSames, at } = listSteps;
  const name = knownText(list.after?.inputs.name);
  const told = [...listEffects].filter(([, effect]) => effect.lists.includes(name));
  // The items of others are not in a preview's states: it has read them, and says what the list does through each resource.
  if (isShared(list))
    return told.length === 0 ? undefined : joinEffects(told.map(([, { effect }]) => effectTold(effect)));
  const [before, after] = [listIn(list.before), listIn(list.after)];
  if (before === undefined || after === undefined || before[0] !== after[0]) return undefined;
  const shown = new Set(rulesets.map(({ urn }) => urn));
  const hidden = told.filter(([urn]) => !shown.has(urn)).map(([, { effect }]) => effectTold(effect));
  const using = rulesetsUsing(name, rulesets).rulesets;
  const effects = [
    ...(using.length === 0 ? [] : [effectOn(using, before, after, { lists: listsEdit(lists), at })]),
    ...hidden,
  ];
  if (effects.length === 0) return undefined;
  const all = joinEffects(effects);
  return hidesSames && told.length === 0 ? withNotJudged(all, [notTold(name)]) : all;
}

/** Whether a list has items of others, which are not in a preview's states. */
export function isShared({ before, after }: Pick<Step, "before" | "after">): boolean {
  return (after ?? before)?.inputs.ownership === "shared";
}

function effectOn(
  using: readonly RulesetInput[],
  [name, before]: NamedList,
  [, after]: NamedList,
  { lists, at }: { readonly lists: ListsEdit; readonly at: number | undefined },
): Effect {
  const edit: ListsEdit = {
    before: { ...lists.after, [name]: before },
    after: { ...lists.after, [name]: after },
  };
  const version = (known: ListsEdit["before"]) =>
    using.map((ruleset) => (known === undefined ? ruleset : { ...ruleset, lists: known }));
  const comparison = judgeRulesets({ before: version(edit.before), after: version(edit.after), now: at });
  const { verdict, looser, stricter, witnesses, undecided } = comparison;
  const words = effectWords(comparison);
  const own: ListsEdit = { before: { [name]: before }, after: { [name]: after } };
  return {
    ...{ verdict, weakens: weakensOf(comparison), looser, stricter },
    ...(words === undefined ? {} : { words }),
    witnesses: [...using.flatMap(({ rules }) => listChangeWords(rules, own)), ...witnesses.map(({ text }) => text)],
    undecided,
    notJudged: openForGate(undecided).map(({ rule, why, decidedBy }) => ({
      what: `rule ${rule}`,
      why,
      decidedBy: decidedBy ?? "`npx pulumi-rulesets rules diff`, which searches longer, or a request in `rules test`",
    })),
  };
}

function effectTold({ lines, ...effect }: PublishedEffect): Effect {
  return { ...effect, witnesses: lines, undecided: [] };
}

/** The preview would have published something if it had analysed rules that use the list. */
function notTold(name: string): NotJudged {
  return {
    what: `rules that use $${name} and stay as they are`,
    why: "the preview does not show them, and has not analysed any: rulesets:ruleAnalysis is off, or another provider has them",
    decidedBy: "a preview with --show-sames",
  };
}

/** A note on a list that is deleted while rules of the stack still use it. */
export function usedAfterDelete(list: Step, rulesets: readonly Step[]): readonly string[] {
  const name = knownText(list.before?.inputs.name);
  const { names } = list.op === "delete" && name !== "" ? rulesetsUsing(name, rulesets) : { names: [] };
  if (names.length === 0) return [];
  return [`rules still use $${name}, so the service will refuse to delete it: ${names.join(", ")}`];
}
