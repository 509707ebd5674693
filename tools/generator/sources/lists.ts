import { itemFromWire, unknownKind, type StoredItem } from "../../../core/lists/item.js";
import { isListKind, type ListKind } from "../../../core/lists/kind.js";
import { isObject, mapFrom, textOf, type Json, type JsonObject, objectsIn } from "../../../core/model/json.js";
import { snakeCase } from "../../../core/model/shapes.js";
import { hasUnknown } from "../../../core/model/unknown.js";
import { plural } from "../../../core/model/words.js";
import type { FoundList } from "../inventory.js";
import type { ForeignResource } from "./foreign.js";

/**
 * A list of another tool's state with its items, which are in the list itself or in resources of their own; or why the program
 * cannot have it.
 */
export function convertList(list: ForeignResource, items: readonly ForeignResource[]): FoundList | string {
  const { id, values } = list;
  const kind = textOf(values.kind);
  if (!isListKind(kind)) return `${unknownKind(kind)}. ${LIST_FROM_SERVICE}`;
  const own = [...objectsIn(values.item), ...objectsIn(values.items)];
  const apart = items.filter((item) => item.values.list_id === id).map((item) => item.values);
  const given = [...own, ...apart].map((item) => itemOf(kind, item));
  const stored = given.flatMap((item) => item ?? []);
  if (stored.length < given.length) return "the state does not show all of its items";
  const found = mapFrom(stored.map(({ key, details }) => [key, details] as const));
  const known = Object.keys(found).length;
  const size = typeof values.num_items === "number" ? values.num_items : known;
  if (known === 0 && size > 0) return `the state does not contain its ${plural(size, "item")}. ${LIST_FROM_SERVICE}`;
  return {
    id,
    name: textOf(values.name),
    kind,
    description: textOf(values.description),
    items: found,
    ...(known >= size
      ? {}
      : {
          shared: true,
          notes: [
            `The state has ${String(known)} of the ${plural(size, "item")} of the list: the program leaves the others alone.`,
          ],
        }),
  };
}

const LIST_FROM_SERVICE = "To continue: generate the list with --account";

/** An item as the service has it; undefined if it is not of the kind of its list, or not shown. */
function itemOf(kind: ListKind, values: JsonObject): StoredItem | undefined {
  // Version 4 of the provider has the value of an item in a block, and its Pulumi package calls blocks in it by plurals.
  const value = objectsIn([values.value].flat())[0] ?? values;
  const found = blockOf(value[kind] ?? value[`${kind}s`]);
  const wire = { [kind]: found ?? null, comment: values.comment ?? null };
  return hasUnknown(wire) ? undefined : itemFromWire(kind, wire);
}

/** A value, or the only block of a list of blocks, under the names of the service and without what was never set. */
function blockOf(value: Json | undefined): Json | undefined {
  const inside = Array.isArray(value) ? (value as readonly Json[])[0] : value;
  if (!isObject(inside)) return inside;
  return Object.fromEntries(
    Object.entries(inside).flatMap(([key, item]) =>
      item === undefined || item === null || item === "" || item === 0 ? [] : [[snakeCase(key), fieldOf(key, item)]],
    ),
  );
}

/** Version 4 writes switches of lists as words, and numbers may be texts. */
function fieldOf(key: string, item: Json): Json {
  if (item === "enabled" || item === "disabled") return item === "enabled";
  return /^status_?code$/i.test(key) ? Number(item) : item;
}
