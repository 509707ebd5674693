import type { Items } from "../lists/item.js";
import { LIST_KINDS, type ListKind } from "../lists/kind.js";
import { listInputOf } from "../lists/list-input.js";
import { parseItems } from "../lists/parse.js";
import { isList, isObject, mapFrom, type JsonObject } from "../model/json.js";
import { hasUnknown, knownText } from "../model/unknown.js";
import type { ListInput, ListsInput } from "../simulator/index.js";

/** The lists that resources declare, by name, where their items are known and nobody else has items there. */
export function listsOfStates(states: readonly { readonly properties: JsonObject }[]): ListsInput {
  const found = states.flatMap(({ properties }) => (isListState(properties) ? [properties] : []));
  const names = found.map(({ name }) => knownText(name));
  return mapFrom(
    found.flatMap((properties, index): readonly (readonly [string, ListInput])[] => {
      const [name = "", list] = [names[index], listIn(properties)];
      // Which of several accounts a zone belongs to is not known here.
      return list === undefined || names.indexOf(name) !== names.lastIndexOf(name) ? [] : [[name, list]];
    }),
  );
}

/** A list has a kind, a name and items, and neither rules nor a phase. */
function isListState({ kind, name, rules, phase, items, itemsFile }: JsonObject): boolean {
  const hasItems = items !== undefined || itemsFile !== undefined;
  return kindOf(kind) !== undefined && name !== undefined && hasItems && rules === undefined && phase === undefined;
}

function kindOf(kind: unknown): ListKind | undefined {
  return LIST_KINDS.find((one) => one === kind);
}

/** Inputs have items by key; those of the plugin may have them as a program writes them. */
function listIn({ kind: given, items, ownership }: JsonObject): ListInput | undefined {
  const kind = kindOf(given);
  if (kind === undefined || items === undefined || hasUnknown(items) || (ownership ?? "exclusive") !== "exclusive")
    return undefined;
  if (isObject(items)) return listInputOf(kind, items as Items);
  if (!isList(items)) return undefined;
  const { items: parsed, faults } = parseItems(
    kind,
    items.map((item) => ({ given: item, path: [] })),
  );
  return faults.length > 0 ? undefined : listInputOf(kind, parsed);
}
