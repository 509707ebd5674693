import type { ListInput, ListsEdit } from "../../../core/analysis/index.js";
import { isObject, mapFrom } from "../../../core/model/json.js";
import { hasUnknown, knownText } from "../../../core/model/unknown.js";
import type { Items } from "../../../core/lists/item.js";
import { LIST_KINDS } from "../../../core/lists/kind.js";
import { listInputOf } from "../../../core/lists/list-input.js";
import { NO_RULES, ruleEntries } from "../../../core/rules/keyed.js";
import { listUsesOf } from "../../../provider/validation/list-uses.js";
import type { ListEffect, NotJudged, PublishedEffect } from "../../../provider/validation/published-effect.js";
import { rulesOfState } from "./deployed-rules.js";
import { joinEffects, withNotJudged } from "./effect.js";
import { resourceWords } from "./own-resource.js";
import type { ResourceState, Step } from "./preview.js";
import type { Effect } from "./summary.js";

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

/** The resources and rules that use a list after a preview, as far as it shows them. */
function usesOf(name: string, rulesets: readonly Step[]): readonly { readonly urn: string; readonly rule: string }[] {
  return rulesets.flatMap(({ op, urn, after, before }) => {
    const rules = rulesOfState(op === "delete" ? undefined : (after ?? before))?.keyed;
    const using = ruleEntries(rules ?? NO_RULES).filter(({ rule }) =>
      listUsesOf(rule).some((use) => use.name === name),
    );
    return using.map(({ ref }) => ({ urn, rule: ref }));
  });
}

/** What a preview says about lists and the rules that use them. */
export interface ListSteps {
  /** The steps of lists, and of the rules that may use them, also those that change nothing. */
  readonly lists: readonly Step[];
  readonly rulesets: readonly Step[];
  /** By URN, what changed lists do through rules, also those without a step. */
  readonly listEffects: ReadonlyMap<string, ListEffect>;
}

/** What a change of a list does through rules, as the preview has published it; undefined if it has published nothing. */
export function effectOfList(list: Step, { rulesets, listEffects }: ListSteps): Effect | undefined {
  const name = knownText(list.after?.inputs.name);
  const told = [...listEffects].filter(([, effect]) => effect.lists.includes(name));
  if (told.length === 0) return undefined;
  const urns = new Set(told.map(([urn]) => urn));
  const untold = new Set(usesOf(name, rulesets).flatMap(({ urn }) => (urns.has(urn) ? [] : [urn])));
  return withNotJudged(
    joinEffects(told.map(([, { effect }]) => effectTold(effect))),
    Array.from(untold, (urn) => notTold(`rules of ${resourceWords(urn)} that use $${name}`)),
  );
}

function effectTold({ lines, ...effect }: PublishedEffect): Effect {
  return { ...effect, witnesses: lines, undecided: [] };
}

/** A list, or rules that use it, of which a preview would have published what a change does. */
export function notTold(what: string): NotJudged {
  return {
    what,
    why: "the preview has not published the effect on requests",
    decidedBy:
      "a preview with rulesets:ruleAnalysis on, in which one provider has the list and its rules, or reading the change beside the " +
      "rules that name the list",
  };
}

/** A note on a list that is deleted while rules of the stack still use it. */
export function usedAfterDelete(list: Step, rulesets: readonly Step[]): readonly string[] {
  const name = knownText(list.before?.inputs.name);
  const uses = list.op === "delete" && name !== "" ? usesOf(name, rulesets) : [];
  if (uses.length === 0) return [];
  return [
    `rules still use $${name}, so the service will refuse to delete it: ${uses.map(({ rule }) => rule).join(", ")}`,
  ];
}
