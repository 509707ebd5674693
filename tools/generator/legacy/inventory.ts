import type { Migration } from "../../../core/legacy/report.js";
import type { FoundScope, Inventory } from "../inventory.js";
import { migrateZone, type LegacyZone } from "./migrate.js";

/** An inventory with the rules that replace previous features, and what was compared in each zone. */
export interface Migrated {
  readonly inventory: Inventory;
  readonly migrations: readonly Migration[];
}

/** Adds the rules that replace the previous features of zones, and the lists that they need. */
export function addMigrations(inventory: Inventory, zones: readonly LegacyZone[], isDisabled: boolean): Migrated {
  let scopes = inventory.scopes;
  const migrations = zones.map((zone) => {
    const found = scopes.find(({ scope }) => scope.id === zone.id);
    const { rulesets, lists, migration } = migrateZone({ ...zone, rulesets: found?.rulesets ?? [] }, { isDisabled });
    const fresh = { scope: { level: "zones", id: zone.id }, name: zone.name, rulesets, hostnames: [] } as const;
    scopes = scopes.map((scope) => (scope === found ? { ...found, rulesets } : scope));
    if (found === undefined && rulesets.length > 0) scopes = [...scopes, fresh];
    if (lists.length > 0) scopes = withLists(scopes, zone, lists);
    return migration;
  });
  return { inventory: { ...inventory, scopes }, migrations };
}

/** New lists belong to the account of a zone, which may not be part of the program otherwise. */
function withLists(
  scopes: readonly FoundScope[],
  { accountId: id, accountName: name }: LegacyZone,
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
