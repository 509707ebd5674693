import { createRequire } from "node:module";
import type { Description, InputsOf } from "../../../engine/description.js";
import type { Checked, CheckRequest } from "../../../engine/kind.js";
import { planUp } from "../../../engine/published-plans.js";
import { isObject } from "../../../model/json.js";
import type { Pending } from "../../../model/unknown.js";
import { joinFindings, type Findings } from "../../../validation/failure.js";
import type { Desired } from "../desired.js";
import { runRecord } from "../ledgers.js";
import { lastWanted } from "../plans.js";
import { isDryRunOn, withRefusals } from "../write/dry-runs.js";
import { plannedCreation, type Creation } from "../write/planned-requests.js";

const load = createRequire(__filename);
/** Only for programs that ask for it, or whose rules need it. */
const loadInvariants = () =>
  load("../../judging/invariants/check.js") as typeof import("../../judging/invariants/check.js");
const loadManaged = () => load("../../judging/managed/check.js") as typeof import("../../judging/managed/check.js");
const loadDryRun = () => load("./dry-run.js") as typeof import("./dry-run.js");

/** The inputs and findings, and for a new resource also what it would do with what exists. */
export interface CheckedRules<D extends Description> extends Checked<D> {
  /** What the program wants, if that is parsed already. */
  readonly desired?: Desired;
  /** Undefined if nothing is to be created. */
  readonly creation?: Creation;
}

/** A new resource, where it is not known what exists. */
export const NOT_FOUND: Creation = { isRead: false, existing: undefined, part: undefined };

/**
 * What every check of rules ends with, unless they are refused anyway: the plan of a new resource, its dry run, what Cloudflare's
 * releases of managed rules mean, and invariants.
 * @param fields the fields of each rule, as far as they are known
 */
export async function concludeCheck<D extends Description>(
  request: CheckRequest<D>,
  { inputs, findings, creation, desired: known }: CheckedRules<D>,
  fields: readonly unknown[],
  desiredOf: (inputs: Pending<InputsOf<D>>) => Desired,
): Promise<Checked<D>> {
  const { session, urn, preview } = request;
  if (findings.failures.length > 0) return { inputs, findings };
  let parsed = known;
  const desired = (): Desired => (parsed ??= { ...desiredOf(inputs), urn });
  const last = (): Desired | undefined => lastWanted(request, desiredOf);
  let found = findings;
  const add = async (check: () => Promise<Findings>): Promise<void> => {
    if (found.failures.length === 0) found = joinFindings([found, await check()]);
  };
  if (creation !== undefined && preview) {
    planUp(session, urn, plannedCreation(desired(), creation, runRecord(session).dropped));
    if (isDryRunOn(session))
      found = withRefusals(session, found, await loadDryRun().dryRunCreation(session, desired(), creation));
  }
  if (mayUseManagedRules(fields))
    await add(() => loadManaged().checkManagedRules({ request, desired: desired(), last: last() }));
  if (session.invariants.length > 0)
    await add(() => loadInvariants().checkInvariants({ request, desired: desired(), last: last() }));
  return { inputs, findings: found };
}

/** Whether any rule executes a ruleset or skips single rules of one, so that what Cloudflare releases may concern it. */
function mayUseManagedRules(rules: readonly unknown[]): boolean {
  return rules.some((fields) => {
    if (!isObject(fields)) return false;
    const { action, actionParameters } = fields;
    return (
      action === "execute" || (action === "skip" && isObject(actionParameters) && isObject(actionParameters.rules))
    );
  });
}
