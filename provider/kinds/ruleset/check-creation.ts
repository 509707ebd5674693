import type { CheckRequest } from "../../engine/kind.js";
import type { Session } from "../../engine/session.js";
import type { Ruleset } from "../../model/ruleset.js";
import type { Pending } from "../../model/unknown.js";
import { failure, joinFindings, NO_FINDINGS, type Findings } from "../../validation/index.js";
import type { ExistingCheck } from "./check-existing.js";
import type { RULESET, RulesetInputs } from "./description.js";
import { desiredFrom, type Desired } from "./desired.js";
import type { SharedPart } from "./plan/shared.js";
import { findRecreateConflict } from "./recreate.js";
import { checkJoin } from "./shared/check.js";

/** What a new resource would do with what exists: the dry run reads it too. */
export interface CheckedCreation {
  readonly desired: Desired;
  /** Whether it is known what exists. */
  readonly isRead: boolean;
  readonly existing: Ruleset | undefined;
  /** What it would write to a ruleset that it shares. */
  readonly part: SharedPart | undefined;
}

/** Checks whether a new resource may do that. */
export async function checkCreation(
  request: CheckRequest<typeof RULESET>,
  { isRead, found }: ExistingCheck,
  inputs: Pending<RulesetInputs>,
): Promise<CheckedCreation & { readonly refused: Findings }> {
  const desired = { ...desiredFrom(inputs), urn: request.urn };
  const existing = found?.existing;
  if (existing === undefined) return { desired, isRead, existing, part: undefined, refused: NO_FINDINGS };
  const recreated = await checkRecreated(request.session, desired, existing);
  const { part, refused } = await checkJoin(request, desired, existing, found?.join);
  return { desired, isRead, existing, part, refused: joinFindings([recreated, refused]) };
}

/** A resource that is created again must not undo what somebody has changed since. */
async function checkRecreated(session: Session, desired: Desired, existing: Ruleset): Promise<Findings> {
  const error = await findRecreateConflict(session, desired, existing);
  return error === undefined ? NO_FINDINGS : failure([], error.message);
}
