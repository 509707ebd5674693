import { claim, claimParts } from "../../../engine/claims.js";
import type { Session } from "../../../engine/session.js";
import type { Ownership } from "../../../model/options.js";
import type { DeployedRule } from "../../../model/ruleset.js";
import { ruleKeys, type Desired } from "../desired.js";

/** Records that a resource manages a ruleset, alone or sharing it. Returns another resource that conflicts with it. */
export function claimRuleset(
  session: Session,
  urn: string | undefined,
  keys: readonly string[],
  ownership: Ownership,
): string | undefined {
  return ownership === "shared" ? claimParts(session, urn, keys) : claim(session, urn, keys);
}

/** Whether another resource of this run claims a rule, by its ref or its ID. */
export function isClaimedElsewhere(
  { owners }: Session,
  { target, urn }: Pick<Desired, "target" | "urn">,
  rulesetId: string,
  { id, ref }: DeployedRule,
): boolean {
  return ruleKeys(target, rulesetId, [id, ref]).some((key) => owners.otherClaimant(key, urn) !== undefined);
}
