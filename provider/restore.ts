import type { Session } from "./engine/session.js";
import { desiredFrom } from "./kinds/rulesets/desired.js";
import { isUpToDate, type Content } from "./kinds/rulesets/plan/change.js";
import { accountOf } from "./kinds/judging/list-uses.js";
import { replaceRuleset, type Written } from "./kinds/rulesets/write/ruleset-writes.js";
import { RulesetsError } from "../core/model/errors.js";
import { scopeArguments, type Scope } from "../core/model/ids.js";
import { parseRule } from "../core/model/parse-rule.js";
import type { Ruleset } from "../core/model/ruleset.js";
import { contentOf } from "../core/rules/content.js";
import { listUsesOf } from "./validation/list-uses.js";

/** What it takes to restore a version of a ruleset. */
export interface Restoration {
  /** Whether the current ruleset already has the content of the version. */
  readonly isDone: boolean;
  /** Writes the content, as a change of a resource is written: with recovery, and a check for changes that it undid. */
  readonly write: () => Promise<Written>;
}

/** Whether the lists exist that the rules of a version use and the current rules do not. */
export type ListsOfVersion =
  | { readonly kind: "found" }
  | { readonly kind: "missing"; readonly names: readonly string[] }
  | { readonly kind: "not read"; readonly names: readonly string[]; readonly why: string };

export async function findListsOfVersion(
  session: Session,
  scope: Scope,
  current: Ruleset,
  version: Ruleset,
): Promise<ListsOfVersion> {
  const used = new Set(namesOfLists(current));
  const names = [...new Set(namesOfLists(version))].filter((name) => !used.has(name));
  if (names.length === 0) return { kind: "found" };
  try {
    const accountId = await accountOf(session, scope);
    if (accountId === undefined) return { kind: "not read", names, why: "the account of the zone is not known" };
    const existing = new Set((await session.lists.of(accountId)).map(({ name }) => name));
    const missing = names.filter((name) => !existing.has(name));
    return missing.length === 0 ? { kind: "found" } : { kind: "missing", names: missing };
  } catch (error) {
    if (error instanceof RulesetsError) return { kind: "not read", names, why: error.message };
    throw error;
  }
}

function namesOfLists({ rules }: Ruleset): string[] {
  return rules.flatMap((rule) => listUsesOf(rule).map(({ name }) => name));
}

/** Compares a ruleset with an earlier version of it. Its rules keep their refs, and so the IDs of rules that still exist. */
export function planRestoration(session: Session, scope: Scope, current: Ruleset, version: Ruleset): Restoration {
  const { phase, kind, name } = current;
  const desired = desiredFrom({ ...scopeArguments(scope), phase, kind, name, rules: {}, order: "" });
  const rules = version.rules.map((rule) => ({ ...parseRule(contentOf(rule)), ref: rule.ref }));
  const content: Content = { description: version.description, rules };
  return {
    isDone: isUpToDate(current, content, desired.target),
    // Whoever runs a command of versions may see all rules.
    write: () => replaceRuleset(session, desired, current, content, { operation: "restore", state: {} }),
  };
}
