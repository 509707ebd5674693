import { diffRules, isEmptyDiff } from "../../rules/diff.js";
import { hasUnknown } from "../../model/unknown.js";
import type { Change } from "../../engine/lifecycle.js";
import {
  isAskedFor,
  isPending,
  keyedRules,
  targetOf,
  type CheckedInputs,
  type ResourceKind,
  type RulesetState,
} from "./model.js";
import { seenDescription } from "./state.js";

/** Compares a state with what the program wants. Pure and offline: the engine also calls it after a refresh. */
export function diff(kind: ResourceKind, olds: RulesetState, news: CheckedInputs): Change {
  const replaces = replacing(kind, olds, news);
  if (replaces.length > 0) return { kind: "replace", replaces, shownByInputs: true };
  const steers = onDeleteOf(olds) !== onDeleteOf(news) || claims(olds, news);
  const changed = olds.__incomplete === true || hasChange(olds, news) || steers;
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

/** Whether the program says of what was only taken over that it is its own from now on. */
export function claims(olds: RulesetState, news: CheckedInputs): boolean {
  return olds.__takenOver === true && isAskedFor(news);
}

function onDeleteOf(inputs: CheckedInputs): string {
  return inputs.onDelete ?? (targetOf(inputs).entrypoint ? "empty" : "delete");
}

/** Whether anything that the service holds differs. */
export function hasChange(olds: RulesetState, news: CheckedInputs): boolean {
  if (isPending(news)) return true;
  const before = news.description === undefined ? (olds.description ?? "") : seenDescription(olds);
  const described = before !== (news.description ?? "");
  const renamed = news.name !== undefined && olds.name !== news.name;
  return described || renamed || hasUnknownRule(news) || !isEmptyDiff(diffRules(keyedRules(olds), keyedRules(news)));
}

function hasUnknownRule(news: CheckedInputs): boolean {
  return Object.values(news.rules).some(hasUnknown);
}
