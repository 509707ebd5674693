import { requireKnownRule } from "../../../rules/keyed.js";
import type { Position } from "../../../client/index.js";
import type { Session } from "../../../engine/session.js";
import type { Ruleset } from "../../../model/ruleset.js";
import { isUnknown } from "../../../model/unknown.js";
import { ruleInWords } from "../../../ownership/rule-messages.js";
import type { Failure } from "../../../validation/index.js";
import { isDryRunOn, dryRuns, stopAtRefusals, type DryRun } from "../write/dry-runs.js";
import type { NamedRule, RuleOp } from "../write/rule-writes.js";
import { firstWrite } from "./create.js";
import { isKnownTarget, type Desired } from "./desired.js";
import { anchorOf, findAnchor } from "../position.js";
import type { Takeover } from "./takeover.js";

const DRY_RUN = { dryRun: true } as const;
/** Paths in errors are arguments of the resource, which are the rule's own fields. */
const ITSELF = { path: [] } as const;

/** What the service rejects about the first write of a rule, if dry runs are on. */
export async function dryRunCreate(
  session: Session,
  desired: Desired,
  found: { readonly ruleset: Ruleset; readonly takeover: Takeover } | undefined,
): Promise<readonly Failure[]> {
  const rules = found?.ruleset.rules ?? [];
  if (!canDryRun(session, desired) || !isAnchored(session, desired, rules)) return [];
  return run(session, desired, () => {
    if (found === undefined) return creationOf(session, desired);
    const { ruleset, takeover } = found;
    const op = takeover.kind === "refused" ? undefined : firstWrite(session, desired, ruleset, takeover);
    return op === undefined ? undefined : dryRunOf(session, desired, ruleset, op);
  });
}

/** Stops a preview if the service rejects the write of a change. */
export async function dryRunChange(
  session: Session,
  desired: Desired,
  { ruleset, op }: { readonly ruleset: Ruleset; readonly op: RuleOp | undefined },
): Promise<void> {
  if (op === undefined || !canDryRun(session, desired) || !isAnchored(session, desired, ruleset.rules)) return;
  stopAtRefusals(session, desired, await run(session, desired, () => dryRunOf(session, desired, ruleset, op)));
}

function run(session: Session, desired: Desired, find: () => DryRun | undefined): Promise<readonly Failure[]> {
  const { target, ref, where, urn } = desired;
  const subject = { target, where: ruleInWords(ref, where), urn };
  return session.part(dryRuns).run(subject, () => Promise.resolve([find() ?? []].flat()));
}

function canDryRun(session: Session, desired: Desired): boolean {
  if (!isDryRunOn(session)) return false;
  const { target, rule, ref } = desired;
  if (isKnownTarget(target) && !rule.pending && !isUnknown(ref)) return true;
  reportSkipped(session, desired, "not all of its values are known before the update");
  return false;
}

/** Whether the rule that the position names exists; one that the same run creates has no ID yet. */
function isAnchored(session: Session, desired: Desired, rules: Ruleset["rules"]): boolean {
  const name = desired.position === undefined ? undefined : anchorOf(desired.position);
  if (name === undefined || findAnchor(rules, name) !== undefined) return true;
  reportSkipped(session, desired, `the rule ${JSON.stringify(name)} next to it does not exist yet`);
  return false;
}

function reportSkipped({ reporter }: Session, { ref, where, urn }: Desired, why: string): void {
  reporter.info(urn, `${ruleInWords(ref, where)}: no dry run, because ${why}.`);
}

/**
 * The dry run of a write of one rule. A move or a delete is never refused because of the rule's content, so it has
 * none.
 */
function dryRunOf({ client }: Session, { target }: Desired, ruleset: Ruleset, op: RuleOp): DryRun | undefined {
  const { rulesets } = client;
  const { scope } = target;
  switch (op.kind) {
    case "add":
      return {
        operation: "addRule",
        rule: ITSELF,
        dryRun: () => rulesets.addRule(scope, ruleset.id, requireKnownRule(op.rule), op.position, DRY_RUN),
      };
    case "change":
      return {
        operation: "patchRule",
        rule: ITSELF,
        dryRun: () => rulesets.patchRule(scope, ruleset.id, op.id, changeOf(op.rule, op.position), DRY_RUN),
      };
    case "move":
    case "delete":
      return undefined;
  }
}

function changeOf(rule: NamedRule, position: Position | undefined) {
  return { rule: requireKnownRule(rule), ...(position === undefined ? {} : { position }) };
}

/** The dry run of the write that creates an entry point with a rule in it. */
function creationOf({ client }: Session, { target, rule, ref }: Desired): DryRun {
  const { scope, phase, kind = "" } = target;
  const ruleset = { name: "default", kind, phase, rules: [{ ...requireKnownRule(rule.fields), ref }] };
  return {
    operation: "create",
    rule: ITSELF,
    dryRun: () => client.rulesets.create(scope, ruleset, DRY_RUN),
  };
}
