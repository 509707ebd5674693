import { claim, claimParts } from "../../../engine/claims.js";
import type { Session } from "../../../engine/session.js";
import type { Ownership } from "../../../model/options.js";
import type { DeployedRule } from "../../../model/ruleset.js";
import { ruleKeys, type Desired } from "../desired.js";

/** Notes that a resource addresses a ruleset, alone or beside others. Returns another one that cannot do so beside it. */
export function claimRuleset(
  session: Session,
  urn: string | undefined,
  keys: readonly string[],
  ownership: Ownership,
): string | undefined {
  return ownership === "shared" ? claimParts(session, urn, keys) : claim(session, urn, keys);
}

/** Whether another resource of this run wants a rule, under its ref or its id. */
export function isClaimedElsewhere(
  { owners }: Session,
  { target, urn }: Pick<Desired, "target" | "urn">,
  rulesetId: string,
  { id, ref }: DeployedRule,
): boolean {
  return ruleKeys(target, rulesetId, [id, ref]).some((key) => owners.otherClaimant(key, urn) !== undefined);
}
