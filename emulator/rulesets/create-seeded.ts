import type { Owner } from "../call.js";
import { addEach, refusedPointer } from "../seed-item.js";
import type { Store } from "../store/store.js";
import type { RulesetsSeed } from "./seed.js";
import type { RulesetsService } from "./service.js";

/** Creates the rulesets of a seed, with the operations that a client would use. */
export function seedRulesets(seed: RulesetsSeed, store: Store, service: RulesetsService): void {
  addEach(
    "rulesets",
    seed.rulesets,
    ({ zone, account, kind, name, ...content }) => {
      const owner = findOwner(store, zone, account);
      const entry = owner.level === "zones" ? "zone" : "root";
      service.create(owner, { name: name ?? "default", kind: kind ?? entry, ...content });
    },
    refusedPointer,
  );
}

function findOwner(store: Store, zone: string | undefined, account: string | undefined): Owner {
  const wanted = zone ?? account;
  const list = zone === undefined ? store.accounts.in("") : store.zones.in("");
  const found = list.find(({ id, name }) => wanted === undefined || id === wanted || name === wanted);
  if (found === undefined) throw new Error(`there is no ${zone === undefined ? "account" : "zone"} ${String(wanted)}`);
  return { level: zone === undefined ? "accounts" : "zones", id: found.id };
}
