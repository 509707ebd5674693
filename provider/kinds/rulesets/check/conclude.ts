import type { Description, InputsOf } from "../../../engine/description.js";
import type { Checked, CheckRequest } from "../../../engine/kind.js";
import { planUp } from "../../../engine/published-plans.js";
import type { Pending } from "../../../model/unknown.js";
import { joinFindings } from "../../../validation/failure.js";
import type { Desired } from "../desired.js";
import type { CheckedResource, Creation, Judges } from "../judge.js";
import { lastWanted, runRecord } from "../ledgers.js";
import { plannedCreation } from "../write/planned-requests.js";

/** The inputs and findings, and for a new resource also what it would do with what exists. */
export interface CheckedRules<D extends Description> extends Checked<D> {
  /** What the program wants, if that is parsed already. */
  readonly desired?: Desired;
  /** Undefined if nothing is created. */
  readonly creation?: Creation;
}

/** A new resource, where it is not known what exists. */
export const NOT_FOUND: Creation = { isRead: false, existing: undefined };

/**
 * What every check of rules ends with, unless they are refused anyway: the plan of a new resource is published, and judges look at
 * what was checked.
 * @param fields the fields of each rule, as far as they are known
 */
export async function concludeCheck<D extends Description>(
  request: CheckRequest<D>,
  { inputs, findings, creation, desired: known }: CheckedRules<D>,
  fields: readonly unknown[],
  desiredOf: (inputs: Pending<InputsOf<D>>) => Desired,
  judges: Judges,
): Promise<Checked<D>> {
  const { session, urn, preview } = request;
  if (findings.failures.length > 0) return { inputs, findings };
  let parsed = known;
  const resource: CheckedResource = {
    request,
    fields,
    creation,
    // Most resources do not change, and nobody looks at them.
    get desired() {
      return (parsed ??= { ...desiredOf(inputs), urn });
    },
    get last() {
      return lastWanted(request, desiredOf);
    },
  };
  if (creation !== undefined && preview)
    planUp(session, urn, plannedCreation(resource.desired, creation, runRecord(session).dropped));
  let found = findings;
  for (const { checked } of judges)
    if (checked !== undefined && found.failures.length === 0) found = joinFindings([found, await checked(resource)]);
  return { inputs, findings: found };
}
