import type { Migration } from "../../../core/legacy/report.js";
import type { FoundRuleset, FoundScope, Inventory } from "../inventory.js";
import { migrateZone } from "./migrate.js";
import type { LegacyZone } from "./zone.js";

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
    const there = scopes.find(({ scope }) => scope.level === "accounts" && scope.id === zone.accountId);
    // What the service has of an account is not known unless it was read; a state is taken at its word.
    const account = there ?? (inventory.isServices === true || zone.accountId === "" ? undefined : { rulesets: [] });
    const all = { ...zone, rulesets: found?.rulesets ?? [], account };
    const { rulesets, lists, migration, redirects } = migrateZone(all, { isDisabled });
    const fresh = { scope: { level: "zones", id: zone.id }, name: zone.name, rulesets, hostnames: [] } as const;
    scopes = scopes.map((scope) => (scope === found ? { ...found, rulesets } : scope));
    if (found === undefined && rulesets.length > 0) scopes = [...scopes, fresh];
    const added = redirects === undefined ? lists : [...lists, redirects.list];
    if (added.length > 0) scopes = withLists(scopes, zone, added);
    if (redirects !== undefined) scopes = withRuleset(scopes, zone, redirects.ruleset);
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

function withRuleset(scopes: readonly FoundScope[], { accountId }: LegacyZone, ruleset: FoundRuleset): FoundScope[] {
  return scopes.map((scope) => {
    if (scope.scope.level !== "accounts" || scope.scope.id !== accountId) return scope;
    const others = scope.rulesets.filter(({ phase, kind }) => phase !== ruleset.phase || kind !== "root");
    return { ...scope, rulesets: [...others, ruleset] };
  });
}
