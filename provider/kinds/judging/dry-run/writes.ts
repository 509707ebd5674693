import type { Session } from "../../../engine/session.js";
import { NO_FINDINGS, type Findings } from "../../../validation/index.js";
import { isUnknown, NOT_KNOWN } from "../../../../core/model/unknown.js";
import { isKnownTarget, type Desired } from "../../rulesets/desired.js";
import { newResourceOf, planTakeover } from "../../rulesets/takeover.js";
import { contentOver, contentToCreate } from "../../rulesets/plan/content.js";
import { currentRuleset } from "../../rulesets/read.js";
import { dryRuns, stopAtRefusals, type WriteSubject } from "./dry-runs.js";
import { planJoin } from "../../rulesets/plan/own-rules.js";
import type { Creation, PlannedUpdate } from "../../rulesets/judge.js";
import { creationOf, replacementOf, type TriedWrite } from "../../rulesets/write/ruleset-writes.js";
import type { RulesetsClient } from "../../../../client/index.js";
import type { Ruleset } from "../../../../core/model/ruleset.js";
import { requireKnownRule } from "../../../../core/rules/keyed.js";
import type { SharedPart } from "../../rulesets/plan/plan.js";

/** What the service rejects about the write that would create, take over or join a ruleset. */
export async function dryRunCreation(session: Session, desired: Desired, creation: Creation): Promise<Findings> {
  const { isRead } = creation;
  // What a single rule finds is not read again.
  const isPlanned = isRead || desired.words.manages !== "rule";
  if (!isPlanned || !isWholeKnown(session, desired)) return NO_FINDINGS;
  const found = await session.part(dryRuns).run(subjectOf(desired), async () => {
    const planned = isRead
      ? { existing: creation.existing, part: creation.join?.comparison.part }
      : await planCreation(session, desired);
    return firstWrites(session, desired, planned);
  });
  return found;
}

/** Stops a preview if the service rejects the write of a change. */
export async function dryRunPlan(session: Session, { id, plan, compare }: PlannedUpdate): Promise<void> {
  const { desired } = plan;
  const previewed = session.checked.get(desired.urn ?? "")?.preview === true;
  if (!previewed || !(plan.finishes || plan.changes) || !isWholeKnown(session, desired)) return;
  const refused = await session.part(dryRuns).run(subjectOf(desired), async () => {
    const actual = await currentRuleset(session, id, plan.recorded.state);
    if (actual === undefined) return desired.target.entrypoint ? [creation(session, desired)] : [];
    const { rulesets } = session.client;
    const { part, content, isUpToDate } = compare(actual);
    if (part !== undefined) return singleWrites(rulesets, desired, actual, part);
    return isUpToDate ? [] : [replacementOf(rulesets, desired.target, actual, content)];
  });
  stopAtRefusals(session, subjectOf(desired), refused);
}

function subjectOf({ target, urn, words }: Desired): WriteSubject {
  return { target, urn, where: words.subject };
}

/** Whether everything that would be sent is known; reports it if not. */
function isWholeKnown({ reporter }: Session, { target, rules, name, description, urn, words }: Desired): boolean {
  const whole =
    isKnownTarget(target) &&
    rules !== undefined &&
    ![name, description].includes(NOT_KNOWN) &&
    !rules.order.some(isUnknown) &&
    !Object.values(rules.rules).some(({ pending }) => pending);
  if (!whole)
    reporter.info(urn, `${words.subject}: no dry run, because not all of its values are known before the update.`);
  return whole;
}

/** What creating a resource would write, if `check` could not read what exists. */
async function planCreation(session: Session, desired: Desired): Promise<PlannedCreation> {
  const found = await planTakeover(session, newResourceOf(desired));
  if (found?.join === undefined) return { existing: found?.existing, part: undefined };
  const { existing, join } = found;
  return { existing, part: planJoin(desired, existing, join).compareWith(existing).part };
}

/** What exists, and what is to be written to it if it is shared. */
interface PlannedCreation {
  readonly existing: Ruleset | undefined;
  readonly part: SharedPart | undefined;
}

/** The writes that create, take over or join a ruleset; none if nothing needs to be written. */
function firstWrites(session: Session, desired: Desired, { existing, part }: PlannedCreation): readonly TriedWrite[] {
  const { rulesets } = session.client;
  if (existing === undefined) return [creation(session, desired)];
  if (part !== undefined) return singleWrites(rulesets, desired, existing, part);
  const content = contentOver(desired, existing);
  return content === undefined ? [] : [replacementOf(rulesets, desired.target, existing, content)];
}

function creation({ client }: Session, desired: Desired): TriedWrite {
  const write = creationOf(client.rulesets, desired.target, contentToCreate(desired));
  return desired.words.manages !== "rule" ? write : { ...write, rule: { path: [] } };
}

const DRY_RUN = { dryRun: true } as const;

/**
 * The dry runs of the writes to a shared ruleset, in the order of the program: one for each rule that is added or
 * changed. Positions are omitted, since the neighbouring rule may be one that the same run adds. A limit that only all
 * rules together exceed is therefore reported only during the update.
 */
function singleWrites(
  client: RulesetsClient,
  { target: { scope }, words, rules }: Pick<Desired, "target" | "words" | "rules">,
  actual: Ruleset,
  { steps }: SharedPart,
): readonly TriedWrite[] {
  // A deletion, and a move of a rule, are never refused because of a rule's content.
  const writes = new Map(
    steps.flatMap((step) => (step.kind === "delete" || step.rule === undefined ? [] : [[step.ref, step] as const])),
  );
  return (rules?.order ?? []).flatMap((ref, index): TriedWrite[] => {
    const step = writes.get(ref);
    if (step?.rule === undefined) return [];
    const place = words.manages !== "rule" ? { path: ["rules", index], ref } : { path: [] };
    const rule = requireKnownRule(step.rule);
    if (step.kind === "add") {
      const dryRun = () => client.addRule(scope, actual.id, { ...rule, ref: rule.ref ?? ref }, undefined, DRY_RUN);
      return [{ operation: "addRule", rule: place, dryRun }];
    }
    const dryRun = () => client.patchRule(scope, actual.id, step.id, { rule }, DRY_RUN);
    return [{ operation: "patchRule", rule: place, dryRun }];
  });
}
