import { deletedBeforeText, mayBeDeletedText } from "../../../ownership/rule-messages.js";
import type { RulesetRule } from "../../../../core/model/generated/rule.js";
import { displayFor } from "../../../engine/display.js";
import type { Session } from "../../../engine/session.js";
import { rulesetResourceId } from "../../../../core/model/ids.js";
import { quotedRuleName } from "../../../../core/model/names.js";
import type { DeployedRule } from "../../../../core/model/ruleset.js";
import { isComplete } from "../../../../core/model/unknown.js";
import { conflictError } from "../../../ownership/ruleset-messages.js";
import { interleavingText, joinText, keptRulesText, type JoinSummary } from "../../../ownership/shared-messages.js";
import type { Plan } from "../plan/plan.js";
import type { Desired } from "../desired.js";
import type { OwnRulesComparison } from "../plan/own-rules.js";
import { ownersOf, runRecord } from "../run.js";
import { resultingOrder } from "../../../../core/rules/placing/resulting-order.js";
import type { ParsedState } from "../state.js";
import type { PlannedJoin } from "./join.js";

/** How the program's rules and those of others are interleaved after a plan is applied; undefined without rules of others. */
export function interleavingOf(session: Session, { desired, part, actual }: OwnRulesComparison): string | undefined {
  const rules = resultingOrder(actual.rules, part.ids, part.steps);
  if (rules.every(({ ref }) => ref !== undefined)) return undefined;
  const { __secretPaths: secretPaths = {} } = desired.secrets;
  const nameOf = (ref: string): string => {
    const rule = desired.rules?.rules[ref]?.fields;
    const description = rule === undefined || !isComplete<RulesetRule>(rule) ? undefined : rule.description;
    const isSecret = (secretPaths[ref] ?? []).some(([step]) => step === undefined || step === "description");
    const hides = description === undefined || description === "" || isSecret || session.secrets.contains(description);
    return hides ? ref : quotedRuleName({ description, ref });
  };
  return interleavingText(rules.map(({ ref }) => ({ own: ref === undefined ? undefined : nameOf(ref) })));
}

/** Warns about rules that stay although the resource no longer wants them, because it only took them over. */
export function reportKept(
  session: Session,
  { urn, words }: Desired,
  { state }: ParsedState,
  rules: Iterable<DeployedRule>,
): void {
  const kept = [...rules];
  if (kept.length > 0) session.reporter.warn(urn, keptRulesText(words.subject, kept, displayFor(session, state)));
}

/**
 * Warns in a preview about rules that move here from resources that were checked first, and that may delete them
 * before this one is written or checked.
 */
export function warnOfDeleters(
  session: Session,
  { desired }: Pick<Plan, "desired">,
  rules: Iterable<Pick<DeployedRule, "id" | "ref">>,
  /** Whether the resource changes: then it creates the rule again in the same run. */
  writes = true,
): void {
  const { dropped } = runRecord(session);
  for (const rule of rules) {
    const deleter = dropped.get(rule.id);
    if (deleter !== undefined) session.reporter.warn(desired.urn, mayBeDeletedText(rule, deleter, writes));
  }
}

/**
 * Stops where another resource that had rules of an unchanged one too has deleted them before this one was checked: nothing but a
 * refresh shows that. Call it after they are claimed, so that no later write deletes them.
 */
export async function requireNotDeleted(
  session: Session,
  { target, where, urn }: Pick<Desired, "target" | "where" | "urn">,
  { ruleIds, state }: ParsedState,
): Promise<void> {
  const { deleted } = runRecord(session);
  const owners = ownersOf(session, { target, urn }, state.rulesetId);
  const ofOthers = Object.entries(ruleIds).flatMap(([ref, id]) => {
    const by = owners.ownerOf({ ref, id })?.urn;
    return by === undefined || by === urn ? [] : [{ ref, id, by }];
  });
  if (ofOthers.length === 0) return;
  await session.queue.settled(rulesetResourceId(target.scope, state.rulesetId));
  const gone = ofOthers.filter(({ id }) => deleted.has(id));
  if (gone.length > 0) throw conflictError(deletedBeforeText(where, gone));
}

/** The existing rules that a plan gives other content, and the fields that change. */
function changedBy(comparison: OwnRulesComparison, existing: readonly DeployedRule[]): JoinSummary["changed"] {
  const { steps } = comparison.part;
  const written = new Map(
    steps.flatMap((step) => (step.kind === "change" && step.rule !== undefined ? [[step.id, step.ref]] : [])),
  );
  return existing.flatMap((rule) => {
    const ref = written.get(rule.id);
    const fields = ref === undefined ? [] : comparison.changedFields(ref, rule, false);
    return fields.length === 0 ? [] : [{ rule, fields }];
  });
}

/** Reports what a resource finds in the ruleset that it will share. */
export function reportJoin(session: Session, urn: string, { comparison, join }: PlannedJoin): void {
  const { part, actual } = comparison;
  const mine = new Map([...part.ids].map(([ref, id]) => [id, ref]));
  const kept = actual.rules.filter(({ id }) => mine.has(id));
  const isTaken = ({ id }: DeployedRule): boolean => part.takenOver.has(mine.get(id) ?? "");
  const joined = {
    rulesetId: actual.id,
    version: actual.version,
    others: actual.rules.length - kept.length,
    kept,
    changed: changedBy(comparison, kept),
    taken: kept.filter(isTaken),
    equalRules: join.equalRules.filter(({ id }) => !mine.has(id)),
  };
  const interleaving = interleavingOf(session, comparison);
  const whole = interleaving === undefined ? joinText(joined) : `${joinText(joined)}\n  ${interleaving}`;
  if (joined.taken.length + joined.equalRules.length > 0) session.reporter.warn(urn, whole);
  else session.reporter.info(urn, whole);
}
