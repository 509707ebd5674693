import type { ListIn } from "../../engine/listing.js";
import { migrationResourceId } from "../../model/ids.js";
import { phaseOf } from "../../previous-waf/phase.js";

/** The migration of a zone, if it has begun and is not finished. */
export const listMigrations: ListIn = async function* ({ client }, { id: zoneId, name }) {
  const phase = phaseOf(await client.wafMigration.status(zoneId));
  if (phase === "validation" || phase === "finishing") yield { id: migrationResourceId(zoneId), name };
};
