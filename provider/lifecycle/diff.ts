import { diffRules, isEmptyDiff } from "../diff/rules.js";
import { removalWarning, summaryLine } from "../diff/summary.js";
import { hasUnknown, isUnknown } from "../model/unknown.js";
import { conflictError, conflictText, foreignText } from "../ownership/messages.js";
import { findConflict, foreignRules, isConflict, recognise } from "../ownership/conflict.js";
import type { Session } from "../session/session.js";
import { isOutOfReach } from "./check.js";
import {
  isPending,
  keyedRules,
  objectKeys,
  targetOf,
  targetWords,
  type CheckedInputs,
  type ResourceKind,
  type RulesetState,
} from "./model.js";
import { addressOf } from "./read.js";
import { lastSeen, wantedDescription } from "./state.js";

/** What must happen to a resource. */
export interface Change {
  readonly kind: "none" | "update" | "replace";
  /** Properties that force the replacement. */
  readonly replaces: readonly string[];
  /** Whether old and new inputs tell the whole difference, so that the engine can show it field by field. */
  readonly shownByInputs: boolean;
}

/** Compares a state with what the program wants. Pure and offline: the engine also calls it after a refresh. */
export function diff(kind: ResourceKind, olds: RulesetState, news: CheckedInputs): Change {
  const replaces = replacing(kind, olds, news);
  if (replaces.length > 0) return { kind: "replace", replaces, shownByInputs: true };
  const changed = olds.__incomplete === true || hasChange(olds, news) || onDeleteOf(olds) !== onDeleteOf(news);
  return { kind: changed ? "update" : "none", replaces: [], shownByInputs: olds.__incomplete !== true };
}

function replacing(kind: ResourceKind, olds: RulesetState, news: CheckedInputs): string[] {
  const names = ["zoneId", "accountId", "phase", ...(kind === "Ruleset" ? ["kind"] : [])] as const;
  const custom = news.kind === "custom" && olds.name !== news.name ? ["name"] : [];
  return [
    ...names.filter((name) => (olds[name as "phase"] as string | undefined) !== news[name as "phase"]),
    ...custom,
  ];
}

function onDeleteOf(inputs: CheckedInputs): string {
  return inputs.onDelete ?? (targetOf(inputs).entrypoint ? "empty" : "delete");
}

/** Whether anything that the service holds differs. */
export function hasChange(olds: RulesetState, news: CheckedInputs): boolean {
  if (isPending(news)) return true;
  const before = news.description === undefined ? (olds.description ?? "") : lastSeen(olds).description;
  const described = before !== (news.description ?? "");
  const renamed = news.name !== undefined && olds.name !== news.name;
  return described || renamed || hasUnknownRule(news) || !isEmptyDiff(diffRules(keyedRules(olds), keyedRules(news)));
}

function hasUnknownRule(news: CheckedInputs): boolean {
  return Object.values(news.rules).some(hasUnknown);
}

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
  const { rulesetId } = olds as Partial<RulesetState>;
  for (const key of objectKeys(target, rulesetId)) session.owners.hold(key, urn);
  const checked = session.checked.get(urn);
  if (checked === undefined) return;
  const where = targetWords(target, news.name);
  if (change.kind === "none") {
    const seen = lastSeen(olds);
    const strangers = foreignRules(seen, seen.deployedRules);
    if (strangers.length > 0 && seen.deployedRules.length > 0)
      session.reporter.warn(urn, foreignText(where, strangers));
    return;
  }
  if (change.kind === "replace" || isPending(news) || !hasChange(olds, news)) return;
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
  const address = addressOf(id, olds);
  try {
    const actual =
      address.phase === undefined
        ? await session.reads.byId(address.scope, address.rulesetId ?? "")
        : await session.reads.entrypoint(address.scope, address.phase);
    if (actual === undefined) return;
    const wanted = { ...keyedRules(news), description: wantedDescription(olds, news, actual) };
    const conflict = findConflict(seen, actual, wanted);
    if (!isConflict(conflict)) {
      const known = [...recognise(seen, wanted, actual).values()];
      if (known.length > 0)
        session.reporter.info(
          news.__urn,
          `${where}: recognised at the service: ${known.map(({ ref }) => ref).join(", ")}`,
        );
      return;
    }
    const text = conflictText(where, actual.version, conflict, "change");
    if (session.onConflict(news.onConflict) === "fail") throw conflictError(text);
    session.reporter.warn(news.__urn, `overwriting, as asked for.\n${text}`);
  } catch (error) {
    if (!preview || session.previewChecks !== "auto" || !isOutOfReach(error)) throw error;
    session.reporter.warn(news.__urn, `not asked: whether somebody else changed ${where}. ${(error as Error).message}`);
  }
}
