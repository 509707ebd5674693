import { mapFrom, sameJson } from "../../core/model/json.js";
import type { DeployedRule, Ruleset } from "../../core/model/ruleset.js";
import { deployedRulesById, keyedDeployedRules } from "../../core/rules/keyed.js";
import { changedFields, isSameMeaning } from "../../core/rules/rule.js";
import { type Conflict, contentById, findConflict } from "./conflict.js";

/** A ruleset as read before a write, or as returned by it. */
export type RulesetSnapshot = Pick<Ruleset, "id" | "version" | "description" | "rules">;

/** Somebody else's change that a write of this run undid, as far as it can be determined. */
export type OverwrittenChange =
  | { readonly kind: "undone"; readonly version: string; readonly conflict: Conflict }
  /** There is a version in between, but the service does not return it. */
  | { readonly kind: "unread"; readonly version: string; readonly reason: string }
  /** The ruleset was deleted, and the write created another one in its place. */
  | { readonly kind: "remade"; readonly rulesetId: string };

/**
 * The numbers of the versions between the one that was read and the one that a write created, newest first. Every
 * change adds one, so these are not from this write. Yields none if versions are not numbers, or if the response has
 * the version that was read, because the write changed nothing.
 */
export function* versionsBetween(before: RulesetSnapshot | undefined, response: RulesetSnapshot): Generator<string> {
  const last = versionNumber(response.version);
  const first = before?.id === response.id ? versionNumber(before.version) : 0;
  if (last === undefined || first === undefined) return;
  for (let version = last - 1; version > first; version -= 1) yield String(version);
}

function versionNumber(text: string): number | undefined {
  const version = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(version) ? version : undefined;
}

/** Whether two versions of a ruleset are equal: the same rules with the same refs in the same order. */
export function isSameRuleset(one: RulesetSnapshot, other: RulesetSnapshot): boolean {
  return (
    one.description === other.description &&
    sameJson(
      one.rules.map(({ ref }) => ref),
      other.rules.map(({ ref }) => ref),
    ) &&
    one.rules.every((rule, index) => isSameMeaning(rule, other.rules[index] ?? {}))
  );
}

/**
 * What somebody changed between the ruleset that was read and a version in between, and is missing from the response.
 * Changes that are still there after a write of one rule do not count.
 */
export function findUndoneChange(
  before: RulesetSnapshot | undefined,
  between: RulesetSnapshot,
  response: RulesetSnapshot,
): Conflict {
  const known = before?.id === response.id ? before : undefined;
  const seen = {
    ruleIds: mapFrom((known?.rules ?? []).map(({ ref, id }) => [ref, id] as const)),
    deployedRules: deployedRulesById(known?.rules ?? []),
    description: known?.description ?? "",
  };
  const stands = { ...keyedDeployedRules(response.rules), description: response.description };
  return findConflict(seen, contentById(between), stands);
}

/** Whether a rule was changed at most once between two responses. A move does not create a version of it. */
export function isNextVersion(before: DeployedRule, after: DeployedRule): boolean {
  const [first, last] = [versionNumber(before.version), versionNumber(after.version)];
  return first !== undefined && last !== undefined && last <= first + 1;
}

/** What somebody changed in one rule between the read and a version in between. */
export function findUndoneRuleChange(before: DeployedRule, between: DeployedRule | undefined): Conflict | undefined {
  if (between === undefined || isSameMeaning(before, between)) return undefined;
  const edited = [{ ref: between.ref, rule: between, fields: changedFields(before, between) }];
  return { foreign: [], edited, removed: [], moved: [] };
}
