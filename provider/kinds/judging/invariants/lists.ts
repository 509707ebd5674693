import { declaredLists, type DeclaredList } from "../../../engine/declared-lists.js";
import { listItems, type ReadLists } from "../../../engine/reads/list-items.js";
import type { Session } from "../../../engine/session.js";
import { listInputOf } from "../../../lists/list-input.js";
import { mapFrom, omit } from "../../../model/json.js";
import { joinNames } from "../../../model/words.js";
import type { ListInput, ListsInput } from "../../../../simulator/lists.js";

/** The lists of an account, as far as their items are known at some point of a run. */
export interface KnownLists {
  readonly lists: ListsInput;
  /** Why the items of others are not known, each as a sentence. */
  readonly notKnown: readonly string[];
  /** Whether one is declared and not checked yet: it is judged when it is. */
  readonly isLater: boolean;
  /** Whether the items of one are known only when they are written. */
  readonly isPending: boolean;
}

/** The lists as they are before this run. */
export async function listsBefore(session: Session, accountId: string, names: readonly string[]): Promise<ListsInput> {
  const declared = declaredIn(session, accountId);
  const known = names.flatMap((name) => {
    const before = declared(name)?.before;
    return before === undefined ? [] : [[name, before] as const];
  });
  const { lists } = await read(session, accountId, without(names, known));
  return mapFrom([...known, ...Array.from(lists, ([name, { input }]) => [name, input] as const)]);
}

/**
 * The lists as this run leaves them, as far as its resources were checked: those that the program does not declare stay as they
 * are, and a shared one keeps the items of others.
 */
export async function listsAfter(session: Session, accountId: string, names: readonly string[]): Promise<KnownLists> {
  const declared = declaredIn(session, accountId);
  const known = names.flatMap((name) => {
    const after = declared(name)?.after;
    return after === undefined ? [] : [[name, after] as const];
  });
  const open = without(names, known);
  const later = open.filter((name) => declared(name) === undefined && session.part(declaredLists).isAnnounced(name));
  const pending = open.filter((name) => {
    const list = declared(name);
    return list !== undefined && list.part === undefined;
  });
  const asked = open.filter((name) => !later.includes(name) && !pending.includes(name));
  const created = asked.filter((name) => declared(name)?.part?.isNew === true);
  const { lists, notRead } = await read(session, accountId, asked, created);
  const found = Array.from(lists, ([name, { kind, items, input }]): readonly [string, ListInput] => {
    const part = declared(name)?.part;
    return [name, part === undefined ? input : listInputOf(kind, { ...omit(items, part.remove), ...part.put })];
  });
  return {
    lists: mapFrom([...known, ...found]),
    notKnown: [
      ...notRead,
      ...sentence(later, "declared by the program, and not checked yet"),
      ...sentence(pending, "known only when `pulumi up` writes them"),
    ],
    isLater: later.length > 0,
    isPending: pending.length > 0,
  };
}

/** Nothing can be read where the account is not known, which is a reason of its own. */
async function read(
  session: Session,
  accountId: string,
  names: readonly string[],
  created: readonly string[] = [],
): Promise<ReadLists> {
  return session.part(listItems).read(accountId, accountId === "" ? [] : names, created);
}

/** The lists that the program declares in an account, by name. */
function declaredIn(session: Session, accountId: string): (name: string) => DeclaredList | undefined {
  return (name) =>
    session
      .part(declaredLists)
      .named(name)
      .find((list) => list.accountId === accountId);
}

function without(names: readonly string[], known: readonly (readonly [string, unknown])[]): readonly string[] {
  return names.filter((name) => !known.some(([one]) => one === name));
}

function sentence(names: readonly string[], what: string): readonly string[] {
  return names.length === 0 ? [] : [`the items of ${joinNames(names.map((name) => `$${name}`))} are ${what}`];
}
