import type { Client, Zone } from "../../../client/index.js";
import type { Migration } from "../../../core/legacy/report.js";
import { migrateZone, type FoundScope, type Inventory } from "../../generator/index.js";
import { readEach } from "../zones.js";
import type { Progress } from "../progress.js";
import type { UnreadScope } from "./words.js";

/** An inventory with the rules that replace the previous features of its zones. */
interface Migrated {
  readonly inventory: Inventory;
  readonly migrations: readonly Migration[];
  readonly unread: readonly UnreadScope[];
}

/** Reads the previous features of zones, and adds the rules that replace them. */
export async function addLegacyRules(
  client: Client,
  zones: readonly Zone[],
  inventory: Inventory,
  io: { readonly isDisabled: boolean; readonly parallel: number; readonly progress: Progress },
): Promise<Migrated> {
  const results = await readEach(zones, { ...io, read: ({ id }) => client.legacy.rules(id) });
  const unread = results.flatMap((one) => ("failure" in one ? [{ name: one.zone.name, failure: one.failure }] : []));
  const accounts = new Map(zones.map(({ accountId, accountName }) => [accountId, accountName]));
  let scopes = inventory.scopes;
  const migrations = results.flatMap((one): Migration[] => {
    const found = scopes.find(({ scope }) => scope.id === one.zone.id);
    if ("failure" in one || found === undefined) return [];
    const { rulesets, lists, migration } = migrateZone(
      { ...one.zone, rulesets: found.rulesets, wire: one.value },
      { isDisabled: io.isDisabled },
    );
    scopes = scopes.map((scope) => (scope === found ? { ...found, rulesets } : scope));
    if (lists.length > 0) scopes = withLists(scopes, one.zone.accountId, accounts.get(one.zone.accountId) ?? "", lists);
    return [migration];
  });
  return { inventory: { ...inventory, scopes }, migrations, unread };
}

/** New lists belong to the account of a zone, which may not be part of the program otherwise. */
function withLists(
  scopes: readonly FoundScope[],
  id: string,
  name: string,
  lists: NonNullable<FoundScope["lists"]>,
): readonly FoundScope[] {
  const own = scopes.find(({ scope }) => scope.level === "accounts" && scope.id === id);
  if (own === undefined)
    return [
      ...scopes,
      { scope: { level: "accounts", id }, name: name === "" ? id : name, rulesets: [], hostnames: [], lists },
    ];
  const known = new Set(own.lists?.map((list) => list.name));
  const added = lists.filter((list) => !known.has(list.name));
  return scopes.map((scope) => (scope === own ? { ...own, lists: [...(own.lists ?? []), ...added] } : scope));
}
