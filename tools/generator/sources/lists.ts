import { parseItems, writtenItems } from "../../../core/lists/parse.js";
import { LIST_KINDS, type ListKind } from "../../../core/lists/kind.js";
import { isObject, textOf, type Json, type JsonObject, objectsIn } from "../../../core/model/json.js";
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
  const kind = LIST_KINDS.find((one) => one === values.kind);
  if (kind === undefined) return `a list of the kind ${textOf(values.kind)} cannot be declared`;
  const own = [...objectsIn(values.item), ...objectsIn(values.items)];
  const apart = items.filter((item) => item.values.list_id === id).map((item) => item.values);
  const given = [...own, ...apart].map((item) => itemOf(kind, item));
  if (given.some((item) => item === undefined || hasUnknown(item))) return "the state does not show all of its items";
  const parsed = parseItems(kind, writtenItems(given.flatMap((item) => item ?? [])));
  const [fault] = parsed.faults;
  if (fault !== undefined) return `an item ${fault.message}`;
  const known = Object.keys(parsed.items).length;
  const size = typeof values.num_items === "number" ? values.num_items : known;
  if (known === 0 && size > 0)
    return `the state does not contain its ${plural(size, "item")}. To continue: generate the list with --account`;
  return {
    id,
    name: textOf(values.name),
    kind,
    description: textOf(values.description),
    items: parsed.items,
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

/** An item as a program writes it; undefined if it is not of the kind of its list. */
function itemOf(kind: ListKind, values: JsonObject): Json | undefined {
  // Version 4 of the provider has the value of an item in a block, and its Pulumi package calls blocks in it by plurals.
  const value = objectsIn([values.value].flat())[0] ?? values;
  const comment = textOf(values.comment) === "" ? {} : { comment: values.comment };
  const found = blockOf(value[kind] ?? value[`${kind}s`]);
  switch (kind) {
    case "ip":
      return typeof found === "string" ? { value: found, ...comment } : undefined;
    case "asn":
      return typeof found === "number" || typeof found === "string" ? { value: Number(found), ...comment } : undefined;
    case "hostname": {
      if (!isObject(found)) return undefined;
      const { url_hostname: hostname = null, exclude_exact_hostname: exact } = found;
      return { value: hostname, ...switchIn("excludeExactHostname", exact), ...comment };
    }
    case "redirect":
      return isObject(found) ? { ...redirectOf(found), ...comment } : undefined;
  }
}

const SWITCHES = {
  include_subdomains: "includeSubdomains",
  preserve_path_suffix: "preservePathSuffix",
  preserve_query_string: "preserveQueryString",
  subpath_matching: "subpathMatching",
} as const;

function redirectOf(found: JsonObject): JsonObject {
  const { source_url: source = null, target_url: target = null, status_code: status } = found;
  const switches = Object.entries(SWITCHES).map(([theirs, ours]) => switchIn(ours, found[theirs]));
  return {
    source,
    target,
    ...(status === undefined || status === null ? {} : { status: Number(status) }),
    ...switches.reduce<JsonObject>((all, one) => ({ ...all, ...one }), {}),
  };
}

/** A switch that the state sets; version 4 writes those of lists as words. */
function switchIn(name: string, value: Json | undefined): JsonObject {
  if (value === true || value === "enabled") return { [name]: true };
  return value === false || value === "disabled" ? { [name]: false } : {};
}

/** A value, or the only block of a list of blocks, under Terraform's names. */
function blockOf(value: Json | undefined): Json | undefined {
  const inside = Array.isArray(value) ? (value as readonly Json[])[0] : value;
  if (!isObject(inside)) return inside;
  return Object.fromEntries(Object.entries(inside).map(([key, item]) => [snakeCase(key), item]));
}
