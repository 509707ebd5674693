import type { Group } from "./call.js";
import { certificates } from "./certificates/routes.js";
import type { EmulatorClock } from "./clock.js";
import { MigrationService } from "./previous-waf/migration.js";
import { previousWaf } from "./previous-waf/routes.js";
import { rulesets } from "./rulesets/routes.js";
import type { Store } from "./store.js";
import { zones } from "./zones/routes.js";

/** Every group of operations. A new one is a folder and a line here. */
export function buildGroups(store: Store, clock: EmulatorClock): readonly Group[] {
  // The last step of a migration is an update of an entry point, and the migration guards what may stand there.
  const migration = new MigrationService(store, clock);
  return [
    zones(store),
    rulesets(store, clock, migration),
    previousWaf(store, clock, migration),
    certificates(store, clock),
  ];
}
