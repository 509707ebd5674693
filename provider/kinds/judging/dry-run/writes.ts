import type { Session } from "../../../engine/session.js";
import type { Findings } from "../../../validation/index.js";
import { isUnknown, NOT_KNOWN } from "../../../../core/model/unknown.js";
import { isKnownTarget, type Desired } from "../../rulesets/desired.js";
import { newResourceOf } from "../../rulesets/find.js";
import { planNew, planTakeover } from "../../rulesets/new-resource.js";
import { stepsOf, type Change } from "../../rulesets/plan/change.js";
import { thereFor } from "../../rulesets/run.js";
import { dryRuns, stopAtRefusals, type WriteSubject } from "./dry-runs.js";
import { creationOf, replacementOf, type TriedWrite } from "../../rulesets/write/ruleset-writes.js";
import type { RulesetsClient } from "../../../../client/index.js";
import type { Ruleset } from "../../../../core/model/ruleset.js";
import { requireKnownRule } from "../../../../core/rules/keyed.js";
import type { Step } from "../../../../core/rules/placing/steps.js";

/** What the service rejects about the write that would create, take over or join a ruleset. */
export async function dryRunNew(session: Session, change: Change): Promise<Findings> {
  const { desired, there } = change;
  if (!isWholeKnown(session, desired)) return [];
  return dryRuns(session).run(subjectOf(desired), async () => {
    if (there.isRead) return writesOf(session, change);
    const found = await planTakeover(session, newResourceOf(desired));
    const now = thereFor(session, desired, found?.deployed);
    return writesOf(session, planNew(desired, now, found?.join).change);
  });
}

/** Stops a preview if the service rejects the write of a change. */
export async function dryRunUpdate(session: Session, change: Change): Promise<void> {
  const { desired, there } = change;
  if (!isWholeKnown(session, desired) || !there.isRead) return;
  const refused = await dryRuns(session).run(subjectOf(desired), () => Promise.resolve(writesOf(session, change)));
  stopAtRefusals(session, subjectOf(desired), refused);
}

function subjectOf({ target, urn, words, reach }: Desired): WriteSubject {
  return { target, urn, where: words.subject, reach };
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

/** The requests of a change whose dry run shows whether the service accepts them. */
function writesOf(session: Session, change: Change): readonly TriedWrite[] {
  const { desired, there, requests } = change;
  const { rulesets } = session.client;
  const [first] = requests;
  if (first?.kind === "create") return [creationOf(rulesets, desired.target, first.content)];
  if (there.deployed === undefined) return [];
  if (first?.kind === "replace") return [replacementOf(rulesets, desired.target, there.deployed, first.content)];
  return singleWrites(rulesets, desired, there.deployed, stepsOf(change));
}

const DRY_RUN = { dryRun: true } as const;

/**
 * The dry runs of the writes to a shared ruleset, in the order of the program: one for each rule that is added or
 * changed. Positions are omitted, since the neighbouring rule may be one that the same run adds. A limit that only all
 * rules together exceed is therefore reported only during the update.
 */
function singleWrites(
  client: RulesetsClient,
  { target: { scope }, rules }: Pick<Desired, "target" | "rules">,
  deployed: Ruleset,
  steps: readonly Step[],
): readonly TriedWrite[] {
  // A deletion, and a move of a rule, are never refused because of a rule's content.
  const writes = new Map(
    steps.flatMap((step) => (step.kind === "delete" || step.rule === undefined ? [] : [[step.ref, step] as const])),
  );
  return (rules?.order ?? []).flatMap((ref, index): TriedWrite[] => {
    const step = writes.get(ref);
    if (step?.rule === undefined) return [];
    const rule = requireKnownRule(step.rule);
    if (step.kind === "add") {
      const dryRun = () => client.addRule(scope, deployed.id, { ...rule, ref: rule.ref ?? ref }, undefined, DRY_RUN);
      return [{ operation: "addRule", rule: { index, ref }, dryRun }];
    }
    const dryRun = () => client.patchRule(scope, deployed.id, step.id, { rule }, DRY_RUN);
    return [{ operation: "patchRule", rule: { index, ref }, dryRun }];
  });
}
