import {
  EXAMPLE_ID,
  type Description,
  type GivenArguments,
  type InputsOf,
  type StateOf,
} from "../../engine/description.js";
import {
  anyObject,
  eitherType,
  internalType,
  objectType,
  type Member,
  type NamedType,
  type ValueType,
} from "../../engine/named-type.js";
import {
  FIELDS,
  type Details,
  type GivenItem,
  type ItemFields,
  type Items,
  type UncheckedItem,
  writtenItem,
} from "../../../core/lists/item.js";
import type { ListKind } from "../../../core/lists/kind.js";
import { failure } from "../../../core/model/failure.js";
import { isObject, mapFrom, pick, textOf, type Json, type JsonObject } from "../../../core/model/json.js";
import { PERCENT, SECONDS } from "../../../core/model/numbers.js";
import { knownText } from "../../../core/model/unknown.js";
import { checkId } from "../../validation/checks/ids.js";
import { plannedListDelete } from "./planned.js";

/** The fields of items with more than their value, of every kind. */
const ITEM_FIELDS = objectType<ItemFields>(
  "RulesListFields",
  "An item of a list, with a comment, or a redirect. For items without anything else, write the value alone.",
  {
    value: {
      type: eitherType<string | number>("StringOrNumber", ["string", "number"]),
      text: "The IP address or range, the hostname, or the number of the autonomous system. For every kind except `redirect`.",
    },
    comment: { type: "string", text: "At most 500 characters, shown in the dashboard." },
    source: { type: "string", text: "Of a redirect: the URL that is redirected, without a query string." },
    target: { type: "string", text: "Of a redirect: where it leads, with a scheme." },
    status: { type: "number", text: "Of a redirect: 301, 302, 307 or 308.", otherwise: "301" },
    includeSubdomains: { type: "boolean", text: "Of a redirect: also from subdomains.", otherwise: "false" },
    preservePathSuffix: {
      type: "boolean",
      text: "Of a redirect with `subpathMatching`: appends the rest of the path to the target.",
      otherwise: "true",
    },
    preserveQueryString: {
      type: "boolean",
      text: "Of a redirect: keeps the query string of the request.",
      otherwise: "false",
    },
    subpathMatching: { type: "boolean", text: "Of a redirect: also from paths below the source.", otherwise: "false" },
    excludeExactHostname: {
      type: "boolean",
      text: "Of a hostname that begins with `*.`: without the domain itself.",
      otherwise: "true",
    },
  },
);

/** An item of a kind, for programs whose language can tell by the kind which fields it has. */
function itemOf(kind: ListKind, name: string, text: string, value: ValueType = "string"): NamedType<unknown> {
  const { definition } = ITEM_FIELDS;
  const members: Readonly<Record<string, Member>> = definition.kind === "object" ? definition.properties : {};
  const properties = pick(members, FIELDS[kind]);
  const required = Object.entries(properties).map(([field, member]): [string, Member] =>
    REQUIRED.includes(field)
      ? [field, { ...member, required: true, ...(field === "value" ? { type: value } : {}) }]
      : [field, member],
  );
  return objectType<object, unknown>(name, text, Object.fromEntries(required));
}

const REQUIRED = ["value", "source", "target"];
const NUMBER = eitherType<string | number>("StringOrNumber", ["string", "number"]);
const REDIRECT = itemOf("redirect", "RulesListRedirect", "A redirect of a list of the kind `redirect`.");
const ADDRESS = itemOf("ip", "RulesListAddress", "An item of a list of the kind `ip`, with a comment.");
const HOSTNAME = itemOf(
  "hostname",
  "RulesListHostname",
  "An item of a list of the kind `hostname`, with its switch or a comment.",
);
const SYSTEM = itemOf("asn", "RulesListAsn", "An item of a list of the kind `asn`, with a comment.", NUMBER);
const UNCHECKED = objectType<UncheckedItem>(
  "RulesListUnchecked",
  "An item of a list as the service has it, which is sent as it is, and not checked.",
  {
    wire: {
      type: anyObject<JsonObject>("AnyObject"),
      text: 'Such as `{ ip: "192.0.2.1", comment: "Berlin" }`, under the names of the service.',
      required: true,
    },
  },
);
const ITEMS_BY_KIND: Readonly<Record<ListKind, ValueType>> = {
  ip: { list: eitherType("AddressOrValue", ["string", ADDRESS, UNCHECKED]) },
  redirect: { list: eitherType("RedirectItem", [REDIRECT, UNCHECKED]) },
  hostname: { list: eitherType("HostnameOrValue", ["string", HOSTNAME, UNCHECKED]) },
  asn: { list: eitherType("AsnOrValue", ["string", "number", SYSTEM, UNCHECKED]) },
};
/**
 * For languages whose types cannot depend on the kind of the list. What is not an item of that kind, the check of the list says with
 * its path.
 */
