import type { Checked, CheckRequest } from "../../engine/kind.js";
import type { Change } from "../../engine/lifecycle.js";
import type { Session } from "../../engine/session.js";
import { RulesetsError } from "../../model/errors.js";
import { hasUnknown, NOT_KNOWN, type Pending } from "../../model/unknown.js";
import { failureText, type Failure, type Findings } from "../../validation/index.js";
import type { RULESET, RulesetInputs, RulesetState } from "./description.js";
import { desiredFrom, isKnownTarget, type Desired } from "./desired.js";
import { lookForExisting, newcomerOf } from "./occupied.js";
import { contentFrom, holdsMeaning, wantedDescription } from "./plan/content.js";
import { planFor } from "./plans.js";
import { currentRuleset } from "./read.js";
import { Rehearsals } from "./rehearsals.js";
import { creationOf, replacementOf, type WholeWrite } from "./whole-write.js";

const rehearsals = (session: Session): Rehearsals => new Rehearsals(session);

/**
 * What `check` found, and what the service has against the write that would create the ruleset or take one over, where
 * the preview asks for a dry run.
 */
export async function withDryRun(
  request: CheckRequest<typeof RULESET>,
  checked: Checked<typeof RULESET>,
): Promise<Checked<typeof RULESET>> {
  const { session, urn, olds, preview } = request;
  const { inputs, findings } = checked;
  if (!preview || olds !== undefined || findings.failures.length > 0 || !isOn(session)) return checked;
  const desired = { ...desiredFrom(inputs), urn };
  if (!isWholeKnown(session, desired)) return checked;
  const refused = await session.part(rehearsals).run(desired, () => firstWrite(session, desired));
  return { inputs, findings: joined(session, findings, refused) };
}

/** Ends a preview at what the service has against the write of a change. */
export async function rehearseChange(
  session: Session,
  id: string,
  {
    olds,
    news,
    change,
  }: { readonly olds: RulesetState; readonly news: Pending<RulesetInputs>; readonly change: Change },
): Promise<void> {
  const plan = planFor(session, olds, news);
  const { desired } = plan;
  const previewed = session.checked.get(desired.urn ?? "")?.preview === true;
  if (!previewed || !isOn(session) || change.kind !== "update" || !(plan.finishes || plan.changes)) return;
  if (!isWholeKnown(session, desired)) return;
  if (plan.shared) {
    tellRuleByRule(session, desired);
    return;
  }
  const refused = await session.part(rehearsals).run(desired, async () => {
    const actual = await currentRuleset(session, id, olds);
    if (actual === undefined) return desired.target.entrypoint ? creation(session, desired) : undefined;
    const { content, holds } = plan.against(actual);
    return holds ? undefined : replacementOf(session.client.rulesets, desired.target, actual, content);
  });
  if (refused.length === 0) return;
  const lines = refused.map(failureText);
  if (session.dryRun === "warn") {
    for (const line of lines) session.reporter.warn(desired.urn, line);
    return;
  }
  throw new RulesetsError(
    [`${desired.where}: the service refuses the change. Nothing was written.`, ...lines].join("\n"),
    {
      code: "API_INVALID",
    },
  );
}

function isOn({ dryRun, previewChecks }: Session): boolean {
  return dryRun !== "off" && previewChecks !== "off";
}

/** Whether everything is known that would be sent; says so where it is not. */
function isWholeKnown({ reporter }: Session, { target, rules, name, description, urn, where }: Desired): boolean {
  const whole =
    isKnownTarget(target) &&
    rules !== undefined &&
    ![name, description].includes(NOT_KNOWN) &&
    !Object.values(rules.rules).some(hasUnknown);
  if (!whole) reporter.info(urn, `${where}: no dry run, since not all of its values are known before the update.`);
  return whole;
}

/** The write of a ruleset that is created, or of one that is taken over; undefined where none is needed. */
async function firstWrite(session: Session, desired: Desired): Promise<WholeWrite | undefined> {
  const found = await lookForExisting(session, newcomerOf(desired));
  if (found === undefined) return creation(session, desired);
  const { existing } = found;
  if (desired.policy.ownership === "shared") {
    tellRuleByRule(session, desired);
    return undefined;
  }
  const content = contentFrom(desired, wantedDescription(undefined, desired, existing));
  return holdsMeaning(existing, content, desired.target)
    ? undefined
    : replacementOf(session.client.rulesets, desired.target, existing, content);
}

/** A rule that is to stand behind one that is not there yet cannot be rehearsed. */
function tellRuleByRule({ reporter }: Session, { urn, where }: Desired): void {
  reporter.info(urn, `${where}: no dry run, since a shared ruleset is written rule by rule.`);
}

function creation({ client }: Session, desired: Desired): WholeWrite {
  const description = typeof desired.description === "string" ? desired.description : "";
  return creationOf(client.rulesets, desired.target, contentFrom(desired, description));
}

function joined({ dryRun }: Session, { failures, warnings }: Findings, refused: readonly Failure[]): Findings {
  return dryRun === "warn"
    ? { failures, warnings: [...warnings, ...refused] }
    : { failures: [...failures, ...refused], warnings };
}
