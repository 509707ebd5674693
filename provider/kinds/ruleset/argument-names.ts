import type { ResourceKind } from "./model.js";

/** Arguments that are one of a few words. */
export const CHOICES: Readonly<Record<string, readonly string[]>> = {
  onExisting: ["fail", "adopt", "replace", "empty"],
  onConflict: ["fail", "overwrite"],
  onDelete: ["empty", "delete", "keep"],
};
const COMMON = ["zoneId", "accountId", "phase", "name", "description", "rules", ...Object.keys(CHOICES)];
const ARGUMENTS: Readonly<Record<ResourceKind, readonly string[]>> = {
  PhaseEntrypoint: COMMON,
  Ruleset: [...COMMON, "kind", "rulesetId"],
};

export function argumentNames(kind: ResourceKind): readonly string[] {
  return ARGUMENTS[kind];
}

/** What `ignoreChanges` may name: every argument, and the order of the rules, which follows from them. */
export function ignorableNames(kind: ResourceKind): readonly string[] {
  return [...ARGUMENTS[kind], "order"];
}
