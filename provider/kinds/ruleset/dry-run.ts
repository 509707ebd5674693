import type { Checked, CheckRequest } from "../../engine/kind.js";
import type { Change } from "../../engine/lifecycle.js";
import type { Session } from "../../engine/session.js";
import { NOT_KNOWN, type Pending } from "../../model/unknown.js";
import type { CheckedRuleset } from "./check.js";
import type { CheckedCreation } from "./check-creation.js";
import type { RULESET, RulesetInputs, RulesetState } from "./description.js";
import { desiredFrom, isKnownTarget, type Desired } from "./desired.js";
import { newResourceOf } from "./find-existing.js";
import { contentOver, contentToCreate } from "./plan/content.js";
import { planFor } from "./plans.js";
import { currentRuleset } from "./read.js";
import { isDryRunOn, dryRuns, stopAtRefusals, withRefusals, type DryRun } from "./dry-runs.js";
import { singleWrites } from "./shared/dry-run.js";
import { planJoin } from "./shared/join.js";
import { compareWithMoves } from "./shared/moves.js";
import { planTakeover } from "./takeover-plan.js";
import { creationOf, replacementOf, type WholeWrite } from "./whole-write.js";

/**
 * Adds to the findings of `check` what the service rejects about the write that would create or take over the ruleset,
 * if dry runs are on.
 */
export async function withDryRun(
  request: CheckRequest<typeof RULESET>,
  checked: CheckedRuleset,
): Promise<Checked<typeof RULESET>> {
  const { session, urn, olds, preview } = request;
  const { inputs, findings, creation } = checked;
  if (!preview || olds !== undefined || findings.failures.length > 0 || !isDryRunOn(session)) return checked;
  const desired = creation?.desired ?? { ...desiredFrom(inputs), urn };
  if (!isWholeKnown(session, desired)) return checked;
  const refused = await session.part(dryRuns).run(desired, async () => {
    const planned = creation?.isRead === true ? creation : await planCreation(session, desired);
    return firstWrites(session, desired, planned);
  });
  return { inputs, findings: withRefusals(session, findings, refused) };
}

/** Stops a preview if the service rejects the write of a change. */
export async function dryRunChange(
  session: Session,
  id: string,
  {
    olds,
    news,
    change,
  }: { readonly olds: RulesetState; readonly news: Pending<RulesetInputs>; readonly change: Change },
): Promise<void> {
  if (change.kind !== "update" || !isDryRunOn(session)) return;
  const plan = planFor(session, olds, news);
  const { desired } = plan;
  const previewed = session.checked.get(desired.urn ?? "")?.preview === true;
  if (!previewed || !(plan.finishes || plan.changes) || !isWholeKnown(session, desired)) return;
  const refused = await session.part(dryRuns).run(desired, async () => {
    const actual = await currentRuleset(session, id, olds);
    if (actual === undefined) return desired.target.entrypoint ? [creation(session, desired)] : [];
    const { content, isUpToDate, shared } = await compareWithMoves(session, plan, actual);
    const { rulesets } = session.client;
    if (shared !== undefined) return singleWrites(rulesets, desired.target, actual, shared);
    return isUpToDate ? [] : [replacementOf(rulesets, desired.target, actual, content)];
  });
  stopAtRefusals(session, desired, refused);
}

/** Whether everything that would be sent is known; reports it if not. */
function isWholeKnown({ reporter }: Session, { target, rules, name, description, urn, where }: Desired): boolean {
  const whole =
    isKnownTarget(target) &&
    rules !== undefined &&
    ![name, description].includes(NOT_KNOWN) &&
    !Object.values(rules.rules).some(({ pending }) => pending);
  if (!whole) reporter.info(urn, `${where}: no dry run, because not all of its values are known before the update.`);
  return whole;
}

/** What creating a resource would write, if `check` could not read what exists. */
async function planCreation(session: Session, desired: Desired): Promise<PlannedCreation> {
  const found = await planTakeover(session, newResourceOf(desired));
  if (found?.join === undefined) return { existing: found?.existing, part: undefined };
  const { existing, join } = found;
  return { existing, part: planJoin(desired, existing, join).compareWith(existing).shared };
}

type PlannedCreation = Pick<CheckedCreation, "existing" | "part">;

/** The writes that create, take over or join a ruleset; none if nothing needs to be written. */
function firstWrites(session: Session, desired: Desired, { existing, part }: PlannedCreation): readonly DryRun[] {
  const { rulesets } = session.client;
  if (existing === undefined) return [creation(session, desired)];
  if (part !== undefined) return singleWrites(rulesets, desired.target, existing, part);
  const content = contentOver(desired, existing);
  return content === undefined ? [] : [replacementOf(rulesets, desired.target, existing, content)];
}

function creation({ client }: Session, desired: Desired): WholeWrite {
  return creationOf(client.rulesets, desired.target, contentToCreate(desired));
}
