import { TextDocument } from "./text/text-document.js";
import { sameJson } from "../../core/model/json.js";
import { rulesetName, type ListInput, type ListsInput, type RulesetInput } from "../../core/simulator/index.js";
import { rulesOfDocument } from "./document.js";

/**
 * Rulesets as a JSON document that {@link rulesOfDocument} reads, for machines that have neither the program nor the service.
 * @throws Error if it would say something else
 */
export function documentOf(rulesets: readonly RulesetInput[], file: string): string {
  const lists = listsOf(rulesets);
  const text = JSON.stringify(
    {
      rulesets: rulesets.map(({ lists: _lists, owner: _owner, isPart, ...ruleset }) => {
        return { ...ruleset, ...(isPart === true ? { ownership: "shared" } : {}) };
      }),
      lists: itemsOf(lists, ({ kind }) => kind !== "redirect"),
      redirectLists: itemsOf(lists, ({ kind }) => kind === "redirect"),
    },
    undefined,
    2,
  );
  const read = rulesOfDocument(TextDocument.parse(text, file)).rulesets.map(({ input }) => input);
  rulesets.forEach((ruleset, index) => {
    if (!sameJson(plain(read[index], index), plain(ruleset, index)))
      throw new Error(`${rulesetName(ruleset)} cannot be saved: as JSON, it would not be the same`);
  });
  if (read.length > 0 && !sameJson(itemsOf(listsOf(read)), itemsOf(lists)))
    throw new Error("the lists cannot be saved: as JSON, their items would not be the same");
  return text;
}

/** The lists of all rulesets. */
function listsOf(rulesets: readonly RulesetInput[]): ListsInput {
  const lists = new Map<string, ListInput>();
  for (const [name, list] of rulesets.flatMap((ruleset) => Object.entries(ruleset.lists ?? {}))) {
    const known = lists.get(name) ?? list;
    if (!sameJson(known, list))
      throw new Error(`the list "${name}" cannot be saved: accounts have different lists of this name`);
    lists.set(name, known);
  }
  return Object.fromEntries(lists);
}

function itemsOf(lists: ListsInput, isWanted: (list: ListInput) => boolean = () => true): object {
  const wanted = Object.entries(lists).filter(([, list]) => isWanted(list));
  return Object.fromEntries(wanted.map(([name, { items }]) => [name, items]));
}

/** What is compared of a ruleset: without lists, with the ID that a file gives, and without the marks of unknown rules. */
function plain(ruleset: RulesetInput | undefined, index: number): unknown {
  if (ruleset === undefined) return undefined;
  const { lists: _lists, owner: _owner, id = `ruleset-${String(index)}`, ...rest } = ruleset;
  const rules = ruleset.rules.map(({ opaque: _opaque, ...rule }) => rule);
  return { ...rest, id, rules };
}
