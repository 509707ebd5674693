import type { Session } from "./engine/session.js";
import { desiredFrom } from "./kinds/rulesets/desired.js";
import { isUpToDate, type Content } from "./kinds/rulesets/plan/content.js";
import { replaceRuleset, type Written } from "./kinds/rulesets/write/ruleset-writes.js";
import { scopeArguments, type Scope } from "./model/ids.js";
import { parseRule } from "./model/parse-rule.js";
import type { Ruleset } from "./model/ruleset.js";
import { contentOf } from "./rules/content.js";

/** What it takes to restore a version of a ruleset. */
export interface Restoration {
  /** Whether the current ruleset already has the content of the version. */
  readonly isDone: boolean;
  /** Writes the content, as a change of a resource is written: with recovery, and a check for changes that it undid. */
  readonly write: () => Promise<Written>;
}

/** Compares a ruleset with an earlier version of it. Its rules keep their refs, and so the IDs of rules that still exist. */
export function planRestoration(session: Session, scope: Scope, current: Ruleset, version: Ruleset): Restoration {
  const { phase, kind, name } = current;
  const desired = desiredFrom({ ...scopeArguments(scope), phase, kind, name, rules: {}, order: "" });
  const rules = version.rules.map((rule) => ({ ...parseRule(contentOf(rule)), ref: rule.ref }));
  const content: Content = { description: version.description, rules };
  return {
    isDone: isUpToDate(current, content, desired.target),
    write: () => replaceRuleset(session, desired, current, content, { operation: "restore" }),
  };
}
