import { accounts } from "./accounts/routes.js";
import { certificates } from "./certificates/routes.js";
import { StoredCertificates } from "./certificates/stored.js";
import type { EmulatorClock } from "./clock.js";
import { dns } from "./dns/routes.js";
import { HostZones } from "./edge/host-zones.js";
import { edge } from "./edge/routes.js";
import { EdgeRules } from "./edge/rules.js";
import type { Group } from "./group.js";
import type { Limits } from "./limits.js";
import { lists } from "./lists/routes.js";
import { ListsService } from "./lists/service.js";
import { MigrationService } from "./previous-waf/migration.js";
import { previousWaf } from "./previous-waf/routes.js";
import { PreviousWafs } from "./previous-waf/wafs.js";
import { rulesets } from "./rulesets/routes.js";
import { StoredRulesets } from "./rulesets/stored.js";
import { settings } from "./settings/routes.js";
import type { Store } from "./store/store.js";
import { tracer } from "./tracer/routes.js";
import { zones } from "./zones/routes.js";

/** All groups of operations. To add one, create a folder and add a line here; if it has a seed, also a line in `seed.ts`. */
export function buildGroups(store: Store, clock: EmulatorClock, limits: Limits): readonly Group[] {
  // The last step of a migration is an update of an entry point, and the migration controls which rules may be in it.
  const wafs = new PreviousWafs(store);
  const migration = new MigrationService(store, wafs, clock);
  // Rules refer to lists, and a list in use cannot be deleted.
  const stored = new StoredRulesets(store, limits.versions);
  const listService = new ListsService(store, clock, (account, name) => stored.naming(account, name).length);
  // For requests to the zones.
  const certificateStore = new StoredCertificates(store);
  const hosts = new HostZones(store, certificateStore);
  const deployed = new EdgeRules(store, stored, listService);
  const groups: Group[] = [];
  groups.push(
    accounts(store),
    zones(store, clock, groups),
    settings(store, clock),
    dns(store, clock),
    lists(store, listService),
    rulesets({ store, clock, migration, stored, lists: listService }),
    previousWaf({ store, clock, wafs, migration }),
    certificates(store, clock, certificateStore),
    edge({ clock, rules: deployed, zones: hosts, limits }),
    tracer({ clock, rules: deployed, zones: hosts }),
  );
  return groups;
}
