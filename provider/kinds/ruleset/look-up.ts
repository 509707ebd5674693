import type { WantedRule } from "../../rules/match.js";
import { hasUnknown, isUnknown } from "../../model/unknown.js";
import type { Failure } from "../../validation/index.js";
import type { CheckRequest } from "./check-request.js";
import { rulesetResourceId } from "../../model/ids.js";
import { twoOwnersText } from "../../ownership/messages.js";
import { unasked } from "../../engine/request.js";
import { isKnownTarget, targetOf, targetWords, type CheckedInputs } from "./model.js";
import { lookForExisting, type Found } from "./occupied.js";

/** What was found, or why it could not be or must not be taken over. */
export interface LookedUp {
  readonly found?: Found;
  readonly failure?: Failure;
}

/** Asks what stands where a new resource is to be, as far as that can and may be asked. */
export async function lookUp(request: CheckRequest, wanted: readonly WantedRule[]): Promise<LookedUp> {
  const { session, olds, args, urn, preview } = request;
  const target = targetOf(args as unknown as CheckedInputs);
  if (olds !== undefined || !isKnownTarget(target)) return {};
  if (session.previewChecks === "off" && preview) return {};
  const name = typeof args.name === "string" && !isUnknown(args.name) ? args.name : undefined;
  const { rulesetId, onExisting, onConflict } = args as Pick<CheckedInputs, "onExisting" | "onConflict"> & {
    readonly rulesetId?: string;
  };
  if ([rulesetId, onExisting, onConflict].some(hasUnknown)) return {};
  try {
    const found = await lookForExisting(session, { target, name, rulesetId, onExisting, onConflict, wanted, urn });
    if (found === undefined && rulesetId !== undefined) {
      const reason = `there is no ruleset ${rulesetId} in ${target.scope.level}/${target.scope.id}`;
      return { failure: { path: ["rulesetId"], reason } };
    }
    if (found === undefined) return {};
    const other = session.owners.hold(rulesetResourceId(target.scope, found.existing.id), urn);
    if (other !== undefined)
      return { failure: { path: [], reason: twoOwnersText(targetWords(target, name), other, urn) } };
    if (found.refusal !== undefined) return { found, failure: { path: [], reason: found.refusal } };
    return { found };
  } catch (error) {
    const what = `whether ${targetWords(target, name)} is free`;
    const failure = unasked(request, error, what);
    return failure === undefined ? {} : { failure };
  }
}
