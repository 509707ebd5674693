import type { Group } from "./group.js";
import { certificates } from "./certificates/routes.js";
import type { EmulatorClock } from "./clock.js";
import type { Limits } from "./limits.js";
import { MigrationService } from "./previous-waf/migration.js";
import { previousWaf } from "./previous-waf/routes.js";
import { PreviousWafs } from "./previous-waf/wafs.js";
import { rulesets } from "./rulesets/routes.js";
import type { Store } from "./store/store.js";
import { zones } from "./zones/routes.js";

/** Every group of operations. A new one is a folder and a line here. */
export function buildGroups(store: Store, clock: EmulatorClock, { versions }: Limits): readonly Group[] {
  // The last step of a migration is an update of an entry point, and the migration guards what may stand there.
  const wafs = new PreviousWafs(store);
  const migration = new MigrationService(store, wafs, clock);
  return [
    zones(store),
    rulesets({ store, clock, migration, versions }),
    previousWaf({ store, clock, wafs, migration }),
    certificates(store, clock),
  ];
}
