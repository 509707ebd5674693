import type { Session } from "../../../engine/session.js";
import type { DeployedRule } from "../../../model/ruleset.js";
import { anchorMissingText, positionImpossibleText } from "../../../ownership/rule-messages.js";
import { occupiedError } from "../../../ownership/ruleset-messages.js";
import { failure, NO_FINDINGS, type Findings } from "../../../validation/index.js";
import type { Desired } from "../desired.js";
import { programLedger } from "../ledgers.js";
import type { Unplaced } from "../plan/plan.js";
import { anchorOf } from "../../../rules/placing/position.js";

/* Rules that cannot be where the program wants them. */

/** What is at the service. */
interface Existing {
  readonly id: string;
  readonly rules: readonly Pick<DeployedRule, "ref">[];
}

/** Stops a write. */
export function unplacedError(desired: Desired, unplaced: Unplaced, rules: Existing["rules"]): Error {
  const path = pathOf(desired, unplaced);
  return occupiedError(`${path.join(".")}: ${unplacedText(desired, unplaced, rules)}.`);
}

/** The same as a finding of `check`. */
export function checkPlaced(
  session: Session,
  desired: Desired,
  unplaced: Unplaced | undefined,
  existing: Existing,
): Findings {
  return unplaced === undefined || isExpected(session, desired, unplaced, existing)
    ? NO_FINDINGS
    : failure(
        [...pathOf(desired, unplaced), ...sideOf(desired, unplaced)],
        unplacedText(desired, unplaced, existing.rules),
      );
}

/** Stops a change, unless another resource of the program is to create what a position names. */
export function requirePlaced(
  session: Session,
  desired: Desired,
  unplaced: Unplaced | undefined,
  existing: Existing,
): void {
  if (unplaced !== undefined && !isExpected(session, desired, unplaced, existing))
    throw unplacedError(desired, unplaced, existing.rules);
}

function isExpected(session: Session, desired: Desired, unplaced: Unplaced, { id }: Existing): boolean {
  if (unplaced.kind === "impossible") return false;
  const name = anchorOf(unplaced.position) ?? "";
  return programLedger(session, desired, id).otherOwnerOf({ id: name, ref: name }, desired) !== undefined;
}

/** The argument that is wrong. */
function pathOf({ words }: Desired, { ref }: Unplaced): readonly string[] {
  return words.declaredIn === "list" ? ["positions", ref] : ["position"];
}

function sideOf({ words }: Desired, unplaced: Unplaced): readonly string[] {
  return unplaced.kind === "unanchored" && words.declaredIn === "arguments" ? Object.keys(unplaced.position) : [];
}

function unplacedText({ where, words }: Desired, unplaced: Unplaced, rules: Existing["rules"]): string {
  return unplaced.kind === "impossible"
    ? positionImpossibleText(where, unplaced)
    : anchorMissingText(where, anchorOf(unplaced.position) ?? "", rules, words.declaredIn === "list");
}
