import { StoredCertificates } from "./certificates/stored.js";
import type { EmulatorClock } from "./clock.js";
import { HostZones } from "./edge/host-zones.js";
import { EdgeRules } from "./edge/rules.js";
import type { Group } from "./group.js";
import type { Limits } from "./limits.js";
import { ListsService } from "./lists/service.js";
import { MigrationService } from "./previous-waf/migration.js";
import { PreviousWafs } from "./previous-waf/wafs.js";
import { StoredRulesets } from "./rulesets/stored.js";
import type { Store } from "./store/store.js";

/** What groups are built from: the store, and the parts of one group that others use too. */
export interface Parts extends SharedParts {
  readonly store: Store;
  readonly clock: EmulatorClock;
  readonly limits: Limits;
  /** Every group, once all of them are built. */
  readonly groups: readonly Group[];
}

/** The parts of one group that others use too. */
interface SharedParts {
  readonly previousWafs: PreviousWafs;
  readonly migration: MigrationService;
  readonly storedRulesets: StoredRulesets;
  readonly listService: ListsService;
  readonly storedCertificates: StoredCertificates;
  readonly hosts: HostZones;
  readonly deployed: EdgeRules;
}

export function sharedParts(store: Store, clock: EmulatorClock, limits: Limits): SharedParts {
  // The last step of a migration is an update of an entry point, and the migration controls which rules may be in it.
  const previousWafs = new PreviousWafs(store);
  const migration = new MigrationService(store, previousWafs, clock);
  // Rules refer to lists, and a list in use cannot be deleted.
  const storedRulesets = new StoredRulesets(store, limits.versions);
  const listService = new ListsService(store, clock, (account, name) => storedRulesets.naming(account, name).length);
  // For requests to the zones.
  const storedCertificates = new StoredCertificates(store);
  const hosts = new HostZones(store, storedCertificates);
  const deployed = new EdgeRules(store, storedRulesets, listService);
  return { previousWafs, migration, storedRulesets, listService, storedCertificates, hosts, deployed };
}
