import { deletedBeforeText, mayBeDeletedText } from "../../../ownership/rule-messages.js";
import type { RulesetRule } from "../../../../core/model/generated/rule.js";
import { displayFor } from "../../../engine/display.js";
import type { Session } from "../../../engine/session.js";
import { rulesetResourceId } from "../../../../core/model/ids.js";
import { quotedRuleName } from "../../../../core/model/names.js";
import type { DeployedRule } from "../../../../core/model/ruleset.js";
import type { Join } from "../../../ownership/join.js";
import { isComplete } from "../../../../core/model/unknown.js";
import { conflictError } from "../../../ownership/ruleset-messages.js";
import { interleavingText, joinText, keptRulesText, type JoinSummary } from "../../../ownership/shared-messages.js";
import type { Desired } from "../desired.js";
import type { Change } from "../plan/change.js";
import { changedFieldsOf } from "../plan/identity.js";
import { orderAfter } from "../plan/rules.js";
import { ownersOf, runRecord } from "../run.js";
import type { ParsedState } from "../state.js";

/** How the program's rules and those of others are interleaved after a plan is applied; undefined without rules of others. */
export function interleavingOf(session: Session, change: Change): string | undefined {
  const { desired } = change;
  const rules = orderAfter(change);
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
  desired: Desired,
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

/** The existing rules that a change gives other content, and the fields that change. */
function changedBy({ desired, requests }: Change, existing: readonly DeployedRule[]): JoinSummary["changed"] {
  const written = new Map(
    requests.flatMap((one) => (one.kind === "change" && one.rule !== undefined ? [[one.id, one.ref]] : [])),
  );
  return existing.flatMap((rule) => {
    const ref = written.get(rule.id);
    const fields = ref === undefined ? [] : changedFieldsOf(desired, ref, rule, false);
    return fields.length === 0 ? [] : [{ rule, fields }];
  });
}

/** Reports what a resource finds in the ruleset that it will share. */
export function reportJoin(session: Session, urn: string, change: Change, join: Join): void {
  const { there, notes } = change;
  const { ids = new Map<string, string>(), takenOver } = notes.own ?? {};
  const { id = "", version = "", rules = [] } = there.deployed ?? {};
  const mine = new Map([...ids].map(([ref, ruleId]) => [ruleId, ref]));
  const kept = rules.filter((rule) => mine.has(rule.id));
  const joined = {
    rulesetId: id,
    version,
    others: rules.length - kept.length,
    kept,
    changed: changedBy(change, kept),
    taken: kept.filter((rule) => takenOver?.has(mine.get(rule.id) ?? "") === true),
    equalRules: join.equalRules.filter((rule) => !mine.has(rule.id)),
  };
  const interleaving = interleavingOf(session, change);
  const whole = interleaving === undefined ? joinText(joined) : `${joinText(joined)}\n  ${interleaving}`;
  if (joined.taken.length + joined.equalRules.length > 0) session.reporter.warn(urn, whole);
  else session.reporter.info(urn, whole);
}
