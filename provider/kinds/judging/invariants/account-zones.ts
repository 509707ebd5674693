import { appliesTo } from "../../../../invariants/applies.js";
import type { Session } from "../../../engine/session.js";
import type { Scope } from "../../../model/ids.js";
import { planOf } from "./deployed.js";
import { invariantsOfRun } from "./run.js";

/** The most zones of an account that a run judges: each of them needs a request for its list of rulesets. */
const MOST = 200;

/** The zones in which rules of a zone or an account matter, or why they are not judged. */
type ZonesOfRules = { readonly ids: readonly string[] } | { readonly notJudged: string };

/** The zone itself, or those of the account to which an invariant applies. */
export async function zonesOfRules(session: Session, scope: Scope): Promise<ZonesOfRules> {
  if (scope.level === "zones") return { ids: [scope.id] };
  const { invariants } = session.part(invariantsOfRun);
  const all = await session.zones.ofAccount(scope.id);
  if (all.length === 0)
    return {
      notJudged:
        `invariants are not judged, because the service lists no zone of the account ${scope.id}: there is none, or the credentials ` +
        "may not read any. To continue: use credentials that see its zones, or set `rulesets:invariantsUnknown: warn` as long as it " +
        "has none, which makes this a warning",
    };
  const found = all.filter((zone) => {
    const { id, name } = zone;
    return invariants.some((one) => appliesTo(one.zones, { id, name, plan: planOf(zone) }) !== false);
  });
  if (found.length <= MOST) return { ids: found.map(({ id }) => id) };
  return {
    notJudged:
      `invariants are about ${String(found.length)} zones of the account, and a run judges at most ${String(MOST)}; ` +
      "`rules prove --all-zones` judges all of them",
  };
}
