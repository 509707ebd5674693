import type { Call } from "../call.js";
import { ownersOf } from "../edge/rules.js";
import { refuse } from "../failure.js";
import type { GroupDefinition } from "../group-definition.js";
import type { ListsService } from "../lists/service.js";
import type { StoredRulesets } from "../rulesets/stored.js";
import type { Ruleset } from "../rulesets/model.js";
import { noSeed } from "../seed-part.js";
import type { Store } from "../store/store.js";
import type { Zone } from "../zones/model.js";

/** What the page of the emulator shows of zones. It asks the controls, so that the log has only requests of others. */
export const page: GroupDefinition = {
  seed: noSeed,
  build: ({ store, storedRulesets, listService }) => {
    const zoneOf = ({ params }: Call): Zone => {
      const zone = store.zones.get("", params.zone ?? "");
      if (zone === undefined) throw refuse(404, undefined, `there is no zone ${params.zone ?? ""}`);
      return zone;
    };
    return {
      routes: [],
      controls: [
        ["GET", "/zones", () => zonesOf(store, storedRulesets, listService)],
        ["GET", "/zones/:zone/rulesets", (call) => rulesetsOf(zoneOf(call), storedRulesets)],
        ["GET", "/zones/:zone/lists", (call) => listsOf(zoneOf(call), storedRulesets, listService)],
      ],
    };
  },
};

/** The zones, each with a text that changes with its rules and the lists of its account. */
function zonesOf({ zones }: Store, stored: StoredRulesets, lists: ListsService): readonly object[] {
  const all = zones.in("");
  const states = new Map(Array.from(new Set(all.map(({ account }) => account.id)), (id) => [id, lists.state(id)]));
  return all.map((zone) => summaryOf(zone, stored, states.get(zone.account.id) ?? ""));
}

function summaryOf(zone: Zone, stored: StoredRulesets, lists: string): object {
  const { id, name, plan, account } = zone;
  const rulesets = ownersOf(zone).flatMap((owner) => stored.in(owner));
  const state = [...rulesets.map((ruleset) => `${ruleset.id}:${ruleset.version}`), lists].join();
  return { id, name, plan, account: account.name, rulesets: rulesets.length, state };
}

/** The lists that rules of a zone name, with their items as expressions see them; those of redirects as the API has them. */
function listsOf(zone: Zone, stored: StoredRulesets, lists: ListsService): readonly object[] {
  const { id: account } = zone.account;
  const rules = ownersOf(zone).flatMap((owner) => stored.in(owner).map((ruleset) => stored.newest(ruleset).rules));
  const words = new Set(JSON.stringify(rules).split(/[^A-Za-z0-9_]/));
  return lists
    .list(account)
    .map(({ name }) => String(name))
    .filter((name) => words.has(name))
    .map((name) => ({ name, items: lists.values(account, name), redirects: lists.redirects(account, name) }));
}

/** The rulesets that may run for requests to a zone, the account's first, each with its versions, the newest first. */
function rulesetsOf(zone: Zone, stored: StoredRulesets): readonly object[] {
  return ownersOf(zone).flatMap((owner) =>
    stored
      .in(owner)
      .map((ruleset) => ({ level: owner.level === "zones" ? "zone" : "account", ...shown(ruleset, stored) })),
  );
}

function shown(ruleset: Ruleset, stored: StoredRulesets): object {
  const { id, name, kind, phase, version } = ruleset;
  return { id, name, kind, phase, version, versions: stored.versionsOf(ruleset).toReversed() };
}
