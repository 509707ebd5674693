import * as pulumi from "@pulumi/pulumi";
import type { AnnouncedLists } from "../engine/declared-lists.js";
import { isObject, mapFrom } from "../model/json.js";

/** A list of an account that the program declares. */
interface AccountList {
  readonly name: unknown;
  readonly kind: unknown;
}

/** By connection to the engine. */
const declared = new WeakMap<object, AccountList[]>();

/** Records a list of an account: rules may use it before its resource is checked. */
export function noteAccountList(args: object): void {
  const engine = pulumi.runtime.getMonitor() as object | undefined;
  if (engine === undefined || !isObject(args)) return;
  const { name, kind } = args as Partial<AccountList>;
  const lists = declared.get(engine) ?? [];
  lists.push({ name, kind });
  declared.set(engine, lists);
}

/** What the provider must know of the lists of the program; undefined if there are none. */
export function announcedLists(): AnnouncedLists | undefined {
  const engine = pulumi.runtime.getMonitor() as object | undefined;
  const lists = engine === undefined ? undefined : declared.get(engine);
  if (lists === undefined) return undefined;
  const named = lists.flatMap(({ name, kind }) =>
    typeof name === "string" ? [[name, typeof kind === "string" ? kind : ""] as const] : [],
  );
  return { kinds: mapFrom(named), hasUnknown: named.length < lists.length };
}
