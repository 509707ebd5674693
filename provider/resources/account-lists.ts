import * as pulumi from "@pulumi/pulumi";
import type { AnnouncedLists } from "../engine/declared-lists.js";
import { isObject, mapFrom, textOf } from "../model/json.js";
import { declaredInProgram, needed, waitingFor, waitsOf, type Declared } from "./waits.js";

/** A list of an account that the program declares. */
interface AccountList extends Declared {
  readonly name: unknown;
  readonly kind: unknown;
  resource?: pulumi.Resource;
}

const listsOfProgram = declaredInProgram<AccountList>();

/** Records a list of an account: rules may use it before its resource is checked. Returns what to call with the resource. */
export function noteAccountList(args: object, opts: pulumi.CustomResourceOptions): (made: pulumi.Resource) => void {
  const { name, kind } = args as { readonly name?: unknown; readonly kind?: unknown };
  const list: AccountList = { name, kind, waits: waitsOf({ ...args }, opts) };
  listsOfProgram().push(list);
  return (made) => {
    list.resource = made;
  };
}

/** What the provider must know of the lists of the program; undefined if there are none. */
export function announcedLists(): AnnouncedLists | undefined {
  const lists = listsOfProgram();
  if (lists.length === 0) return undefined;
  const named = lists.flatMap(({ name, kind }) => (typeof name === "string" ? [[name, textOf(kind)] as const] : []));
  return { kinds: mapFrom(named), hasUnknown: named.length < lists.length };
}

/**
 * The options of a resource with rules: with the lists of this program that the text of its rules names in `dependsOn`, so that they
 * are created before the rules, and deleted after them.
 */
export function afterAccountLists(args: object, opts: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions {
  const names = new Set<string>();
  collectNames(args, names);
  if (names.size === 0) return opts;
  const all = listsOfProgram();
  const own = waitsOf({ ...args }, opts);
  return waitingFor(
    opts,
    Array.from(names, (name) => needed(own, all, (list) => list.name === name)),
  );
}

/** The names of lists in the texts of arguments that are known when the program runs. Those of Cloudflare are none. */
function collectNames(value: unknown, names: Set<string>): void {
  if (typeof value === "string") {
    if (!value.includes("$")) return;
    for (const [, name = ""] of value.matchAll(/\$(\w+)(?![\w.])/g)) names.add(name);
  } else if (Array.isArray(value)) for (const one of value as unknown[]) collectNames(one, names);
  else if (isObject(value) && !(value instanceof Promise) && !pulumi.Output.isInstance(value)) {
    if (pulumi.Resource.isInstance(value)) return;
    for (const [key, one] of Object.entries(value)) {
      const isFromList = (key === "fromList" || key === "from_list") && isObject(one);
      if (isFromList && typeof one.name === "string") names.add(one.name);
      collectNames(one, names);
    }
  }
}
