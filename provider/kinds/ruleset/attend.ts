import { diffRules } from "../../rules/diff.js";
import { removalWarning, summaryLine } from "../../rules/summary.js";
import { isUnknown } from "../../model/unknown.js";
import { findConflict, foreignRules, isConflict, recognise } from "../../ownership/conflict.js";
import {
  conflictError,
  conflictText,
  foreignText,
  occupiedError,
  overwriteText,
  recognisedText,
  twoOwnersText,
} from "../../ownership/messages.js";
import type { Session } from "../../engine/session.js";
import type { Change } from "../../engine/lifecycle.js";
import { hasChange } from "./diff.js";
import { unasked } from "../../engine/request.js";
import {
  isPending,
  keyedRules,
  objectKeys,
  targetOf,
  targetWords,
  type CheckedInputs,
  type RulesetState,
} from "./model.js";
import { currentRuleset } from "./read.js";
import { shownTo } from "../../engine/shown.js";
import { lastSeen, wantedDescription } from "./state.js";

/**
 * What a preview and the run after it say and ask beside the difference itself: one line on what changes, a word on
 * rules of others, and whether the change would undo somebody's work.
 */
export async function attend(
  session: Session,
  id: string,
  olds: RulesetState,
  news: CheckedInputs,
  change: Change,
): Promise<void> {
  const urn = news.__urn ?? "";
  const target = targetOf(news);
  // What is replaced by another object is held no longer; the phase of the new one is.
  const rulesetId = change.kind === "replace" ? undefined : (olds as Partial<RulesetState>).rulesetId;
  const where = targetWords(target, news.name);
  const others = objectKeys(target, rulesetId).map((key) => session.owners.hold(key, urn));
  const checked = session.checked.get(urn);
  if (checked === undefined) return;
  const other = others.find((holder) => holder !== undefined);
  if (other !== undefined) throw occupiedError(twoOwnersText(where, other, urn));
  if (change.kind === "none") {
    const seen = lastSeen(olds);
    const strangers = foreignRules(seen, seen.deployedRules);
    if (strangers.length > 0 && seen.deployedRules.length > 0)
      session.reporter.warn(urn, foreignText(where, strangers, shownTo(session, olds)));
    return;
  }
  const finishes = olds.__incomplete === true;
  if (change.kind === "replace" || isPending(news) || !(finishes || hasChange(olds, news))) return;
  summarise(session, where, olds, news);
  if (!isUnknown(news.description)) await refuseConflict(session, id, olds, news, checked.preview);
}

function summarise(session: Session, where: string, olds: RulesetState, news: CheckedInputs): void {
  const before = keyedRules(olds);
  const rules = diffRules(before, keyedRules(news));
  session.reporter.info(news.__urn, `${where}: ${summaryLine(rules)}`);
  const warning = removalWarning(rules, before.order.length);
  if (warning !== undefined) session.reporter.warn(news.__urn, `${where}: ${warning}`);
}

async function refuseConflict(
  session: Session,
  id: string,
  olds: RulesetState,
  news: CheckedInputs,
  preview: boolean,
): Promise<void> {
  if (session.previewChecks === "off" && preview) return;
  const seen = lastSeen(olds);
  const where = targetWords(targetOf(news), news.name);
  try {
    const actual = await currentRuleset(session, id, olds);
    if (actual === undefined) return;
    const wanted = { ...keyedRules(news), description: wantedDescription(olds, news, actual) };
    const conflict = findConflict(seen, actual, wanted);
    if (!isConflict(conflict)) {
      const known = [...recognise(seen, wanted, actual)];
      if (known.length > 0) session.reporter.info(news.__urn, `${where}: ${recognisedText(known, wanted)}`);
      return;
    }
    const shown = shownTo(session, olds);
    if (session.onConflict(news.onConflict) === "fail")
      throw conflictError(conflictText(where, actual.version, conflict, "change", shown));
    session.reporter.warn(news.__urn, overwriteText(where, actual.version, conflict, "change", shown));
  } catch (error) {
    const request = { session, urn: news.__urn ?? "", preview };
    if (unasked(request, error, `whether somebody else changed ${where}`) !== undefined) throw error;
  }
}
