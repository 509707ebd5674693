import { claim, claimParts, claimsOf } from "../../engine/claims.js";
import type { Session } from "../../engine/session.js";
import type { Ownership } from "../../model/options.js";
import { objectKeys, type Desired, type Target } from "./desired.js";
import { Owners } from "./owners.js";
import { RunRecord } from "./run-record.js";

const newRunRecord = (): RunRecord => new RunRecord();

/** What this run does with rules. */
export function runRecord(session: Session): RunRecord {
  return session.part(newRunRecord);
}

/** Records that a resource manages a ruleset, alone or sharing it. Returns another resource that conflicts with it. */
export function claimRuleset(
  session: Session,
  urn: string | undefined,
  keys: readonly string[],
  ownership: Ownership,
): string | undefined {
  return ownership === "shared" ? claimParts(session, urn, keys) : claim(session, urn, keys);
}

/** What the resource that is checked wanted in the last run; undefined if it is new. */
export function lastWanted<Inputs extends object>(
  { session, urn, olds }: { readonly session: Session; readonly urn: string; readonly olds: Inputs | undefined },
  desiredOf: (olds: Inputs) => Desired,
): Desired | undefined {
  if (olds === undefined) return undefined;
  const { wantedBefore } = runRecord(session);
  const known = wantedBefore.get(urn);
  if (known?.from === olds) return known.desired;
  const desired = desiredOf(olds);
  wantedBefore.set(urn, { from: olds, desired });
  return desired;
}

/** Who owns the rules of a ruleset. */
export function ownersOf(session: Session, { target }: { readonly target: Target }, rulesetId: string): Owners {
  return new Owners(objectKeys(target, rulesetId), claimsOf(session), runRecord(session).held);
}
