import { keyedAnswer, standingRules } from "../rules/keyed.js";
import { changedFields, sameContent } from "../rules/rule.js";
import { mapFrom, sameJson } from "../model/json.js";
import type { DeployedRule, Ruleset } from "../model/ruleset.js";
import { currentOf, findConflict, type Conflict } from "./conflict.js";

/** What a write is judged by: what was read before it, and what it answered. */
export type Standing = Pick<Ruleset, "id" | "version" | "description" | "rules">;

/** Somebody else's change that a write of this run undid, as far as it can be known. */
export type Overwritten =
  | { readonly kind: "undone"; readonly version: string; readonly conflict: Conflict }
  /** A version stands between, and the service does not show it. */
  | { readonly kind: "unread"; readonly version: string; readonly reason: string }
  /** The ruleset was deleted, and the write made another one in its place. */
  | { readonly kind: "remade"; readonly rulesetId: string };

/**
 * The numbers of the versions between the one that was read and the one a write made, newest first. Every change adds
 * one, so they are not this write's. None where versions are not numbers, and where the answer names the version that
 * was read, for a write that changed nothing.
 */
export function* versionsBetween(before: Standing | undefined, answer: Standing): Generator<string> {
  const last = versionNumber(answer.version);
  const first = before?.id === answer.id ? versionNumber(before.version) : 0;
  if (last === undefined || first === undefined) return;
  for (let version = last - 1; version > first; version -= 1) yield String(version);
}

function versionNumber(text: string): number | undefined {
  const version = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(version) ? version : undefined;
}

/** Whether two versions of a ruleset say the same: the same rules under the same refs in the same order. */
export function saysTheSame(one: Standing, other: Standing): boolean {
  return (
    one.description === other.description &&
    sameJson(
      one.rules.map(({ ref }) => ref),
      other.rules.map(({ ref }) => ref),
    ) &&
    one.rules.every((rule, index) => sameContent(rule, other.rules[index] ?? {}))
  );
}

/**
 * What somebody changed from the ruleset that was read to a version in between, and what the answer does not hold any
 * more. A write of one rule leaves other changes standing, and these are none.
 */
export function findUndone(before: Standing | undefined, between: Standing, answer: Standing): Conflict {
  const known = before?.id === answer.id ? before : undefined;
  const seen = {
    ruleIds: mapFrom((known?.rules ?? []).map(({ ref, id }) => [ref, id] as const)),
    deployedRules: standingRules(known?.rules ?? []),
    description: known?.description ?? "",
  };
  const stands = { ...keyedAnswer(answer.rules), description: answer.description };
  return findConflict(seen, currentOf(between), stands);
}

/** Whether a rule has been changed at most once from one answer to the other. Moves make no version of it. */
export function isNextVersion(before: DeployedRule, after: DeployedRule): boolean {
  const [first, last] = [versionNumber(before.version), versionNumber(after.version)];
  return first !== undefined && last !== undefined && last <= first + 1;
}

/** What somebody made of one rule from the time it was read to a version in between. */
export function findUndoneRule(before: DeployedRule, between: DeployedRule | undefined): Conflict | undefined {
  if (between === undefined || sameContent(before, between)) return undefined;
  const edited = [{ ref: between.ref, rule: between, fields: changedFields(before, between) }];
  return { foreign: [], edited, removed: [], moved: [] };
}
