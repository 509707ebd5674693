import { claim, claimParts, otherManagerOf } from "../../../engine/claims.js";
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

/** By rule ID, the resources of this run that delete a rule, unless another one claims it before that. */
const leaving = (): Map<string, string> => new Map();

/** Records the rules that a resource no longer contains. */
export function noteLeaving(session: Session, urn: string | undefined, rules: readonly DeployedRule[]): void {
  for (const { id } of rules) session.part(leaving).set(id, urn ?? "");
}

/** The resource of this run that may delete a rule before its new owner is written. */
export function deleterOf(session: Session, { id }: Pick<DeployedRule, "id">): string | undefined {
  return session.part(leaving).get(id);
}

/** Another resource of this run that claims a rule, by its ref or its ID. */
export function otherOwnerOf(
  session: Session,
  { target, urn }: Pick<Desired, "target" | "urn">,
  rulesetId: string,
  { id, ref }: Pick<DeployedRule, "id" | "ref">,
): string | undefined {
  return otherManagerOf(session, urn, ruleKeys(target, rulesetId, [id, ref]), { parts: false });
}
