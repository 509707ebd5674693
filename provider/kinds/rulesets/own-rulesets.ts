import { RulesetsError } from "../../../core/model/errors.js";
import type { Scope } from "../../../core/model/ids.js";
import type { RulesetSummary } from "../../../core/model/ruleset.js";
import type { Session } from "../../engine/session.js";

type Rulesets = readonly RulesetSummary[];

/** Without the custom rulesets of its account, which a zone lists together with its own. Only custom rulesets need a request. */
async function withoutRulesetsOf(session: Session, accountId: string, rulesets: Rulesets): Promise<Rulesets> {
  if (rulesets.every(({ kind }) => kind !== "custom")) return rulesets;
  const ofAccount = await session.reads.listOfRun({ level: "accounts", id: accountId });
  const ids = new Set(ofAccount.map(({ id }) => id));
  return rulesets.filter(({ id }) => !ids.has(id));
}

/** Without the custom rulesets of the account, which is not known yet; all of them, where credentials may read the zone alone. */
export async function ownRulesets(session: Session, { level, id }: Scope, rulesets: Rulesets): Promise<Rulesets> {
  if (level === "accounts" || rulesets.every(({ kind }) => kind !== "custom")) return rulesets;
  const zone = await session.zones.find(id);
  if (zone === undefined) return rulesets;
  try {
    return await withoutRulesetsOf(session, zone.accountId, rulesets);
  } catch (error) {
    if (error instanceof RulesetsError) return rulesets;
    throw error;
  }
}
