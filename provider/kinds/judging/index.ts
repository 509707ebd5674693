import { isObject } from "../../../core/model/json.js";
import type { Judge, Judges } from "../rulesets/judge.js";
import { dryRun } from "./dry-run/judge.js";
import { meaningOfList, meaningOfRule } from "./effect/meaning.js";
import { rollout } from "./effect/rollout.js";
import { entitlements } from "./entitlements.js";
import { listUses } from "./list-uses.js";
import { names } from "./names.js";
import { programRules } from "./program-rules.js";
import { summary } from "./summary.js";
import { late } from "../../../core/model/late.js";

/** Only for programs whose rules need it. */
const loadManaged = late<typeof import("./managed-references.js")>(() => require("./managed-references.js"));

/** What rules name of managed rulesets. */
const managed: Judge = {
  checked: (resource) => (mayUseManagedRules(resource.fields) ? loadManaged().checkManagedReferences(resource) : []),
};

/** What looks at resources with a list of rules. */
export const LIST_JUDGES: Judges = [
  ...[programRules, names, entitlements, meaningOfList, listUses],
  ...[rollout, dryRun, managed, summary],
];

/** What looks at resources that are one rule. */
export const RULE_JUDGES: Judges = [
  ...[programRules, names, entitlements, meaningOfRule, listUses],
  ...[rollout, dryRun, managed],
];

/** Whether any rule executes a ruleset or skips single rules of one, so that it may name managed rules. */
function mayUseManagedRules(rules: readonly unknown[]): boolean {
  return rules.some((fields) => {
    if (!isObject(fields)) return false;
    const { action, actionParameters } = fields;
    return (
      action === "execute" || (action === "skip" && isObject(actionParameters) && isObject(actionParameters.rules))
    );
  });
}