const GIVEN_ITEM: NamedType<GivenItem> = {
  ...eitherType<GivenItem>("RulesListItem", ["string", "number", ADDRESS, HOSTNAME, SYSTEM, REDIRECT, UNCHECKED]),
  is: (value) => ["string", "number"].includes(typeof value) || ITEM_FIELDS.is(value) || UNCHECKED.is(value),
};
const DETAILS = internalType<Details>(
  "ItemDetails",
  (value) => typeof value === "string" || (isObject(value) && Object.keys(value).length > 0),
);
/** Stands for the details of an item that an interrupted write was to remove. */
export const REMOVED = false;
/** By value, what an interrupted write was to put and to remove. */
export type SentItems = Readonly<Record<string, Details | typeof REMOVED>>;
const SENT = internalType<Details | typeof REMOVED>("SentDetails", (value) => value === REMOVED || DETAILS.is(value));

const MAX_DESCRIPTION = 500;

export const RULES_LIST = {
  type: "RulesList",
  example: {
    name: "office",
    text: "The addresses of the offices, which rules of all zones call `$office`",
    args: { accountId: EXAMPLE_ID, name: "office", kind: "ip", itemsFile: "office.csv" },
  },
  text: "A list of an account, which the rules of all of its zones can refer to as `$name`, and the redirects of a bulk redirect.",
  class: {
    example:
      'const office = new RulesList("office", {\n' +
      '  accountId,\n  name: "office",\n  kind: "ip",\n' +
      '  items: ["192.0.2.0/24", { value: "198.51.100.7", comment: "Berlin" }],\n});',
    reads: "a list",
    id: "accounts/<accountId>/lists/<listId>",
  },
  operations: [{ path: "/rules/lists", probe: { subject: "lists", read: ({ lists }, { id }) => lists.list(id) } }],
  levels: ["accounts"],
  title: ({ name }) => `list ${knownText(name)}`,
  guide: "lists",
  insteadOfImport: [
    'Leave it out and take over what exists with onExisting: "adopt": the preview prints the items to add.',
  ],
  usedByRules: ["items", "foreignItems"],
  plannedDelete: plannedListDelete,
  atMostOneOf: [["items", "itemsFile"]],
  refusals: [
    {
      argument: "onDelete",
      value: "delete",
      beside: { ownership: "shared" },
      because: 'a shared list has items of others: use "empty" or "keep"',
    },
  ],
  arguments: {
    accountId: {
      type: "string",
      text: "The account. Changing it replaces the list.",
      required: true,
      check: checkId,
      change: "replace",
      output: true,
    },
    name: {
      type: "string",
      text: "Its name in expressions, without the dollar sign: letters, digits and underscores. Changing it replaces the list.",
      required: true,
      change: "replace",
      output: true,
    },
    kind: {
      type: "string",
      text: "What its items are: `ip`, `redirect`, `hostname` or `asn`; items of a newer kind are in `wire`. Changing it replaces the list.",
      known: "ListKind",
      required: true,
      change: "replace",
      output: true,
    },
    description: {
      type: "string",
      text: "Free text, at most 500 characters.",
      otherwise: "that of the existing list, or none",
      check: (path, text) =>
        String(text).length > MAX_DESCRIPTION
          ? failure(path, `must have at most ${String(MAX_DESCRIPTION)} characters`)
          : [],
      change: "write",
    },
    items: {
      type: { list: GIVEN_ITEM },
      typeBy: { argument: "kind", types: ITEMS_BY_KIND, otherwise: { list: UNCHECKED } },
      text: "The items, in any order. An IP list: addresses and ranges. Excludes `itemsFile`.",
      // Checked inputs hold what `parseItem` made of them.
      written: (items, { kind }) =>
        Object.entries(items as JsonObject).map(
          ([key, details]) => writtenItem(textOf(kind), key, details as Details) as Json,
        ),
      otherwise: "[]",
      change: "write",
      mayBeSecret: "comments",
    },
    itemsFile: {
      type: "string",
      text:
        "A file with the items, relative to the folder of the program: `.csv` with a header of field names, `.json` with an array as " +
        "in `items`, or any other with a value on each line. Excludes `items`.",
      change: "none",
      standsFor: "items",
      consumed: true,
    },
    ownership: {
      type: "string",
      text:
        "Which items the program manages. `exclusive`: every item of the list. `shared`: only its own, beside those of other " +
        "programs and people, which it never changes.",
      default: "exclusive",
      choices: ["exclusive", "shared"],
      change: "write",
    },
    onExisting: {
      type: "string",
      text:
        "What to do when a list of that name has other items: `fail` stops unless nothing would be lost, `adopt` takes it over if " +
        "the program contains every existing item, whatever the details, `replace` removes the others.",
      default: "fail",
      choices: ["fail", "adopt", "replace"],
      change: "record",
    },
    onConflict: {
      type: "string",
      text:
        "What to do when items were changed outside the stack since the last write. `RULESETS_ON_CONFLICT` overrides it for " +
        "one run.",
      default: "fail",
      choices: ["fail", "overwrite"],
      change: "none",
    },
    onDelete: {
      type: "string",
      text:
        "What deleting does: `delete` deletes the list, `empty` removes the program's items, `keep` only removes it from the state. " +
        "A shared list cannot be deleted.",
      otherwise: '"delete", or "empty" for a shared list',
      choices: ["delete", "empty", "keep"],
      change: "record",
    },
    maxRemovedPercent: {
      type: "number",
      text:
        "Percentage of the items at the service that one run may remove; if it would remove more, the preview fails. " +
        "`RULESETS_MAX_REMOVED_PERCENT` overrides it for one run.",
      otherwise: "`rulesets:maxRemovedPercent`, or else 100",
      range: PERCENT,
      change: "record",
    },
    timeoutSeconds: {
      type: "number",
      text: "Longest wait for a change of items, which the service carries out after it has answered.",
      default: 600,
      range: SECONDS,
      change: "record",
    },
  },
  checked: {
    items: {
      type: { map: DETAILS },
      text: "By value, in the notation of the service: the comment, or all details.",
      required: true,
    },
    foreignItems: {
      type: { map: DETAILS },
      text:
        "By value, items that this stack never wrote, in a list that it owns as a whole. Set by `read`, so that a refresh shows them; " +
        "never declared, so that the next run removes them or stops, as `onConflict` says.",
    },
    __secretComments: { type: { list: "string" }, text: "The keys of items whose comments are secrets." },
  },
  outputs: {
    listId: { type: "string", text: "The service's ID of the list.", required: true, stable: true },
    size: { type: "number", text: "Number of items at the service, including those of others.", required: true },
    __incomplete: { type: "boolean", text: "True after a write that may or may not have been applied." },
    __takenOver: {
      type: "boolean",
      text: "True if this stack took the list over because it was equal and was not asked to own it: a delete keeps it.",
    },
    __sent: {
      type: { map: SENT },
      text: "With `__incomplete`: by value, what that write was to put, and `false` for what it was to remove.",
    },
  },
} as const satisfies Description;

export type GivenListArguments = GivenArguments<typeof RULES_LIST>;
export type ListInputs = InputsOf<typeof RULES_LIST>;
export type ListState = StateOf<typeof RULES_LIST>;

/** What a write was to put and to remove. */
export function sentItems(put: Items, removed: readonly string[]): SentItems {
  return mapFrom<Details | typeof REMOVED>([...Object.entries(put), ...removed.map((key) => [key, REMOVED] as const)]);
}

/** The account, and the ID or the name of the list, in a resource ID; undefined for any other text. */
export function parseListId(id: string): { readonly accountId: string; readonly list: string } | undefined {
  const parts = /^accounts?\/([^/]+)\/lists?\/([^/]+)$/.exec(id);
  return parts === null ? undefined : { accountId: textOf(parts[1]), list: textOf(parts[2]) };
}
