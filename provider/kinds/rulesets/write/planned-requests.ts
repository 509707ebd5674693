import type { PlannedRequest, PreviewPlan, TakenOver } from "../../../engine/preview-plan.js";
import { mapFrom } from "../../../../core/model/json.js";
import { scopeText, type Scope } from "../../../../core/model/ids.js";
import type { DeployedRule, Ruleset } from "../../../../core/model/ruleset.js";
import { isUnknown } from "../../../../core/model/unknown.js";
import type { Desired } from "../desired.js";
import type { Creation } from "../judge.js";
import type { Comparison, Plan } from "../plan/plan.js";
import { contentOver } from "../plan/content.js";
import type { OwnRulesComparison, OwnRulesPlan } from "../plan/own-rules.js";
import type { SharedPart } from "../plan/plan.js";
import { NO_DIFFERENCE } from "../../../../core/rules/diff.js";
import { summaryLine } from "../../../../core/rules/summary.js";
import type { Step } from "../../../../core/rules/placing/steps.js";

/* What the writes of this folder send, for the plan that a preview publishes. */

/**
 * The plan of an update of a whole ruleset.
 * @param comparison undefined where that, or what the program wants, is not known
 */
export function plannedReplacement(
  { desired, recorded }: Plan,
  comparison: Comparison | undefined,
): Partial<PreviewPlan> {
  const path = rulesetPath(desired.target.scope, recorded.state.rulesetId);
  if (comparison?.isUpToDate === true) return { writes: [] };
  return {
    writes: [{ call: `PUT ${path}` }],
    ...(comparison === undefined ? {} : { replaces: comparison.actual.version }),
  };
}

/** The same of a resource's own rules. */
export function plannedRuleWrites(
  plan: OwnRulesPlan,
  comparison: OwnRulesComparison | undefined,
): Partial<PreviewPlan> {
  const { scope } = plan.desired.target;
  if (comparison !== undefined) return plannedPart(scope, comparison.actual, comparison.part, comparison.recognised);
  const path = rulesetPath(scope, plan.recorded.state.rulesetId);
  const [id] = Object.values(plan.recorded.ruleIds);
  if (plan.desired.words.manages === "rule" && id !== undefined)
    return { writes: [{ call: `PATCH ${path}/rules/${id}`, unless: "the rule is already as declared" }] };
  return {
    writes: [{ call: `PATCH ${path}/rules/<rule>`, unless: "no rule changes; otherwise one for each that does" }],
  };
}

/** The plan of a resource whose ruleset does not exist. */
export function plannedCreate({ scope }: Desired["target"]): Partial<PreviewPlan> {
  return { writes: [{ call: `POST ${rulesetsPath(scope)}` }] };
}

/**
 * The plan of a new resource.
 * @param deleted IDs of rules that another resource may delete before this one exists
 */
export function plannedCreation(
  desired: Desired,
  { isRead, existing, join, adopts }: Creation,
  deleted: { has(id: string): boolean },
): Partial<PreviewPlan> {
  const { target } = desired;
  const isRule = desired.words.manages === "rule";
  if (!isRead) return isRule ? blindRule(desired.target, adopts) : { ...countsOfNew(desired), ...blindList(desired) };
  if (existing === undefined) return { ...(isRule ? {} : countsOfNew(desired)), ...plannedCreate(target) };
  if (join !== undefined) {
    const { part } = join.comparison;
    const kept = existing.rules.flatMap((rule) => {
      const ref = [...part.ids].find(([, id]) => id === rule.id)?.[0];
      return ref === undefined || deleted.has(rule.id) ? [] : [[ref, rule] as const];
    });
    return plannedPart(target.scope, existing, part, new Map(kept));
  }
  if (contentOver(desired, existing) === undefined) return { writes: [] };
  return { writes: [{ call: `PUT ${rulesetPath(target.scope, existing.id)}` }], replaces: existing.version };
}

function countsOfNew({ rules }: Desired): Partial<PreviewPlan> {
  return rules === undefined ? {} : { counts: summaryLine({ ...NO_DIFFERENCE, added: rules.order }) };
}

/** The plan where it is not known what exists. */
function blindList({ target: { scope }, policy, rules }: Desired): Partial<PreviewPlan> {
  const root = `POST ${rulesetsPath(scope)}`;
  const order = rules?.order ?? [];
  if (policy.ownership !== "shared")
    return { writes: [{ call: root, unless: "a ruleset with the same rules already exists and is taken over" }] };
  if (order.length === 0) return { writes: [{ call: root, unless: "the ruleset already exists" }] };
  const made =
    policy.adopts === undefined
      ? `the ruleset does not exist yet (then one ${root} creates it with all rules), or `
      : "";
  const call = `POST ${rulesetPath(scope, policy.adopts ?? "<id>")}/rules`;
  return { writes: order.map(() => ({ call, unless: `${made}the same rule already exists` })) };
}

/** The same for a single rule. */
function blindRule({ scope, rulesetId }: Desired["target"], adopts: string | undefined): Partial<PreviewPlan> {
  const path = rulesetPath(scope, rulesetId ?? "<id>");
  if (adopts !== undefined)
    return { writes: [{ call: `PATCH ${path}/rules/${adopts}`, unless: "the rule already has this content" }] };
  const made =
    rulesetId === undefined ? `there is no entry point yet (then POST ${rulesetsPath(scope)} creates it), or ` : "";
  const unless = `${made}an equal rule already exists and is taken over`;
  return { writes: [{ call: `POST ${path}/rules`, unless }] };
}

function plannedPart(
  scope: Scope,
  actual: Ruleset,
  { steps }: SharedPart,
  kept: ReadonlyMap<string, DeployedRule>,
): Partial<PreviewPlan> {
  const changed = new Set(
    steps.flatMap((step) => (step.kind === "change" && step.rule !== undefined ? [step.id] : [])),
  );
  const taken = Array.from(kept, ([ref, rule]): readonly [string, TakenOver] => [
    ref,
    { id: rule.id, changes: changed.has(rule.id) },
  ]);
  const writes = steps.map((step) => ruleRequest(scope, actual.id, step));
  return { writes, replaces: actual.version, rules: mapFrom(taken) };
}

/** The request of a step in a shared ruleset. */
function ruleRequest(scope: Scope, rulesetId: string, step: Step): PlannedRequest {
  const rules = `${rulesetPath(scope, rulesetId)}/rules`;
  switch (step.kind) {
    case "add":
      return { call: `POST ${rules}` };
    case "change":
      return { call: `PATCH ${rules}/${step.id}` };
    case "delete":
      return { call: `DELETE ${rules}/${step.id}` };
  }
}

function rulesetPath(scope: Scope, rulesetId: string): string {
  return `${rulesetsPath(scope)}/${isUnknown(rulesetId) ? "<id>" : rulesetId}`;
}

function rulesetsPath(scope: Scope): string {
  if (isUnknown(scope.id)) return `/${scope.level}/<${scope.level === "zones" ? "zone" : "account"}>/rulesets`;
  return `/${scopeText(scope)}/rulesets`;
}
